package pull

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agenthooks/hookctl/gate/contract"
	"github.com/agenthooks/hookctl/home"
	"github.com/agenthooks/hookctl/install/files"
)

// Machine is the machine that is worked on. One time and one environment serve a
// whole command.
type Machine struct {
	Home    home.Dir
	User    string // the user's home folder, where the agents' settings lie
	Program string // the running hookctl
	Files   *files.Layer
	Getenv  func(string) string
	Now     time.Time
	// Project is the folder of the project that is worked on; "" = none.
	Project string
	// Managed is the folder of the agents' managed settings; "" = where they look.
	Managed string
	// Progress is told each step of long work; nil is silence.
	Progress func(step string)
	// Version of the running program, for the receipts.
	Version string

	scratch string     // where a dry run fetches to; "" = the home
	watch   *stopwatch // of the command that runs; nil = it writes no receipt
}

// step begins a step of long work; detail says more of it to a person.
func (m *Machine) step(name, detail string, args ...any) {
	if m.watch != nil {
		m.watch.next(name)
	}
	if m.Progress != nil {
		m.Progress(strings.TrimSpace(name + " " + fmt.Sprintf(detail, args...)))
	}
}

// Change is one installed file before and after; "" means that it was not there.
type Change struct {
	Path          string
	Before, After string // SHA-256, hex
}

// compiledRules is what the rules are called in a list of changes.
const compiledRules = "rules"

// Places are where the cases' ${HOME} and ${PROJECT} lie: the project is a
// folder that need not exist.
func (m *Machine) Places() contract.Places {
	return contract.Places{Home: m.User, Project: filepath.Join(m.User, "hookctl-contract-project")}
}

// Environ is the small environment that cases run in as processes.
func (m *Machine) Environ() []string {
	env := []string{"HOME=" + m.User}
	for _, k := range []string{"PATH", "LANG", "TMPDIR", "SystemRoot", "TEMP", "TMP", "USERPROFILE"} {
		if v := m.Getenv(k); v != "" {
			env = append(env, k+"="+v)
		}
	}
	return env
}

// hashes are the SHA-256 of every file of a generation, by its path there. The
// compiled rules go by one name, so that they show as changed.
func (m *Machine) hashes(of home.Pointer) map[string]string {
	out := map[string]string{}
	if of.Digest == "" {
		return out
	}
	root, rules := filepath.Clean(m.Home.Generation(of.Digest)), home.RulesFile(of.Rules)
	// What cannot be read is missing in the list; verify says why.
	_ = filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			name := filepath.ToSlash(strings.TrimPrefix(p, root+string(filepath.Separator)))
			switch {
			case name == rules:
				out[compiledRules] = hashFile(p)
			case !home.IsRules(name):
				out[name] = hashFile(p)
			}
		}
		return nil
	})
	return out
}

// hashFile is the SHA-256 of a file, hex, and "" when it cannot be read. Programs
// have tens of megabytes: they are not kept.
func hashFile(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.CopyBuffer(h, f, make([]byte, 256<<10)); err != nil {
		return ""
	}
	return hex.EncodeToString(h.Sum(nil))
}

func hexSum(b []byte) string {
	s := sha256.Sum256(b)
	return hex.EncodeToString(s[:])
}

// changes compares two generations' files.
func changes(before, after map[string]string) []Change {
	var out []Change
	for p, sum := range after {
		if before[p] != sum {
			out = append(out, Change{Path: p, Before: before[p], After: sum})
		}
	}
	for p, sum := range before {
		if _, ok := after[p]; !ok {
			out = append(out, Change{Path: p, Before: sum})
		}
	}
	slices.SortFunc(out, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	return out
}
