package contract

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/manifests"
	"github.com/agenthooks/hookctl/manifests/compiled"
)

// TestMain plays the hook when a test runs this program as one.
func TestMain(m *testing.M) {
	switch os.Getenv("CONTRACT_TEST_ANSWER") {
	case "":
		os.Exit(m.Run())
	case "exit 3":
		os.Exit(3)
	case "generic":
		fmt.Fprintln(os.Stderr, "hookctl [g] no")
		os.Exit(2)
	case "echo":
		var e map[string]any
		if json.NewDecoder(os.Stdin).Decode(&e) == nil && e["hookctl_contract"] == true {
			fmt.Print(`{"decision":"block","reason":"hookctl [g] no"}`)
		}
	}
}

func TestMisfit(t *testing.T) {
	block := Outcome{Stdout: []byte(`{"decision":"block","reason":"hookctl [g] \"x\": do y"}`)}
	other := Outcome{Stdout: []byte(`{"decision":"block","reason":"hookctl [h] \"x\": do y"}`)}
	deny := Outcome{Stdout: []byte(`{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"hookctl [g] x"}}`)}
	ask := Outcome{Stdout: []byte(`{"hookSpecificOutput":{"permissionDecision":"ask","permissionDecisionReason":"hookctl could not"}}`)}
	owned := Outcome{Stdout: []byte(`{"hookSpecificOutput":{"permissionDecision":"ask","permissionDecisionReason":"hookctl [g] may it?"}}`)}
	closed := Outcome{Stdout: []byte(`{"decision":"block","reason":"hookctl [g] could not check this: exit code 7"}`)}
	notice := Outcome{Stdout: []byte(`{"systemMessage":"hookctl: the judge did not answer."}`)}
	for _, tt := range []struct {
		name  string
		gate  string
		block bool
		out   Outcome
		pass  bool
	}{
		{"blocks", "g", true, block, true},
		{"denies", "g", true, deny, true},
		{"blocks with exit 2", "g", true, Outcome{Stderr: []byte("hookctl [g] x"), Exit: 2}, true},
		{"another gate blocks", "g", true, other, false},
		{"asks instead", "g", true, ask, false},
		{"a hook asks", "g", true, owned, true},
		{"a hook asks wrongly", "g", false, owned, false},
		{"a hook that failed closed proves nothing", "g", true, closed, false},
		{"nor that it allows", "g", false, closed, false},
		{"is silent instead", "g", true, Outcome{}, false},
		{"a notice instead", "g", true, notice, false},
		{"silent", "g", false, Outcome{}, true},
		{"a notice is no silence", "g", false, notice, false},
		{"stderr is no silence", "g", false, Outcome{Stderr: []byte("x")}, false},
		{"blocks wrongly", "g", false, block, false},
		{"another gate's business", "g", false, other, true},
		{"nobody's business", "all", false, other, false},
		{"asks wrongly", "g", false, ask, false},
		{"garbage", "g", false, Outcome{Stdout: []byte("ok")}, false},
		{"garbage is no block", "g", true, Outcome{Stdout: []byte("[g] block")}, false},
		{"another exit code", "g", false, Outcome{Exit: 1}, false},
		{"a crash is no block", "g", true, Outcome{Exit: -1, Stderr: []byte("[g]")}, false},
		{"exit 2 without a name", "g", true, Outcome{Exit: 2, Stderr: []byte("panic: x")}, false},
	} {
		c := manifests.Case{Name: "g/x/y", Gate: tt.gate, Block: tt.block, Body: []byte("x")}
		rep := Run(t.Context(), []manifests.Case{c}, Places{}, func(context.Context, []byte) (Outcome, error) { return tt.out, nil })
		if res := rep.Results[0]; res.Pass != tt.pass || (res.Detail == "") != tt.pass || rep.Passed+rep.Failed != 1 || (rep.Passed == 1) != tt.pass {
			t.Errorf("%s: %+v", tt.name, res)
		}
	}
	rep := Run(t.Context(), []manifests.Case{{Gate: "g"}}, Places{}, func(context.Context, []byte) (Outcome, error) {
		return Outcome{}, errors.New("no such program")
	})
	if rep.Failed != 1 || len(rep.Failures()) != 1 || rep.Results[0].Detail != "no such program" {
		t.Errorf("a hook that does not run: %+v", rep)
	}
}

func TestEvent(t *testing.T) {
	places := Places{Home: `/home/a "b"`, Project: `C:\p`}
	decode := func(c manifests.Case) map[string]any {
		t.Helper()
		b, err := Event(c, 3, places)
		if err != nil {
			t.Fatal(err)
		}
		var e map[string]any
		if err := json.Unmarshal(b, &e); err != nil {
			t.Fatalf("%v: %s", err, b)
		}
		if e["hookctl_contract"] != true {
			t.Errorf("not marked as a case: %s", b)
		}
		return e
	}
	e := decode(manifests.Case{Body: []byte("line \"1\"\n  \n"), Note: manifests.CaseNote{
		Event: map[string]any{"stop_hook_active": true, "cwd": nil}, Judge: map[string]any{"new_proposal": true},
	}})
	if e["last_assistant_message"] != "line \"1\"\n  \n" || e["stop_hook_active"] != true || e["session_id"] != "hookctl-contract-3" {
		t.Errorf("%v", e)
	}
	if _, there := e["cwd"]; there || e["hookctl_recorded"] == nil {
		t.Errorf("%v", e)
	}
	e = decode(manifests.Case{IsEvent: true, Body: []byte(`{"tool_input":{"file_path":"${HOME}/x"},"cwd":"${PROJECT}"}`)})
	if e["cwd"] != places.Project || e["tool_input"].(map[string]any)["file_path"] != places.Home+"/x" {
		t.Errorf("%v", e)
	}
	if _, err := Event(manifests.Case{Name: "n", IsEvent: true, Body: []byte("[]")}, 0, places); err == nil {
		t.Error("a list is taken for an event")
	}
}

// The embedded cases pass by the embedded rules in process, and fail by rules
// that see nothing or cannot be read: a check that cannot fail proves nothing.
func TestEmbeddedCasesInProcess(t *testing.T) {
	cases, err := manifests.Cases(manifests.Embedded())
	if err != nil || len(cases) < 20 {
		t.Fatalf("%d cases, %v", len(cases), err)
	}
	places := Places{Home: t.TempDir(), Project: t.TempDir()}
	rep := Run(t.Context(), cases, places, InProcess(Candidate{Rules: compiled.Rules()}, places))
	for _, f := range rep.Failures() {
		t.Errorf("%s: %s", f.Case.Name, f.Detail)
	}
	r, err := gate.DecodeRules(compiled.Rules())
	if err != nil {
		t.Fatal(err)
	}
	for i := range r.Gates {
		r.Gates[i].Mode, r.Gates[i].Subagent = gate.Off, gate.Off
	}
	off, err := r.Encode()
	if err != nil {
		t.Fatal(err)
	}
	for name, rules := range map[string][]byte{"off": off, "broken": []byte("{}\n[]"), "empty": {}} {
		rep := Run(t.Context(), cases, places, InProcess(Candidate{Rules: rules}, places))
		for _, res := range rep.Results {
			if res.Case.Block && res.Pass || name == "broken" && res.Pass {
				t.Errorf("%s: %s passes", name, res.Case.Name)
			}
		}
	}
	for i, res := range rep.Results {
		if res.Case.Name != cases[i].Name {
			t.Fatal("the results are not in the order of the cases")
		}
	}
}

func TestProcesses(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cases := []manifests.Case{{Name: "g/block/x", Gate: "g", Block: true, Body: []byte("x")}}
	for answer, pass := range map[string]bool{"echo": true, "generic": true, "exit 3": false} {
		env := append(os.Environ(), "CONTRACT_TEST_ANSWER="+answer)
		if rep := Run(t.Context(), cases, Places{}, Program([]string{exe}, env, "")); rep.Results[0].Pass != pass {
			t.Errorf("%s: %+v", answer, rep.Results[0])
		}
		if strings.ContainsAny(exe, " '") || shell == "" {
			continue
		}
		if rep := Run(t.Context(), cases, Places{}, Shell("'"+exe+"'", env, t.TempDir())); rep.Results[0].Pass != pass {
			t.Errorf("%s through a shell: %+v", answer, rep.Results[0])
		}
	}
	if rep := Run(t.Context(), cases, Places{}, Program([]string{"/nowhere/hookctl"}, nil, "")); rep.Results[0].Pass || rep.Results[0].Detail == "" {
		t.Errorf("a program that is not there: %+v", rep.Results[0])
	}
}
