package direct

import (
	"errors"
	"io/fs"

	"github.com/agenthooks/hookctl/gate/hook"
	"github.com/agenthooks/hookctl/home"
	"github.com/agenthooks/hookctl/manifests"
)

// Config is what this machine chose, and the judges that it wants. What cannot be
// read is a fault that the hook tells; the event is judged without.
func Config(d home.Dir) (hook.Config, manifests.JudgeConfig) {
	b, err := home.ReadConfig(d)
	if errors.Is(err, fs.ErrNotExist) {
		return hook.Config{}, manifests.JudgeConfig{}
	}
	if err != nil {
		return hook.Config{Fault: err.Error()}, manifests.JudgeConfig{}
	}
	c, err := manifests.ParseConfig(b)
	cfg := hook.Config{Protect: c.Protect.Paths, Commands: c.Protect.Commands, Blocks: c.Loop.Blocks, Demote: c.Demote}
	if err != nil {
		cfg.Fault = err.Error()
	}
	return cfg, c.Judge
}
