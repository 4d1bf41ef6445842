package source

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
)

// hostAPI is the API of one kind of Git host.
type hostAPI struct {
	// root is the API's address on the host that serves web.
	root func(web string) string
	// known tells by the answer to probe, below root, that a host is of this kind.
	probe string
	known func(body []byte, err error) bool
	// ask finds out about a branch; its name is escaped already.
	ask func(ctx context.Context, q *inquiry, repo, branch string) (protection, error)
}

// Where the APIs lie, and how their hosts make themselves known, is from the
// documentation of each: "REST API endpoints for meta data" of GitHub Enterprise
// Server (/api/v3/meta has installed_version), "Version API" of GitLab
// (/api/v4/version has version and revision; without a token it answers 401 in
// words of its own, "REST API: status codes"), and the API page of Gitea and
// Forgejo (/api/v1/version has version).
var (
	github = hostAPI{root: below("/api/v3"), probe: "/meta", known: isGitHub, ask: askGitHub}
	gitlab = hostAPI{root: below("/api/v4"), probe: "/version", known: isGitLab, ask: askGitLab}
	gitea  = hostAPI{root: below("/api/v1"), probe: "/version", known: isGitea, ask: askGitea}
)

func below(path string) func(web string) string {
	return func(web string) string { return "https://" + web + path }
}

// webHost is the name under which a host serves https. Both large hosts have
// another for ssh on port 443.
func webHost(host string) string {
	switch host {
	case "ssh.github.com":
		return "github.com"
	case "altssh.gitlab.com":
		return "gitlab.com"
	}
	return host
}

// byName knows the hosts that everyone knows. GitHub's own API has a host of its
// own ("Getting started with the REST API"), also for a company whose data GitHub
// keeps apart ("Getting started with data residency": api.SUBDOMAIN.ghe.com).
func byName(host string) (hostAPI, bool) {
	switch {
	case host == "github.com", strings.HasSuffix(host, ".ghe.com"):
		api := github
		api.root = func(web string) string { return "https://api." + web }
		return api, true
	case host == "gitlab.com":
		return gitlab, true
	case host == "codeberg.org", host == "gitea.com":
		return gitea, true
	}
	return hostAPI{}, false
}

// recognise finds the kind of the host: by its name, else by what it answers. No
// host is taken for one that it does not say it is.
func (q *inquiry) recognise(ctx context.Context) (hostAPI, error) {
	if api, ok := byName(webHost(q.at.host)); ok {
		return api, nil
	}
	for _, api := range []hostAPI{gitea, gitlab, github} {
		q.root = api.root(q.web())
		body, err := q.fetch(ctx, api.probe)
		if api.known(body, err) {
			return api, nil
		}
		if err != nil && status(err) == 0 {
			return hostAPI{}, err // it cannot be asked at all
		}
	}
	return hostAPI{}, errors.New("the host does not say that it is GitHub, GitLab, Gitea or Forgejo")
}

func isGitHub(body []byte, err error) bool {
	var v struct {
		Installed string `json:"installed_version"`
	}
	return err == nil && json.Unmarshal(body, &v) == nil && v.Installed != ""
}

func isGitLab(body []byte, err error) bool {
	var v struct{ Version, Revision, Message, Error string }
	if r, ok := errors.AsType[*reply](err); ok {
		if json.Unmarshal(r.body, &v) != nil {
			return false
		}
		// No token; a token that may read repositories and no more.
		return r.status == http.StatusUnauthorized && v.Message == "401 Unauthorized" ||
			r.status == http.StatusForbidden && v.Error == "insufficient_scope"
	}
	return err == nil && json.Unmarshal(body, &v) == nil && v.Version != "" && v.Revision != ""
}

func isGitea(body []byte, err error) bool {
	var v struct{ Version, Revision string }
	return err == nil && json.Unmarshal(body, &v) == nil && v.Version != "" && v.Revision == ""
}

// isProtected is a branch as all three hosts describe it to whoever may read it.
type isProtected struct {
	Protected *bool `json:"protected"`
}

func (p isProtected) said() (bool, error) {
	if p.Protected == nil {
		return false, errors.New("the host's API does not say whether the branch is protected")
	}
	return *p.Protected, nil
}

// githubRule is one of "Get rules for a branch": what rulesets of the repository
// and of its organisation demand. Who may bypass them is not told.
type githubRule struct {
	Type       string `json:"type"`
	Parameters struct {
		Reviews int `json:"required_approving_review_count"`
	} `json:"parameters"`
}

// githubProtection is "Get branch protection", which only administrators may read.
type githubProtection struct {
	Admins  enabled `json:"enforce_admins"`
	Force   enabled `json:"allow_force_pushes"`
	Reviews *struct {
		Count int `json:"required_approving_review_count"`
	} `json:"required_pull_request_reviews"`
}

type enabled struct {
	Enabled bool `json:"enabled"`
}

// askGitHub asks for classic protection ("Get a branch": protected) and for
// rulesets; either may stand alone.
func askGitHub(ctx context.Context, q *inquiry, repo, branch string) (protection, error) {
	owner, name, _ := strings.Cut(repo, "/")
	if strings.Contains(name, "/") {
		return protection{}, errors.New("the path is not that of a repository of this host")
	}
	at := "/repos/" + url.PathEscape(owner) + "/" + url.PathEscape(name)
	var b isProtected
	if err := q.get(ctx, at+"/branches/"+branch, &b); err != nil {
		return protection{}, err
	}
	classic, err := b.said()
	if err != nil {
		return protection{}, err
	}
	var rules []githubRule
	err = q.get(ctx, at+"/rules/branches/"+branch+"?per_page=100", &rules)
	if err != nil && status(err) != http.StatusNotFound && !classic { // an older server has no rulesets
		return protection{}, err
	}
	p := byRules(rules)
	if !classic {
		return p, nil
	}
	p.claimed = true
	var d githubProtection
	if p.hidden = !q.detail(ctx, at+"/branches/"+branch+"/protection", &d); p.hidden {
		return p, nil
	}
	reviews := 0
	if d.Reviews != nil {
		p.pulls, reviews = true, d.Reviews.Count // 0: a pull request, and nobody's approval
	}
	p.reviews = new(max(reviews, deref(p.reviews)))
	p.force = new(d.Force.Enabled && (p.force == nil || *p.force))
	p.admins = new(d.Admins.Enabled)
	return p, nil
}

// byRules is what rulesets say.
func byRules(rules []githubRule) (p protection) {
	for _, r := range rules {
		switch r.Type {
		case "pull_request":
			p.pulls, p.reviews = true, new(max(r.Parameters.Reviews, deref(p.reviews)))
		case "non_fast_forward":
			p.force = new(false)
		case "update":
			p.few = true
		}
	}
	if len(rules) > 0 && p.force == nil {
		p.force = new(true)
	}
	p.rules = len(rules)
	return p
}

func deref(n *int) int {
	if n == nil {
		return 0
	}
	return *n
}

// gitlabProtection is "Get a single protected branch", which maintainers may read.
// Access level 0 is "No access".
type gitlabProtection struct {
	Force  *bool `json:"allow_force_push"`
	Pushes []struct {
		Level *int `json:"access_level"`
	} `json:"push_access_levels"`
}

// askGitLab asks "Get single repository branch".
func askGitLab(ctx context.Context, q *inquiry, repo, branch string) (protection, error) {
	at := "/projects/" + url.PathEscape(repo)
	var b struct {
		isProtected
		Push *bool `json:"developers_can_push"`
	}
	if err := q.get(ctx, at+"/repository/branches/"+branch, &b); err != nil {
		return protection{}, err
	}
	on, err := b.said()
	p := protection{claimed: on}
	if err != nil || !on {
		return p, err
	}
	p.few = b.Push != nil && !*b.Push
	var d gitlabProtection
	// 404: a pattern protects the branch, and it is not listed by its own name.
	if p.hidden = !q.detail(ctx, at+"/protected_branches/"+branch, &d); p.hidden {
		return p, nil
	}
	p.force = d.Force
	p.pulls = len(d.Pushes) > 0
	for _, level := range d.Pushes {
		p.pulls = p.pulls && level.Level != nil && *level.Level == 0
	}
	return p, nil
}

// giteaProtection is "Get a specific branch protection", which only administrators
// may read. The two names for the same thing are Gitea's and Forgejo's.
type giteaProtection struct {
	Push       *bool `json:"enable_push"`
	Force      bool  `json:"enable_force_push"`
	Allowed    bool  `json:"enable_force_push_allowlist"`
	NoOverride bool  `json:"block_admin_merge_override"`
	Admins     bool  `json:"apply_to_admins"`
}

// askGitea asks "Retrieve a specific branch from a repository".
func askGitea(ctx context.Context, q *inquiry, repo, branch string) (protection, error) {
	owner, name, _ := strings.Cut(repo, "/")
	if strings.Contains(name, "/") {
		return protection{}, errors.New("the path is not that of a repository of this host")
	}
	at := "/repos/" + url.PathEscape(owner) + "/" + url.PathEscape(name)
	var b struct {
		isProtected
		Reviews int    `json:"required_approvals"`
		Rule    string `json:"effective_branch_protection_name"`
	}
	if err := q.get(ctx, at+"/branches/"+branch, &b); err != nil {
		return protection{}, err
	}
	on, err := b.said()
	p := protection{claimed: on}
	if err != nil || !on {
		return p, err
	}
	p.reviews = new(b.Reviews)
	var d giteaProtection
	if p.hidden = b.Rule == "" || !q.detail(ctx, at+"/branch_protections/"+url.PathEscape(b.Rule), &d); p.hidden {
		return p, nil
	}
	p.force = new(d.Force && !d.Allowed)
	p.pulls = d.Push != nil && !*d.Push
	p.admins = new(d.NoOverride || d.Admins)
	return p, nil
}
