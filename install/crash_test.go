package install

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"github.com/agenthooks/hookctl/home"
	"github.com/agenthooks/hookctl/install/agent"
	"github.com/agenthooks/hookctl/install/files"
)

// everything is what an install does, in its order.
func everything(l *files.Layer, m machine) (home.Pointer, error) {
	p := home.Pointer{Digest: digest(1), Rules: Sum(rules)}
	held, err := Lock(context.Background(), l, m.home, 10*time.Second)
	if err != nil {
		return p, err
	}
	defer held.Release()
	if err := place(l, m.home, os.Args[0]); err != nil {
		return p, err
	}
	if err := Stage(l, m.home, p.Digest, bundle(), rules); err != nil {
		return p, err
	}
	if _, err := Activate(l, m.home, p); err != nil {
		return p, err
	}
	_, err = Apply(held, l, m.target())
	return p, err
}

// TestMain is also the child process of the tests below: it works on the user
// folder in CHILD and dies at operation CHILD_KILL.
func TestMain(m *testing.M) {
	user := os.Getenv("CHILD")
	if user == "" {
		os.Exit(m.Run())
	}
	kill, _ := strconv.Atoi(os.Getenv("CHILD_KILL"))
	n := 0
	l := &files.Layer{Before: func(files.Op) error {
		if n++; n == kill {
			os.Exit(9)
		}
		return nil
	}}
	mc := at(nil, user)
	target, err := Plan("claude", agent.User, mc.home, Where{Home: user})
	if err == nil {
		switch os.Getenv("CHILD_DOES") {
		case "uninstall":
			err = withLock(l, mc.home, func(held *Held) error {
				_, err := Uninstall(held, l, []Target{target})
				return err
			})
		case "apply":
			err = withLock(l, mc.home, func(held *Held) error {
				_, err := Apply(held, l, target)
				return err
			})
		default:
			err = childInstall(l, mc, target)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

func withLock(l *files.Layer, h home.Dir, do func(*Held) error) error {
	held, err := Lock(context.Background(), l, h, 20*time.Second)
	if err != nil {
		return err
	}
	defer held.Release()
	return do(held)
}

// childInstall is everything for a process that has no testing.TB; the binary is
// a small file.
func childInstall(l *files.Layer, m machine, target Target) error {
	p := home.Pointer{Digest: digest(1), Rules: Sum(rules)}
	return withLock(l, m.home, func(held *Held) error {
		if err := place(l, m.home, m.path("hookctl")); err != nil {
			return err
		}
		if err := Stage(l, m.home, p.Digest, bundle(), rules); err != nil {
			return err
		}
		if _, err := Activate(l, m.home, p); err != nil {
			return err
		}
		_, err := Apply(held, l, target)
		return err
	})
}

func child(m machine, does string, kill int) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "CHILD="+m.user, "CHILD_DOES="+does, "CHILD_KILL="+strconv.Itoa(kill))
	return cmd
}

func exitCode(t testing.TB, cmd *exec.Cmd) int {
	t.Helper()
	out, err := cmd.CombinedOutput()
	if e, ok := errors.AsType[*exec.ExitError](err); ok {
		if e.ExitCode() != 9 {
			t.Logf("child: %s", out)
		}
		return e.ExitCode()
	}
	if err != nil {
		t.Fatal(err)
	}
	return 0
}

// TestKilled kills an install, and then an uninstall, at each operation in turn.
// The settings are the old ones or the new ones, the pointer names a complete
// generation or there is none, the binary is whole or not there; the next run
// mends everything and uninstall gives the bytes back.
func TestKilled(t *testing.T) {
	const before = "{ \"model\": \"a\",\n  \"hooks\": {} }\n"
	fresh := func(t *testing.T) machine {
		m := newMachine(t)
		m.put(m.path("hookctl"), "a program")
		m.put(m.settings(), before)
		return m
	}
	for does, operations := range operationsOf(t, fresh(t)) {
		for n := 1; n <= operations+1; n++ {
			t.Run(fmt.Sprintf("%s at %d", does, n), func(t *testing.T) {
				t.Parallel()
				m := fresh(t)
				if does == "uninstall" {
					if err := childInstall(nil, m, m.target()); err != nil {
						t.Fatal(err)
					}
				}
				want := 9
				if n > operations {
					want = 0 // it was all of them
				}
				if code := exitCode(t, child(m, does, n)); code != want {
					t.Fatalf("exit %d, want %d", code, want)
				}
				checkState(m, "killed", before)
				if err := childInstall(nil, m, m.target()); err != nil || len(own(t, m.read(m.settings()))) != 5 {
					t.Fatalf("the next install: %v", err)
				}
				intact(t, m.home, digest(1))
				m.uninstall()
				if got := m.read(m.settings()); got != before {
					t.Errorf("uninstall gives %q", got)
				}
			})
		}
	}
}

// operationsOf counts the operations of an install and of an uninstall.
func operationsOf(t *testing.T, m machine) map[string]int {
	t.Helper()
	n := 0
	l := &files.Layer{Before: func(files.Op) error { n++; return nil }}
	if err := childInstall(l, m, m.target()); err != nil {
		t.Fatal(err)
	}
	install := n
	err := withLock(l, m.home, func(held *Held) error {
		_, err := Uninstall(held, l, []Target{m.target()})
		return err
	})
	if err != nil || install < 20 || n-install < 5 {
		t.Fatalf("%d operations to install, %d to uninstall, %v", install, n-install, err)
	}
	t.Logf("%d operations to install, %d to uninstall", install, n-install)
	return map[string]int{"install": install, "uninstall": n - install}
}

func checkState(m machine, when, before string) {
	m.Helper()
	text := m.read(m.settings())
	if !json.Valid([]byte(text)) {
		m.Errorf("%s: settings are %q", when, text)
	} else if n := len(own(m, text)); text != before && n != 5 {
		m.Errorf("%s: settings are neither old nor new: %s", when, text)
	}
	if m.read(m.home.Current()) != "<none>" {
		p, err := home.ReadPointer(m.home)
		if err != nil {
			m.Errorf("%s: %v", when, err)
		} else {
			intact(m, m.home, p.Digest)
		}
	}
	if bin := m.read(m.home.Binary()); bin != "<none>" && bin != "a program" {
		m.Errorf("%s: binary is %q", when, bin)
	}
}

// TestFailAtEach fails an install at each operation in turn: an error, the old
// settings or the new, nothing unfinished left behind.
func TestFailAtEach(t *testing.T) {
	const before = "{ \"model\": \"a\",\n  \"hooks\": {} }\n"
	boom := errors.New("boom")
	for n := 0; ; n++ {
		m := newMachine(t)
		m.put(m.path("hookctl"), "a program")
		m.put(m.settings(), before)
		count := 0
		l := &files.Layer{Before: func(files.Op) error {
			if count++; count == n+1 {
				return boom
			}
			return nil
		}}
		err := childInstall(l, m, m.target())
		checkState(m, fmt.Sprintf("failed at %d", n), before)
		m.noTemp()
		if err != nil && !errors.Is(err, boom) {
			t.Fatalf("failed at %d: %v", n, err)
		}
		if count <= n {
			t.Logf("failed at each of %d operations", n)
			return
		}
		if err != nil && m.read(m.settings()) != before {
			t.Errorf("failed at %d: an error, and the settings are new", n)
		}
		if err := childInstall(nil, m, m.target()); err != nil {
			t.Fatalf("failed at %d: the next install: %v", n, err)
		}
		m.uninstall()
		if got := m.read(m.settings()); got != before {
			t.Errorf("failed at %d: uninstall gives %q", n, got)
		}
	}
}

// TestManyAtOnce has eight processes install while a reader watches: the file is
// whole at every moment and in the end there is one entry an event.
func TestManyAtOnce(t *testing.T) {
	m := newMachine(t)
	m.put(m.settings(), `{ "model": "a", "hooks": {} }`)
	const processes = 8
	done := make(chan error, processes)
	for range processes {
		go func() {
			out, err := child(m, "apply", 0).CombinedOutput()
			if err != nil {
				err = fmt.Errorf("%w: %s", err, out)
			}
			done <- err
		}()
	}
	for left := processes; left > 0; {
		if text := m.read(m.settings()); !json.Valid([]byte(text)) {
			t.Fatalf("torn: %q", text)
		}
		select {
		case err := <-done:
			if err != nil {
				t.Error(err)
			}
			left--
		default:
		}
	}
	got := own(t, m.read(m.settings()))
	if got["Stop"] != 1 || len(got) != 5 {
		t.Errorf("own entries %v", got)
	}
	m.uninstall()
	if got := m.read(m.settings()); got != `{ "model": "a", "hooks": {} }` {
		t.Errorf("after Uninstall: %q", got)
	}
}
