package pull

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agenthooks/hookctl/gate/contract"
	"github.com/agenthooks/hookctl/manifests"
	"github.com/agenthooks/hookctl/sync/bundle"
)

// How long another program may take: to say its version, to compile a bundle,
// and to run the cases of the bundle that it carries, of which there are hundreds.
const (
	startTimeout   = 20 * time.Second
	compileTimeout = time.Minute
	testTimeout    = 5 * time.Minute
)

// StartError says that the program of a release does not do on this machine what
// it must before it can take over. Nothing of it is in place.
type StartError struct {
	Path   string // as the release names it
	Doing  string // what it was started for
	Why    string
	Killed bool // a signal ended it
}

func (e *StartError) Error() string { return e.Path + ": " + e.Doing + ": " + e.Why }

// tryStart asks a staged program for its version.
func (m *Machine) tryStart(ctx context.Context, program, name string) error {
	m.step("start the program", "")
	return m.start(ctx, startTimeout, program, name, filepath.Dir(program), "--version")
}

// start runs a program that is not in place yet, with a folder of its own for its
// home: it must not take that of the user for one to work in.
func (m *Machine) start(ctx context.Context, timeout time.Duration, program, name, dir string, args ...string) error {
	fail := func(why string, killed bool) error {
		return &StartError{Path: name, Doing: "hookctl " + strings.Join(args, " "), Why: why, Killed: killed}
	}
	o, err := contract.Start(ctx, timeout, append([]string{program}, args...), m.environIn(dir), dir, nil)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return fail(strings.TrimPrefix(err.Error(), "fork/exec "+program+": "), false)
	case o.Signal != "":
		return fail("it was killed (signal: "+o.Signal+")", true)
	case o.Exit != 0:
		return fail(fmt.Sprintf("exit code %d: %s", o.Exit, said(o.Stdout, o.Stderr)), false)
	}
	return nil
}

// environIn is [Machine.Environ] with another folder for home and temporary
// files.
func (m *Machine) environIn(dir string) []string {
	env := slices.DeleteFunc(m.Environ(), func(e string) bool {
		name, _, _ := strings.Cut(e, "=")
		return slices.Contains([]string{"HOME", "USERPROFILE", "TMPDIR", "TEMP", "TMP"}, name)
	})
	for _, name := range []string{"HOME", "USERPROFILE", "TMPDIR", "TEMP", "TMP"} {
		env = append(env, name+"="+dir)
	}
	return env
}

// said is the first line that says something, cut to what fits a message.
func said(texts ...[]byte) string {
	for _, line := range strings.Split(string(bytes.Join(texts, []byte("\n"))), "\n") {
		line = strings.ToValidUTF8(strings.TrimSpace(line), "?")
		line = strings.Map(func(r rune) rune {
			if r < ' ' || r == 0x7f {
				return -1
			}
			return r
		}, line)
		if line != "" {
			return strings.ToValidUTF8(line[:min(len(line), 300)], "")
		}
	}
	return "it says nothing"
}

// rules compiles a release by the program that will run it. The running one does
// it in process.
func (m *Machine) rules(ctx context.Context, v bundle.Verified, e *engine) ([]byte, error) {
	if !e.foreign {
		return encode(v)
	}
	var err error
	if e.work, err = newWork(m.Home.Cache(), v); err != nil {
		return nil, err
	}
	m.step("compile by the program", "")
	dir, out := filepath.Join(e.work, workBundle), filepath.Join(e.work, "rules")
	want, _ := v.Binary(bundle.Platform())
	if err := m.start(ctx, compileTimeout, e.path, want.Where(), e.work,
		"bundle", "compile", "--digest", v.Digest(), "--release", strconv.Itoa(v.Release()), dir, out); err != nil {
		return nil, err
	}
	rules, err := readRules(out)
	if err != nil {
		return nil, &StartError{Path: want.Where(), Doing: "hookctl bundle compile", Why: err.Error()}
	}
	// Of the form only what every version has: it may be newer than this one.
	line, _, _ := bytes.Cut(rules, []byte("\n"))
	var head struct {
		Schema  int    `json:"schema"`
		Bundle  string `json:"bundle"`
		Release int    `json:"release"`
	}
	if err := json.Unmarshal(line, &head); err != nil || head.Schema < 1 || head.Bundle != v.Digest() || head.Release != v.Release() {
		return nil, &StartError{Path: want.Where(), Doing: "hookctl bundle compile", Why: fmt.Sprintf("it made no rules of release %d (%.100q)", v.Release(), line)}
	}
	return rules, nil
}

// maxRules is how many bytes the hook reads of compiled rules.
const maxRules = 16 << 20

func readRules(path string) ([]byte, error) {
	fi, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !fi.Mode().IsRegular() || fi.Size() > maxRules {
		return nil, fmt.Errorf("%d bytes of rules, at most %d expected", fi.Size(), maxRules)
	}
	return os.ReadFile(path)
}

// casesFor are the cases that this program runs: of a bundle that extends, another
// program's base has cases of its own, which that program runs itself.
func casesFor(v bundle.Verified, e *engine) ([]manifests.Case, error) {
	cases, err := manifests.Cases(v.FS())
	if e.foreign {
		cases = slices.DeleteFunc(cases, func(c manifests.Case) bool { return c.Inherited })
	}
	return cases, err
}

// testItself has another program run the cases of a bundle that extends the one
// that it carries, in process and as processes.
func (m *Machine) testItself(ctx context.Context, v bundle.Verified, e *engine) error {
	if !e.foreign || v.Lock().Base == "" {
		return nil
	}
	m.step("test by the program", "")
	want, _ := v.Binary(bundle.Platform())
	return m.start(ctx, testTimeout, e.path, want.Where(), e.work, "test", filepath.Join(e.work, workBundle))
}
