package main

import "testing"

func TestRecordInWords(t *testing.T) {
	for want, r := range map[string]explainedRecord{
		"the agent asks for a yes to this: commit; counts against the message":                                      {Action: "commit", Mood: "offer", Actor: "agent"},
		"the agent says that this will be done: push, once something else has come; does not count: a later step":   {Action: "push", Mood: "announce", Actor: "agent", Condition: "event", Excuse: "a later step"},
		"somebody else says that this could be done now: merge, as one of several ways; counts against the message": {Action: "merge", Mood: "ready", Actor: "other", Choice: true},
		"the agent reports this as done: a fix, and it is denied; does not count: x":                                {Action: "fix", Mood: "report", Actor: "agent", Negated: true, Excuse: "x"},
		"the user is asked to do this: 重启; counts against the message":                                              {Action: "重启", Mood: "request", Actor: "user"},
		"this is spoken of: deploy, if the user agrees; counts against the message":                                 {Action: "deploy", Condition: "permission"},
	} {
		if got := r.String(); got != want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
}
