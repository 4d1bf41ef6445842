package manifests

import (
	"errors"
	"fmt"
	"slices"
)

// Guard is a command that no agent is to run.
type Guard struct {
	ID      string `yaml:"id"`
	Why     string `yaml:"why"`               // what is wrong with it, in a few words
	Verdict string `yaml:"verdict,omitempty"` // deny, ask, off; "" = deny
	Any     []Form `yaml:"any"`               // the ways to say it
}

// Form is one way to say a command: of each list that is given one must be there.
// In the patterns * stands for anything.
type Form struct {
	Run      []string `yaml:"run,omitempty,flow"`      // "git push", "terraform destroy"
	Flags    []string `yaml:"flags,omitempty,flow"`    // also out of a cluster, and cut short
	None     []string `yaml:"none,omitempty,flow"`     // flags that make it harmless
	Args     []string `yaml:"args,omitempty,flow"`     // operands
	Env      []string `yaml:"env,omitempty,flow"`      // "NAME=value"
	Config   []string `yaml:"config,omitempty,flow"`   // git settings, "key" or "key=value"
	Branches []string `yaml:"branches,omitempty,flow"` // targets of a git push
	Refspecs []string `yaml:"refspecs,omitempty,flow"` // of a git push, as they stand
	Changes  []string `yaml:"changes,omitempty,flow"`  // files that are there, as under protect; "!*.x" leaves some out
	How      []string `yaml:"how,omitempty,flow"`      // what happens to them: write, delete, move, chmod, link
}

func (g Guard) check(i int) error {
	var errs []error
	at := fmt.Sprintf("commands[%d]", i)
	if g.ID == "" {
		errs = append(errs, errors.New(at+": id is missing"))
	} else {
		at = "command " + g.ID
	}
	if g.Why == "" {
		errs = append(errs, errors.New(at+": why is missing"))
	}
	if g.Verdict != "" {
		errs = append(errs, one("verdict of "+at, g.Verdict, "deny", "ask", "off"))
	}
	if len(g.Any) == 0 {
		errs = append(errs, errors.New(at+": any is empty"))
	}
	for j, f := range g.Any {
		if len(f.Run)+len(f.Env)+len(f.Config)+len(f.Changes) == 0 {
			errs = append(errs, fmt.Errorf("%s: any[%d] needs run, env, config or changes", at, j))
		}
		for _, how := range f.How {
			errs = append(errs, one(fmt.Sprintf("%s: how of any[%d]", at, j), how, "write", "delete", "move", "chmod", "link"))
		}
	}
	return errors.Join(errs...)
}

// withGuards adds guards; one of an id that is there takes its place.
func withGuards(all, add []Guard) []Guard {
	all = slices.Clone(all)
	for _, g := range add {
		if i := slices.IndexFunc(all, func(o Guard) bool { return o.ID == g.ID }); i >= 0 {
			all[i] = g
			continue
		}
		all = append(all, g)
	}
	return all
}

func withoutGuards(f *faults, all []Guard, ids []string) []Guard {
	all = slices.Clone(all)
	for i, id := range ids {
		n := len(all)
		all = slices.DeleteFunc(all, func(g Guard) bool { return g.ID == id })
		if len(all) == n {
			f.add(fmt.Sprintf("remove.commands[%d]", i), "the embedded gate has no command %q", id)
		}
	}
	return all
}
