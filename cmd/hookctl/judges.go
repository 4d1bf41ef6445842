package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/agenthooks/hookctl/gate/direct"
	"github.com/agenthooks/hookctl/gate/judges"
	"github.com/agenthooks/hookctl/manifests"
)

// chosen are the judges of this machine; with an error, those of what could be read.
func (e *env) chosen() (c judges.Chosen, err error) {
	cfg, chosen := direct.Config(e.home)
	if cfg.Fault != "" {
		err = errors.New(cfg.Fault)
	}
	return judges.Chosen{JudgeConfig: chosen, Version: version}, err
}

// only is one judge, by its backend, as config.yaml has it. What can be asked
// without a choice (builtin, none, the agents' programs) need not stand there.
func (e *env) only(backend string) (judges.Chosen, error) {
	if !slices.Contains(manifests.Backends, backend) {
		return judges.Chosen{}, &usageError{fmt.Errorf("--judge %q, want one of %s", backend, strings.Join(manifests.Backends, ", "))}
	}
	alone := func(c manifests.JudgeChoice) (judges.Chosen, error) {
		return judges.Chosen{JudgeConfig: manifests.JudgeConfig{JudgeChoice: c}, Version: version}, nil
	}
	chosen, fault := e.chosen()
	for _, c := range chosen.Choices() {
		if c.Backend == backend {
			return alone(c)
		}
	}
	c := manifests.JudgeChoice{Backend: backend}
	if own := chosen.JudgeChoice; backend == "command" && len(own.Command) > 0 { // it is there, and not in use
		c = own
		c.Backend = backend
	}
	switch {
	case backend == "builtin" || backend == "none":
	case fault != nil:
		return judges.Chosen{}, fault
	case !c.IsAgent() && len(c.Command) == 0:
		return judges.Chosen{}, &usageError{fmt.Errorf("--judge %s: %s names no such judge", backend, e.short(e.home.Config()))}
	}
	return alone(c)
}
