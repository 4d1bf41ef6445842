package bundle

import (
	"fmt"
	"maps"
	"slices"

	"github.com/agenthooks/hookctl/manifests"
)

// hook is the declared hook of an id, nil when there is none.
func (l *linter) hook(id string) *manifests.Hook {
	for i := range l.execs {
		if l.execs[i].ID == id {
			return &l.execs[i]
		}
	}
	return nil
}

// hooks asks for what proves each executable, and for cases that can reach it.
func (l *linter) hooks(allow, block map[string]int) {
	for i, h := range l.execs {
		at := fmt.Sprintf("$.hooks[%d].id", i)
		if h.Mode == "off" {
			continue
		}
		if allow[h.ID] == 0 {
			l.addAt(Manifest, at, "one-side", "no case in cases/%s/allow: nothing shows what the hook must let through", h.ID)
		}
		if block[h.ID] == 0 {
			l.addAt(Manifest, at, "one-side", "no case in cases/%s/block: nothing shows that the hook blocks at all", h.ID)
		}
	}
	for _, c := range l.cases {
		if h := l.hook(c.Gate); h != nil && !c.IsEvent && !slices.Contains(h.Events, "stop") {
			l.add(c.Path(), 0, "case-event", "a message is sent as a stop, which hook %s does not see: write the event, as .json", h.ID)
		}
	}
	if len(l.execs) > 0 {
		return
	}
	files, err := hookFiles(l.fsys)
	if err != nil {
		return // MakeLock has refused it
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		l.add(name, 0, "hook-idle", "hookctl.yaml declares no hook, so that nothing starts this file")
	}
}
