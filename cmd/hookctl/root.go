package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/agenthooks/hookctl/home"
)

// env is what a verb may use of the process. Nothing below cmd looks at the
// process's own streams, environment or clock.
type env struct {
	in       io.Reader
	out, err io.Writer
	getenv   func(string) string
	exe      string // the running program
	dir      string // the working folder
	home     home.Dir
	user     string // the user's home folder
	now      time.Time
}

func stdio() *env {
	exe, err := os.Executable()
	if err != nil {
		exe = os.Args[0]
	}
	dir, err := os.Getwd()
	if err != nil {
		dir = "."
	}
	e := &env{in: os.Stdin, out: os.Stdout, err: os.Stderr, getenv: os.Getenv, exe: exe, dir: dir, now: time.Now()}
	e.home = home.Find(exe, os.Getenv)
	e.user = e.home.User()
	if u, err := os.UserHomeDir(); err == nil && (e.user == "" || os.Getenv("HOOKCTL_HOME") != "") {
		e.user = u
	}
	return e
}

// run runs one command line and returns its exit code.
func run(args []string, e *env) int {
	if len(args) > 0 && args[0] == "gate" && !asksHelp(args[1:]) {
		return e.gate(args[1:]) // no flag parser chooses the hook's exit code
	}
	closeToOthers()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	root := newRoot(e)
	root.SetArgs(args)
	c, err := root.ExecuteContextC(ctx)
	return e.report(err, c.CommandPath())
}

func asksHelp(args []string) bool {
	for _, a := range args {
		if a == "-h" || a == "--help" {
			return true
		}
	}
	return false
}

// needHome are the verbs that work on an installation and on the agents' settings,
// which a home that is not known would put into the working folder.
var needHome = []string{"install", "uninstall", "sync", "rollback", "diff", "status", "verify", "blame", "wrong"}

var errHomeless = errors.New("the home folder is not known: HOME (on Windows USERPROFILE), and HOOKCTL_HOME where it is set, must be an absolute path")

func newRoot(e *env) *cobra.Command {
	root := &cobra.Command{
		Use:   "hookctl",
		Short: "Gates for coding agents, and the way they reach every machine",
		Long: `hookctl is the hook of your coding agents, and it brings the reviewed rules of a
Git branch to every machine and proves that they run.

Exit codes: 0 good, 1 a finding, 2 wrong usage or could not tell, 3 refused, 4 held.`,
		Example: `  hookctl demo                      the whole loop in a throw-away home
  hookctl install                   register the gates of this program
  hookctl sync                      fetch, verify and activate the newest release
  hookctl verify                    does what is deployed match, and behave?
  hookctl explain message.md        why does this message block?`,
		SilenceErrors: true, SilenceUsage: true,
		Version: version(),
	}
	root.SetIn(e.in)
	root.SetOut(e.out)
	root.SetErr(e.err)
	root.PersistentPreRunE = func(c *cobra.Command, _ []string) error {
		if slices.Contains(needHome, c.Name()) && c.Parent() == root && (!filepath.IsAbs(string(e.home)) || !filepath.IsAbs(e.user)) {
			return errHomeless
		}
		return nil
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return &usageError{err: err} })
	root.AddGroup(
		&cobra.Group{ID: "machine", Title: "On a machine:"},
		&cobra.Group{ID: "gates", Title: "Working on gates:"},
		&cobra.Group{ID: "bundle", Title: "For the repository that holds the hooks:"},
	)
	for _, group := range []struct {
		id   string
		cmds []*cobra.Command
	}{
		{"machine", []*cobra.Command{demoCmd(e), installCmd(e), syncCmd(e), diffCmd(e), verifyCmd(e), doctorCmd(e), rollbackCmd(e), statusCmd(e), gatesCmd(e), uninstallCmd(e), blameCmd(e), gateCmd(e)}},
		{"gates", []*cobra.Command{testCmd(e), explainCmd(e), compareCmd(e), captureCmd(e), wrongCmd(e), evalCmd(e), judgeCmd(e), simulateCmd(e)}},
		{"bundle", []*cobra.Command{bundleCmd(e)}},
	} {
		for _, c := range group.cmds {
			c.GroupID = group.id
			root.AddCommand(c)
		}
	}
	return root
}

// version is the version of the module, or the commit it was built from.
func version() string {
	bi, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := bi.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range bi.Settings {
		if s.Key == "vcs.revision" {
			return "devel-" + s.Value[:min(12, len(s.Value))]
		}
	}
	return "devel"
}

func (e *env) printf(format string, args ...any) { fmt.Fprintf(e.out, format, args...) }

// note tells a person something that is not the asked-for report.
func (e *env) note(format string, args ...any) {
	fmt.Fprintf(e.err, "hookctl: "+format+"\n", args...)
}

// short shows a path with the user's home as "~".
func (e *env) short(path string) string {
	if rest, err := filepath.Rel(e.user, path); err == nil && !strings.HasPrefix(rest, "..") {
		return filepath.Join("~", rest)
	}
	return path
}

// isTerminal reports whether w is a terminal.
func isTerminal(w any) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// colour reports whether the output is a terminal that wants colour (no-color.org).
func (e *env) colour() bool {
	return isTerminal(e.out) && e.getenv("NO_COLOR") == "" && e.getenv("TERM") != "dumb"
}

// terminal is where a person can be asked. There is none when stdin is not a
// terminal: what runs in the background never asks, whoever started it.
func (e *env) terminal() (io.ReadWriteCloser, bool) {
	if !isTerminal(e.in) {
		return nil, false
	}
	f, err := openTerminal()
	return f, err == nil
}
