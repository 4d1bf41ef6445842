package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/generation"
	"github.com/agenthooks/hookctl/gate/judge/api"
	"github.com/agenthooks/hookctl/home"
	"github.com/agenthooks/hookctl/install/files"
	"github.com/agenthooks/hookctl/manifests"
)

// noOffer is the variable with which install offers no judge.
const noOffer = "HOOKCTL_NO_OFFER"

// offered is a judge that was found on this machine.
type offered struct {
	Backend string
	What    string // what was found
	Line    string // of config.yaml
	// Whole is false when something is left to fill in.
	Whole bool
}

// probeTime is how long a server on this machine is waited for.
const probeTime = 500 * time.Millisecond

// judgesFound looks for judges: programs in PATH, an Ollama on this machine, keys in
// the environment. It starts no program and reads no key.
func (e *env) judgesFound(ctx context.Context) (found []offered) {
	for _, name := range []string{"claude", "codex", "gemini"} {
		if path, err := exec.LookPath(name); err == nil {
			found = append(found, offered{name, e.short(path), judgeLine("backend: " + name), true})
		}
	}
	if o, ok := e.ollama(ctx); ok {
		found = append(found, o)
	}
	for _, k := range []struct{ backend, env string }{{"anthropic", "ANTHROPIC_API_KEY"}, {"openai", "OPENAI_API_KEY"}} {
		if e.getenv(k.env) != "" {
			found = append(found, offered{k.backend, "a key in $" + k.env, judgeLine("backend: " + k.backend + ", model: MODEL"), false})
		}
	}
	return found
}

// judgeLine is a choice with the builtin judge behind it: a message is better read
// by that one than by nobody.
func judgeLine(choice string) string { return "judge: {" + choice + ", fallback: [builtin]}" }

// ollama is the server of that name, at its usual address or at $OLLAMA_HOST.
func (e *env) ollama(ctx context.Context) (offered, bool) {
	host := e.getenv("OLLAMA_HOST")
	if host == "" {
		host = "127.0.0.1:11434"
	}
	if !strings.Contains(host, "://") {
		host = "http://" + host
	}
	u, err := url.Parse(host)
	if err != nil {
		return offered{}, false
	}
	u = u.JoinPath("v1")
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	models := api.Models(ctx, u)
	if len(models) == 0 {
		return offered{}, false
	}
	choice := manifests.JudgeChoice{Backend: "openai", Model: models[0], Endpoint: u.String()}
	if _, err := choice.Target(); err != nil {
		return offered{}, false
	}
	return offered{"openai", "a server at " + u.Host, judgeLine(fmt.Sprintf("backend: openai, model: %q, endpoint: %q", choice.Model, choice.Endpoint)), true}, true
}

// offerJudge offers a judge that was found, where none is chosen: understanding is a
// model's job. Without a clear yes at a terminal it only prints what to write.
func (e *env) offerJudge(ctx context.Context, ask bool) error {
	raw, cfg, err := e.configText()
	if err != nil || cfg.Judge.Backend != "" || e.getenv(noOffer) != "" {
		return nil // verify tells what is wrong with the file
	}
	allowed := e.allowedJudges()
	found := slices.DeleteFunc(e.judgesFound(ctx), func(o offered) bool { return len(allowed) > 0 && !slices.Contains(allowed, o.Backend) })
	if len(found) == 0 {
		return nil
	}
	if tty, ok := e.terminal(); ok && ask && found[0].Whole {
		defer tty.Close()
		yes, err := askJudge(tty, found[0])
		if err != nil {
			return err
		}
		if yes {
			if err := e.chooseJudge(raw, found[0].Line); err != nil {
				return err
			}
			e.printChosen(found[0].Line)
			return nil
		}
	}
	e.printf("a judge that understands text is at hand; to use one, put its line into %s:\n", e.short(e.home.Config()))
	for _, o := range found {
		e.printf("  %s  # %s\n", o.Line, o.What)
	}
	e.printf("then: hookctl judge check\n")
	return nil
}

// askJudge puts one judge to a person. Anything but a clear yes is no.
func askJudge(tty io.ReadWriter, o offered) (bool, error) {
	fmt.Fprintf(tty, "%s is on this machine (%s). Shall it judge the messages that a pattern has hit? Each\nsuch message is sent to it, without the secrets that are found in it. [y/N] ", o.Backend, o.What)
	line, err := bufio.NewReader(tty).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	answer := strings.ToLower(strings.TrimSpace(line))
	return answer == "y" || answer == "yes", nil
}

// allowedJudges are those of the running bundle's floor; none = every one.
func (e *env) allowedJudges() []string {
	h, err := gate.DecodeHeader(generation.Open(e.home).Rules)
	if err != nil {
		return nil
	}
	return h.Floor.Judges
}

// checkJudgeFlag refuses a --judge that cannot be written without more to say.
func checkJudgeFlag(backend string) error {
	switch c := (manifests.JudgeChoice{Backend: backend}); {
	case !slices.Contains(manifests.Backends, backend):
		return fmt.Errorf("--judge %q, want one of %s", backend, strings.Join(manifests.Backends, ", "))
	case c.IsAPI() || backend == "command":
		return fmt.Errorf("--judge %s: it needs more than a name; write it into config.yaml (docs/judges.md)", backend)
	}
	return nil
}

// setJudge writes the judge that --judge names and returns its line, "" when it is
// there already.
func (e *env) setJudge(backend string) (line string, err error) {
	raw, cfg, err := e.configText()
	if err != nil || cfg.Judge.Backend == backend {
		return "", err
	}
	line = "judge: {backend: " + backend + "}"
	if (manifests.JudgeChoice{Backend: backend}).IsAgent() {
		line = judgeLine("backend: " + backend)
	}
	return line, e.chooseJudge(raw, line)
}

func (e *env) printChosen(line string) {
	if line != "" {
		e.printf("  %s: %s\n    see how it does: hookctl judge check\n", e.short(e.home.Config()), line)
	}
}

func (e *env) chooseJudge(raw []byte, line string) error {
	text, err := manifests.AddJudge(raw, line)
	if err != nil {
		return fmt.Errorf("%w; it is left as it is, change it by hand to: %s", err, line)
	}
	l := &files.Layer{}
	if _, err := l.MkdirAll(string(e.home), 0o700); err != nil {
		return err
	}
	return l.WriteFileIfUnchanged(e.home.Config(), raw, text, 0o600)
}

// configText is config.yaml as it is; nothing when there is none.
func (e *env) configText() ([]byte, manifests.Config, error) {
	raw, err := home.ReadConfig(e.home)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, manifests.Config{}, err
	}
	c, err := manifests.ParseConfig(raw)
	return raw, c, err
}
