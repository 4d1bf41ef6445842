package hook

import (
	"context"
	"os"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/external"
)

// start starts the bundle's own executables, from the folder that the rules came
// from.
func (r *run) start(ctx context.Context, ev gate.Event, hooks []*gate.Hook) (wait func() []gate.HookAnswer) {
	b := external.Bundle{
		Dir: r.in.Opened.Dir, Files: r.rules.Files, Environ: r.in.Environ, Project: projectRoot(ev.CWD),
		Homes: r.paths().Homes, Inside: r.in.Getenv(external.Mark),
	}
	if b.Environ == nil {
		b.Environ = os.Environ()
	}
	if b.Project == "" {
		b.Project = ev.CWD
	}
	return b.Start(ctx, ev, hooks)
}
