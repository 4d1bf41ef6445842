package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"mvdan.cc/sh/v3/shell"

	"github.com/agenthooks/hookctl/home"
)

// everyCommand calls f for every command that people see.
func everyCommand(c *cobra.Command, f func(*cobra.Command)) {
	f(c)
	for _, sub := range c.Commands() {
		if !sub.Hidden && sub.Name() != "help" && sub.Name() != "completion" {
			everyCommand(sub, f)
		}
	}
}

func TestEveryCommandExplainsItself(t *testing.T) {
	seen := 0
	everyCommand(newRoot(testEnv(t)), func(c *cobra.Command) {
		seen++
		name := c.CommandPath()
		if c.Short == "" || strings.HasSuffix(c.Short, ".") || len(c.Short) > 80 {
			t.Errorf("%s: short help %q: want one line of at most 80 characters without a full stop", name, c.Short)
		}
		if !strings.Contains(c.Example, "  hookctl ") && !strings.Contains(c.Example, "| hookctl ") {
			t.Errorf("%s has no example: %q", name, c.Example)
		}
		for line := range strings.Lines(c.Example) {
			if !strings.HasPrefix(line, "  ") {
				t.Errorf("%s: example %q is not indented", name, line)
			}
		}
		for line := range strings.Lines(c.Long) {
			if n := len([]rune(strings.TrimRight(line, "\n"))); n > 90 {
				t.Errorf("%s: a line of the help is %d characters long: %q", name, n, line)
			}
		}
	})
	if seen < 14 {
		t.Errorf("%d commands were seen, want all of them", seen)
	}
}

// The examples of the help are command lines that parse.
func TestExamplesParse(t *testing.T) {
	everyCommand(newRoot(testEnv(t)), func(c *cobra.Command) {
		for line := range strings.Lines(c.Example) {
			for _, part := range strings.FieldsFunc(line, func(r rune) bool { return r == '|' || r == '&' }) {
				part, _, _ = strings.Cut(strings.TrimSpace(part), "  ") // a remark
				words, err := shell.Fields(part, func(string) string { return "" })
				if err != nil {
					t.Errorf("%s: example %q: %v", c.CommandPath(), part, err)
				}
				if len(words) == 0 || words[0] != "hookctl" {
					continue
				}
				root := newRoot(testEnv(t))
				cmd, rest, err := root.Find(words[1:])
				if err != nil {
					t.Errorf("%s: example %q: %v", c.CommandPath(), part, err)
					continue
				}
				err = cmd.ParseFlags(rest)
				if err == nil {
					err = cmd.ValidateArgs(cmd.Flags().Args())
				}
				if err == nil {
					err = cmd.ValidateRequiredFlags()
				}
				if err != nil {
					t.Errorf("%s: example %q: %v", c.CommandPath(), part, err)
				}
			}
		}
	})
}

// Every command's help goes to standard output, and is no error.
func TestHelpOfEveryCommand(t *testing.T) {
	everyCommand(newRoot(testEnv(t)), func(c *cobra.Command) {
		e := testEnv(t)
		args := strings.Fields(c.CommandPath() + " --help")[1:]
		if code := run(args, e); code != 0 {
			t.Errorf("%q: exit %d", args, code)
		}
		out, errs := e.out.(*bytes.Buffer).String(), e.err.(*bytes.Buffer).String()
		if !strings.Contains(out, "Usage:") || !strings.Contains(out, "Examples:") || errs != "" {
			t.Errorf("%q: no usage or no examples on stdout, or something on stderr:\n%s\n%s", args, out, errs)
		}
	})
}

func TestCompletions(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		e := testEnv(t)
		if code := run([]string{"completion", shell}, e); code != 0 {
			t.Errorf("%s: exit %d: %s", shell, code, e.err)
		}
		if out := e.out.(*bytes.Buffer).String(); !strings.Contains(out, "hookctl") || !strings.Contains(out, "__complete") {
			t.Errorf("%s: no completion:\n%.200s", shell, out)
		}
	}
	e := testEnv(t)
	run([]string{"__complete", "bundle", ""}, e)
	if out := e.out.(*bytes.Buffer).String(); !strings.Contains(out, "lock\t") || !strings.Contains(out, "sign\t") || strings.Contains(out, "compile") {
		t.Errorf("completion of bundle: %s", out)
	}
}

// testEnv is a process's surroundings without a process.
func testEnv(t *testing.T) *env {
	dir := t.TempDir()
	e := stdio()
	e.in, e.out, e.err = strings.NewReader(""), &bytes.Buffer{}, &bytes.Buffer{}
	e.getenv = func(string) string { return "" }
	e.dir, e.user = dir, dir
	e.home = home.Dir(filepath.Join(dir, ".hookctl"))
	return e
}
