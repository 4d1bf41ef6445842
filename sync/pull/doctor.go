package pull

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/agenthooks/hookctl/gate/generation"
	"github.com/agenthooks/hookctl/install"
	"github.com/agenthooks/hookctl/install/agent"
	"github.com/agenthooks/hookctl/install/doctor"
	"github.com/agenthooks/hookctl/install/settings"
	"github.com/agenthooks/hookctl/manifests"
	"github.com/agenthooks/hookctl/sync/receipt"
)

// Examine names what keeps the hooks of the agents from doing what they seem to
// do, hookctl's and everybody else's. project is the folder whose settings are
// looked at as well.
func (m *Machine) Examine(project string, agents []string) doctor.Report {
	if !filepath.IsAbs(m.User) { // with $HOME not set every path would hang on the working folder
		return doctor.Examine(doctor.World{Project: project, Getenv: m.Getenv})
	}
	w := doctor.World{Home: m.User, Project: project, Root: install.GitRoot(project), Getenv: m.Getenv}
	for _, name := range agents {
		scopes, err := install.Scopes(name, m.where(), project)
		if err != nil {
			continue // an agent that is not known has no files
		}
		for _, s := range scopes {
			w.Files = append(w.Files, doctor.File{Agent: s.Agent, Scope: s.Name, Path: s.Path, Format: s.Format, Foreign: s.Foreign})
		}
	}
	return doctor.Examine(w)
}

// Doctor is Examine, and what is broken of hookctl itself where it is installed.
func (m *Machine) Doctor(project string, agents []string) doctor.Report {
	d := &self{Machine: m, Report: m.Examine(project, agents)}
	if !filepath.IsAbs(m.User) {
		return d.Report // which says so
	}
	inst, err := m.Installed()
	if errors.As(err, new(*NotInstalledError)) {
		if _, err := os.Lstat(m.Home.Store()); err != nil {
			return d.Report
		}
	}
	d.wiring(agents)
	d.generation()
	d.program()
	d.places()
	d.config(inst)
	d.clock()
	return d.Report
}

// self looks at hookctl itself.
type self struct {
	*Machine
	doctor.Report
}

func (d *self) add(code string, s settings.Severity, file, format string, args ...any) {
	c := doctor.Of(code)
	d.Findings = append(d.Findings, doctor.Finding{Severity: s, Code: code, File: file, Text: fmt.Sprintf(format, args...), Why: c.Why, Mend: c.Mend})
}

// wiring asks whether hookctl is registered as install has registered it. What
// already has a finding in that file is not said again.
func (d *self) wiring(agents []string) {
	for _, t := range d.registered() {
		if !slices.Contains(agents, t.Agent) {
			continue
		}
		problems, _ := t.Wired() // a file that cannot be read is a finding already
		for _, p := range problems {
			if d.said(p.Path, p.Text) {
				continue
			}
			d.add("not-registered", settings.Error, p.Path, "%s", p.Text)
			d.Findings[len(d.Findings)-1].Agent = t.Agent
		}
	}
}

// said reports whether a finding of the file is about the same thing.
func (d *self) said(file, text string) bool {
	return slices.ContainsFunc(d.Findings, func(f doctor.Finding) bool {
		return f.File == file && (f.Code == "registered-twice" && strings.Contains(text, "twice") || f.Path != "" && strings.Contains(text, f.Path))
	})
}

// generation asks which rules the hook would open now.
func (d *self) generation() {
	o := generation.Open(d.Home)
	for _, fault := range o.Faults {
		code := "rules-stale"
		if strings.HasSuffix(fault, d.Home.Current()+" is missing") || strings.HasPrefix(fault, d.Home.Current()) {
			code = "no-generation"
		}
		d.add(code, settings.Error, d.Home.Current(), "%s; the %s rules serve", fault, o.From)
	}
}

func (d *self) program() {
	v := &Verification{}
	d.verifyProgram(v)
	for _, p := range v.Problems {
		d.add("program-changed", settings.Error, p.Path, "%s", p.Text)
	}
}

// places asks whether hookctl may write where it must, and nobody else may.
func (d *self) places() {
	state := d.Home.State(d.Getenv)
	for _, dir := range []string{state.Journal(), state.Cache()} {
		fi, err := os.Stat(dir)
		switch {
		case errors.Is(err, os.ErrNotExist):
		case err != nil || !fi.IsDir():
			d.add("journal", settings.Error, dir, "is no folder")
		case runtime.GOOS != "windows" && (fi.Mode()&0o300 != 0o300 || !mayWrite(dir)):
			d.add("journal", settings.Error, dir, "may not be written, mode %04o", fi.Mode().Perm())
		}
	}
	for _, path := range []string{string(d.Home), filepath.Dir(d.Home.Binary()), d.Home.Store()} {
		if fi, err := os.Stat(path); err == nil && runtime.GOOS != "windows" && fi.Mode()&0o022 != 0 {
			d.add("permissions", settings.Error, path, "others may write it, mode %04o", fi.Mode().Perm())
		}
	}
}

// config asks what config.yaml says that does not hold, and whether the judge that
// it names is there.
func (d *self) config(inst Installed) {
	v := &Verification{}
	d.verifyConfig(v, inst)
	for _, p := range v.Problems {
		s := settings.Error
		if p.Warn {
			s = settings.Note
		}
		d.add("config", s, p.Path, "%s", p.Text)
	}
	c, err := d.Machine.config()
	if err != nil {
		return // said above, or there is none
	}
	for _, j := range c.Judge.Choices() {
		d.judge(j)
	}
}

// judge asks whether a judge can be asked at all.
func (d *self) judge(j manifests.JudgeChoice) {
	program := ""
	switch {
	case len(j.Command) > 0:
		program = j.Command[0]
	case j.IsAgent():
		a, _ := agent.Lookup(j.Backend)
		program = a.Program
	}
	if program != "" && !onPath(program, d.Getenv("PATH")) {
		d.add("judge-missing", settings.Error, d.Home.Config(), "the judge %s is to be asked, and there is no %s", j.Backend, program)
	}
	if j.KeyFile != "" {
		if _, err := os.Stat(j.KeyFile); err != nil {
			d.add("judge-missing", settings.Error, d.Home.Config(), "the key of the judge %s: %v", j.Backend, err)
		}
	} else if j.KeyEnv != "" && d.Getenv(j.KeyEnv) == "" {
		d.add("judge-missing", settings.Warning, d.Home.Config(), "the judge %s wants its key in %s, which is not set here", j.Backend, j.KeyEnv)
	}
}

// onPath reports whether a program can be found.
func onPath(program, path string) bool {
	dirs := filepath.SplitList(path)
	if filepath.Base(program) != program {
		dirs = []string{""}
	}
	for _, dir := range dirs {
		for _, ext := range []string{"", ".exe", ".cmd"} {
			if fi, err := os.Stat(filepath.Join(dir, program+ext)); err == nil && fi.Mode().IsRegular() && (runtime.GOOS == "windows" || fi.Mode()&0o111 != 0) {
				return true
			}
		}
	}
	return false
}

// slack is what two clocks may differ.
const slack = 5 * time.Minute

// clock compares the time with what must have come before it.
func (d *self) clock() {
	last, err := receipt.Last(d.Home)
	if err == nil && d.Now.Add(slack).Before(last.Time) {
		d.add("clock", settings.Error, receipt.Folder(d.Home), "it is %s here, and the last receipt was written at %s", d.Now.UTC().Format(time.RFC3339), last.Time.UTC().Format(time.RFC3339))
	}
}
