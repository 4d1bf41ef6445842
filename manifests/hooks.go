package manifests

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// Hook is an executable of the bundle, declared in hookctl.yaml.
type Hook struct {
	ID      string         `yaml:"id"`
	File    string         `yaml:"file"`              // below hooks/
	Run     []string       `yaml:"run,omitempty"`     // interpreter, by name or absolute path, and its arguments; the file comes last
	Events  []string       `yaml:"events"`            // stop, subagent-stop, pre-tool, post-tool, session-start
	Tools   []string       `yaml:"tools,omitempty"`   // exact names, for tool events; empty = every tool
	Mode    string         `yaml:"mode"`              // enforce, warn, shadow, off
	Timeout time.Duration  `yaml:"timeout,omitempty"` // 0 = 5 s
	Failure string         `yaml:"failure,omitempty"` // open, ask, closed; "" = ask
	Exit    map[int]string `yaml:"exit,omitempty"`    // exit code -> allow, ask, block; empty = {0: allow, 2: block}
}

// Limits of the hooks of a bundle.
const (
	maxHooks       = 16 // each may have its say in one feedback of 600 characters
	maxHookTimeout = 10 * time.Second
)

// hookEvents are the events that hookctl is registered for. A hook on another one
// would never be started, and nobody would see it.
var hookEvents = []string{"stop", "subagent-stop", "pre-tool", "post-tool", "session-start"}

var hookID = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`) })

func (b Bundle) checkHooks(f *faults) {
	if len(b.Hooks) > maxHooks {
		f.add("hooks", "%d, want at most %d", len(b.Hooks), maxHooks)
	}
	seen := map[string]bool{}
	for i, h := range b.Hooks {
		at := fmt.Sprintf("hooks[%d]", i)
		switch {
		case !hookID().MatchString(h.ID):
			f.add(at+".id", "%q, want lower-case letters, digits and -", h.ID)
		case h.ID == "all":
			f.add(at+".id", "%q is the name of the cases that nothing may block", h.ID)
		case seen[h.ID]:
			f.add(at+".id", "%q twice", h.ID)
		}
		seen[h.ID] = true
		h.check(at, f)
	}
}

func (h Hook) check(at string, f *faults) {
	if !strings.HasPrefix(h.File, "hooks/") || path.Clean(h.File) != h.File || strings.Contains(h.File, `\`) {
		f.add(at+".file", "%q, want a file below hooks/", h.File)
	}
	f.list(at+".run", h.Run, false)
	if len(h.Run) > 0 && strings.ContainsAny(h.Run[0], `/\`) && !rooted(h.Run[0]) {
		f.add(at+".run[0]", "%q, want a program's name or its absolute path", h.Run[0])
	}
	if len(h.Events) == 0 {
		f.add(at+".events", "none")
	}
	for i, e := range h.Events {
		f.one(fmt.Sprintf("%s.events[%d]", at, i), e, hookEvents...)
	}
	f.list(at+".tools", h.Tools, false)
	if len(h.Tools) > 0 && !slices.Contains(h.Events, "pre-tool") && !slices.Contains(h.Events, "post-tool") {
		f.add(at+".tools", "no event of a tool is among the events")
	}
	f.one(at+".mode", h.Mode, modes...)
	if h.Timeout < 0 || h.Timeout > maxHookTimeout {
		f.add(at+".timeout", "%s, want at most %s", h.Timeout, maxHookTimeout)
	}
	if h.Failure != "" {
		f.one(at+".failure", h.Failure, "open", "ask", "closed")
	}
	h.checkExit(at+".exit", f)
}

// checkExit asks for a code that allows: without one the hook could only block or
// fail.
func (h Hook) checkExit(at string, f *faults) {
	allows := len(h.Exit) == 0
	for code, what := range h.Exit {
		key := fmt.Sprintf("%s.%d", at, code)
		f.one(key, what, "allow", "ask", "block")
		if code < 0 || code > 255 {
			f.add(key, "no exit code: want 0 to 255")
		}
		if what == "ask" && !slices.Contains(h.Events, "pre-tool") {
			f.add(key, "ask: only a call of a tool can be put to the user, and pre-tool is not among the events")
		}
		allows = allows || what == "allow"
	}
	if !allows {
		f.add(at, "no exit code allows")
	}
}

// rooted reports an absolute path of any system: a bundle is made on one and runs
// on another.
func rooted(p string) bool {
	return strings.HasPrefix(p, "/") || len(p) > 2 && p[1] == ':' && (p[2] == '/' || p[2] == '\\')
}

func (f *faults) one(field, got string, want ...string) {
	if !slices.Contains(want, got) {
		f.add(field, "%q, want one of %s", got, strings.Join(want, ", "))
	}
}
