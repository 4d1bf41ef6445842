//go:build !windows

package install

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// e10-etxtbsy: the program is replaced while it runs. The running one goes on,
// and the next start is the new one.
func TestE10TextFileBusy(t *testing.T) {
	m := newMachine(t)
	sleep, err := exec.LookPath("sleep")
	if err != nil {
		t.Skip(err)
	}
	data, err := os.ReadFile(sleep)
	if err != nil {
		t.Fatal(err)
	}
	if err := placeBytes(nil, m.home, data); err != nil {
		t.Fatal(err)
	}
	running := exec.Command(m.home.Binary(), "600")
	if err := running.Start(); err != nil {
		t.Skip("the program needs its own name: ", err)
	}
	if err := placeBytes(nil, m.home, []byte("#!/bin/sh\necho new\n")); err != nil {
		t.Error(err)
	}
	out, err := exec.Command(m.home.Binary()).CombinedOutput()
	if err != nil || string(out) != "new\n" {
		t.Errorf("the next start: %q, %v", out, err)
	}
	if err := running.Process.Signal(syscall.Signal(0)); err != nil {
		t.Errorf("the running one has ended: %v", err)
	}
	_ = running.Process.Kill()
	_ = running.Wait()
}

// At no moment is there no program: it is started all the while that it is
// replaced.
func TestProgramIsAlwaysThere(t *testing.T) {
	m := newMachine(t)
	script := func(n int) []byte { return []byte("#!/bin/sh\nexit 0 # " + strings.Repeat("x", n) + "\n") }
	if err := placeBytes(nil, m.home, script(0)); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	var wg sync.WaitGroup
	missing, looked := 0, 0
	wg.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
			}
			if _, err := os.Stat(m.home.Binary()); err != nil {
				missing++
			}
			looked++
			if looked%50 == 0 {
				out, err := exec.Command(m.home.Binary()).CombinedOutput()
				// A child that was forked while the other goroutine wrote holds the file
				// open until its own exec (golang/go#22315); no other process would.
				if err != nil && !errors.Is(err, syscall.ETXTBSY) {
					t.Errorf("%v: %s", err, out)
				}
			}
		}
	})
	for n := range 200 {
		if err := placeBytes(nil, m.home, script(n)); err != nil {
			t.Error(err)
		}
	}
	time.Sleep(time.Millisecond)
	close(done)
	wg.Wait()
	if missing > 0 || looked == 0 {
		t.Errorf("missing in %d of %d looks", missing, looked)
	}
}

// A file that another left under the name that selfupdate writes to is neither
// followed nor written into.
func TestStageProgramFollowsNoLink(t *testing.T) {
	m := newMachine(t)
	m.put(m.path("theirs"), "theirs")
	if err := os.MkdirAll(filepath.Dir(m.home.Binary()), 0o755); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(filepath.Dir(m.home.Binary()), ".hookctl.new")
	if err := os.Symlink(m.path("theirs"), link); err != nil {
		t.Fatal(err)
	}
	if err := placeBytes(nil, m.home, []byte("ELF")); err != nil {
		t.Fatal(err)
	}
	if m.read(m.path("theirs")) != "theirs" || m.read(m.home.Binary()) != "ELF" {
		t.Error("the link was followed")
	}
}
