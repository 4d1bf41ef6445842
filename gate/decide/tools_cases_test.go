package decide

import (
	"encoding/json"
	"testing"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/manifests"
)

// Every guard of the embedded bundle is shown at work by a case of its own.
func TestEveryGuardHasACase(t *testing.T) {
	cases, err := manifests.Cases(manifests.Embedded())
	if err != nil {
		t.Fatal(err)
	}
	rules := embedded(t)
	shown := map[string]bool{}
	for _, c := range cases {
		var in struct {
			CWD   string          `json:"cwd"`
			Name  string          `json:"tool_name"`
			Input json.RawMessage `json:"tool_input"`
		}
		if c.Gate != "guarded-commands" || !c.Block || json.Unmarshal(c.Body, &in) != nil {
			continue
		}
		_, tr := (&Engine{Rules: rules}).Decide(t.Context(), gate.Event{Kind: gate.PreTool, CWD: in.CWD, Tool: gate.Tool{Name: in.Name, Input: in.Input}})
		for _, g := range tr.Gates {
			for _, h := range g.Hits {
				shown[h.Pattern] = true
			}
		}
	}
	guards := 0
	for _, g := range rules.Gates {
		for _, c := range g.Commands {
			guards++
			if !shown[c.ID] && !c.Off {
				t.Errorf("no case shows the guard %s", c.ID)
			}
		}
	}
	if guards == 0 || !shown["no-verify"] {
		t.Errorf("%d guards, shown %v: nothing was tested", guards, shown)
	}
}
