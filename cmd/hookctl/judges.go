package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/agenthooks/hookctl/gate/hook"
	"github.com/agenthooks/hookctl/manifests"
)

// only is this machine's configuration with one judge in it, by its backend. What
// can be asked without a choice (builtin, none, the agents' programs) need not
// stand in config.yaml.
func (e *env) only(backend string) (hook.Config, error) {
	if !slices.Contains(manifests.Backends, backend) {
		return hook.Config{}, &usageError{fmt.Errorf("--judge %q, want one of %s", backend, strings.Join(manifests.Backends, ", "))}
	}
	cfg := hookConfig(e.home)
	for _, c := range cfg.Judge.Choices() {
		if c.Backend == backend {
			cfg.Judge = manifests.JudgeConfig{JudgeChoice: c}
			return cfg, nil
		}
	}
	alone := manifests.JudgeChoice{Backend: backend}
	if own := cfg.Judge.JudgeChoice; backend == "command" && len(own.Command) > 0 { // it is there, and not in use
		alone = own
		alone.Backend = backend
	}
	switch {
	case backend == "builtin" || backend == "none":
	case cfg.Fault != "":
		return hook.Config{}, errors.New(cfg.Fault)
	case !alone.IsAgent() && len(alone.Command) == 0:
		return hook.Config{}, &usageError{fmt.Errorf("--judge %s: %s names no such judge", backend, e.short(e.home.Config()))}
	}
	cfg.Judge = manifests.JudgeConfig{JudgeChoice: alone}
	return cfg, nil
}
