package judges_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/judges"
	"github.com/agenthooks/hookctl/home"
	"github.com/agenthooks/hookctl/manifests"
)

// A judge that the bundle's floor does not allow is not asked, also not as a fallback.
func TestFloorOfJudges(t *testing.T) {
	asked := 0 // twice each time: the service is asked again in another shape
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked++
		w.WriteHeader(http.StatusBadRequest)
	}))
	defer service.Close()
	choice := manifests.JudgeChoice{Backend: "openai", Model: "m", Endpoint: service.URL}
	rule := &gate.Rule{ID: "demo", Judge: gate.Judge{Fields: []gate.Field{{Name: "new_proposal", Blocks: true}}}}
	q := gate.Question{Text: "x", Context: "x", Gates: []gate.Asked{{Rule: rule}}}
	for _, tt := range []struct {
		floor  []string
		judges manifests.JudgeConfig
		asked  int
	}{
		{nil, manifests.JudgeConfig{JudgeChoice: choice}, 2},
		{[]string{"openai"}, manifests.JudgeConfig{JudgeChoice: choice}, 4},
		{[]string{"builtin"}, manifests.JudgeConfig{JudgeChoice: choice}, 4},
		{[]string{"builtin", "command"}, manifests.JudgeConfig{JudgeChoice: manifests.JudgeChoice{Backend: "command", Command: []string{"/nowhere"}}, Fallback: []manifests.FallbackJudge{manifests.FallbackJudge(choice)}}, 4},
		{[]string{"claude"}, manifests.JudgeConfig{JudgeChoice: manifests.JudgeChoice{Backend: "none"}}, 4},
	} {
		rules := &gate.Rules{Header: gate.Header{Floor: gate.Floor{Judges: tt.floor}}, Gates: []gate.Rule{*rule}}
		ask := judges.Chosen{JudgeConfig: tt.judges}.Asker(home.Dir(t.TempDir()), rules)
		if ask == nil {
			t.Errorf("floor %v: there is no judge", tt.floor)
			continue
		}
		_, _ = ask(context.Background(), q)
		if asked != tt.asked {
			t.Errorf("floor %v: asked %d times, want %d", tt.floor, asked, tt.asked)
		}
	}
}
