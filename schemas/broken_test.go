package schemas_test

// broken are texts that both refuse, each made of a good one by one fault.
var broken = []struct {
	name, kind, head, good string // name is gates/g.yaml where it says nothing
	texts                  []string
}{
	{"", "hookctl", "", "schema: 1\n", []string{"schema: 2\n", "name: n\n", "schema: one\n"}},
	{"", "hookctl", "schema: 1\n", "requires: 1.2.0\nextends: embedded\ndrop_cases: [{case: a/allow/b, why: w}]\n", []string{
		"requires: 1.2\n", "requires: 01.2.3\n", "requires: 1.2.3-rc1\n", "extends: other\n",
		"drop_cases: [{case: a/allow/b, why: w}]\n", "extends: embedded\ndrop_cases: [{case: a/allow/b}]\n",
		"extends: embedded\ndrop_cases: [{case: a/allow/b, why: ' '}]\n", "extends: embedded\ndrop_cases: [{why: w}]\n",
		"floor: {timeout: 8}\n", "floor: {timeout: soon}\n", "floor: {timeout: -8s}\n", "floor: {demotable: yes}\n",
	}},
	{"", "hookctl", "schema: 1\nhooks:\n  - ", "{id: a-1, file: hooks/a.sh, run: [node], events: [pre-tool], tools: [Bash], mode: warn, timeout: 1.5s, failure: open, exit: {0: allow, 1: ask}}\n", []string{
		"{file: hooks/a, events: [stop], mode: warn}\n", "{id: A, file: hooks/a, events: [stop], mode: warn}\n",
		"{id: a--b, file: hooks/a, events: [stop], mode: warn}\n", "{id: all, file: hooks/a, events: [stop], mode: warn}\n",
		"{id: a, events: [stop], mode: warn}\n", "{id: a, file: a.sh, events: [stop], mode: warn}\n",
		"{id: a, file: 'hooks\\a', events: [stop], mode: warn}\n", "{id: a, file: hooks/a/, events: [stop], mode: warn}\n",
		"{id: a, file: hooks/a, mode: warn}\n", "{id: a, file: hooks/a, events: [], mode: warn}\n",
		"{id: a, file: hooks/a, events: [prompt], mode: warn}\n", "{id: a, file: hooks/a, events: [stop]}\n",
		"{id: a, file: hooks/a, events: [stop], mode: block}\n", "{id: a, file: hooks/a, events: [stop], mode: warn, timeout: 3}\n",
		"{id: a, file: hooks/a, events: [stop], mode: warn, failure: closes}\n", "{id: a, file: hooks/a, events: [stop], mode: warn, run: ['']}\n",
		"{id: a, file: hooks/a, events: [pre-tool], mode: warn, tools: [' ']}\n",
		"{id: a, file: hooks/a, events: [stop], mode: warn, exit: {0: pass}}\n", "{id: a, file: hooks/a, events: [stop], mode: warn, exit: {256: allow}}\n",
		"{id: a, file: hooks/a, events: [stop], mode: warn, exit: {1: block}}\n",
	}},
	{"", "hookctl", "schema: 1\nbinaries:\n  ", "linux/amd64: {path: bin/hookctl}\n", []string{
		"linux: {path: bin/hookctl}\n", "Linux/amd64: {path: bin/hookctl}\n", "linux/amd64: {}\n", "linux/amd64: {path: bin/hookctl, size: 5}\n",
		"linux/amd64: {url: 'https://h/x'}\n", "linux/amd64: {url: 'http://h/x', sha256: 'aa11aa11aa11aa11aa11aa11aa11aa11aa11aa11aa11aa11aa11aa11aa11aa11', size: 5}\n",
		"linux/amd64: {url: 'https://h/x?t=1', sha256: 'aa11aa11aa11aa11aa11aa11aa11aa11aa11aa11aa11aa11aa11aa11aa11aa11', size: 5}\n",
		"linux/amd64: {url: 'https://h/x', sha256: aa, size: 5}\n", "linux/amd64: {url: 'https://h/x', sha256: 'aa11aa11aa11aa11aa11aa11aa11aa11aa11aa11aa11aa11aa11aa11aa11aa11', size: 0}\n",
		"linux/amd64: {path: bin/x, url: 'https://h/x', sha256: 'aa11aa11aa11aa11aa11aa11aa11aa11aa11aa11aa11aa11aa11aa11aa11aa11', size: 5}\n",
		"linux/amd64: {path: bin/x, url: 'https://h/x'}\n",
	}},
	{"", "gate", "", "schema: 1\nid: g\nevents: [stop]\nmode: warn\nsignals: {en: [probably due]}\nfeedback: {en: f}\n", []string{
		"id: g\nevents: [stop]\nmode: warn\nsignals: {en: [probably due]}\nfeedback: {en: f}\n",
		"schema: 1\nevents: [stop]\nmode: warn\nsignals: {en: [probably due]}\nfeedback: {en: f}\n",
		"schema: 1\nid: g\nmode: warn\nsignals: {en: [probably due]}\nfeedback: {en: f}\n",
		"schema: 1\nid: g\nevents: []\nmode: warn\nsignals: {en: [probably due]}\nfeedback: {en: f}\n",
		"schema: 1\nid: g\nevents: [session-start]\nmode: warn\nsignals: {en: [probably due]}\nfeedback: {en: f}\n",
		"schema: 1\nid: g\nevents: [stop]\nsignals: {en: [probably due]}\nfeedback: {en: f}\n",
		"schema: 1\nid: g\nevents: [stop]\nmode: block\nsignals: {en: [probably due]}\nfeedback: {en: f}\n",
		"schema: 1\nid: g\nevents: [stop]\nmode: warn\nfeedback: {en: f}\n",
		"schema: 1\nid: g\nevents: [stop]\nmode: warn\nsignals: {fr: [probably due]}\nfeedback: {en: f}\n",
		"schema: 1\nid: g\nevents: [stop]\nmode: warn\nsignals: {en: [probably due]}\n",
		"schema: 1\nid: g\nevents: [stop]\nmode: warn\nsignals: {en: [probably due]}\nfeedback: {de: f}\n",
		"schema: 1\nid: g\nevents: [stop]\nmode: warn\nsignals: {en: [probably due]}\nfeedback: {en: ''}\n",
		"schema: 1\nid: g\nevents: [stop]\nmode: warn\nsubagent: some\nsignals: {en: [probably due]}\nfeedback: {en: f}\n",
	}},
	{"", "gate", "schema: 1\nid: g\nevents: [stop]\nmode: warn\nsignals: {en: [probably due]}\nfeedback: {en: f}\n", "evidence: [{kind: k, scope: block, patterns: {en: [measured]}}]\njudge: {fields: [{name: guess_1, verdict: blocks, when: w}]}\n", []string{
		"evidence: [{scope: block, patterns: {en: [measured]}}]\n", "evidence: [{kind: k, patterns: {en: [measured]}}]\n",
		"evidence: [{kind: k, scope: turn, patterns: {en: [measured]}}]\n", "evidence: [{kind: k, scope: block, patterns: {xx: [measured]}}]\n",
		"judge: {fields: []}\n", "judge: {prompt: {en: p}}\n", "judge: {fields: [{name: a, verdict: allows}]}\n", "judge: {fields: [{name: a}]}\n",
		"judge: {fields: [{name: A, verdict: blocks}]}\n", "judge: {fields: [{verdict: blocks}]}\n", "judge: {fields: [{name: a, verdict: block}]}\n",
		"judge: {prompt: {fr: p}, fields: [{name: a, verdict: blocks}]}\n", "judge: {counter_examples: {fr: [c]}, fields: [{name: a, verdict: blocks}]}\n",
	}},
	{"", "gate", "schema: 1\nid: g\nevents: [pre-tool]\nmode: enforce\nfeedback: {en: f}\ncommands:\n  - ", "{id: c, why: w, verdict: ask, any: [{run: [git push], flags: [-f], none: [-n], args: [x], env: [A=1], config: [k], branches: [main], refspecs: ['+*']}]}\n", []string{
		"{why: w, any: [{run: [x]}]}\n", "{id: c, any: [{run: [x]}]}\n", "{id: c, why: w}\n", "{id: c, why: w, any: []}\n",
		"{id: c, why: w, verdict: allow, any: [{run: [x]}]}\n", "{id: c, why: w, any: [{flags: [-f]}]}\n", "{id: c, why: w, any: [{run: []}]}\n",
	}},
	{"gates/handoff.yaml", "gate", "schema: 1\nid: handoff\nextends: embedded\n", "subagent: warn\nadd: {signals: {en: [time to land]}, evidence: [{kind: k, scope: block, patterns: {en: [measured]}}], protect: [a], commands: [{id: c, why: w, any: [{run: [x]}]}]}\nremove: {languages: [ko]}\n", []string{
		"", "add: {}\n", "mode: block\n", "subagent: some\n", "add: {signals: {en: []}}\n", "add: {signals: {en: ['']}}\n", "add: {signals: {fr: [x]}}\n",
		"add: {evidence: [{kind: past}]}\n", "add: {evidence: [{patterns: {en: [x]}}]}\n", "add: {evidence: [{kind: k, scope: turn, patterns: {en: [x]}}]}\n",
		"add: {feedback: {en: ' '}}\n", "add: {prompt: {en: p}}\n", "add: {protect: ['']}\n", "remove: {languages: [fr]}\n", "remove: {languages: ['']}\n",
		"remove: {feedback: {en: x}}\n", "remove: {commands: [{id: c}]}\n", "remove: {evidence: [{scope: block}]}\n", "events: [stop]\nmode: warn\n",
	}},
	{"gates/handoff.yaml", "gate", "id: handoff\nmode: warn\n", "schema: 1\nextends: embedded\n", []string{"schema: 2\nextends: embedded\n", "schema: 1\nextends: other\n", "extends: embedded\n"}},
	{"", "case", "", "why: w\nsource: s\nevent: {stop_hook_active: true, cwd: null}\njudge: {new_proposal: false}\n", []string{
		"reason: w\n", "event: stop\n", "judge: [true]\n", "- why: w\n", "why: {a: b}\n",
	}},
	{"", "config", "", "judge: {backend: openai, model: m, endpoint: 'http://127.0.0.1:1/v1', key_env: K, timeout: 8s, fallback: [builtin, {backend: command, command: [x, y]}]}\nloop: {blocks: 3}\n", []string{
		"judge: {backend: gpt}\n", "judge: {backend: command}\n", "judge: {backend: command, command: []}\n", "judge: {backend: claude, command: [a, b]}\n",
		"judge: {backend: openai}\n", "judge: {backend: openai, model: ''}\n", "judge: {backend: anthropic, model: m, command: [x]}\n",
		"judge: {backend: openai, model: m, env: [X]}\n", "judge: {backend: openai, model: m, key_env: A, key_file: b}\n",
		"judge: {backend: openai, model: m, key_env: $KEY}\n", "judge: {backend: openai, model: m, endpoint: 'ftp://h'}\n",
		"judge: {backend: openai, model: m, endpoint: 'https://h/v1?key=1'}\n", "judge: {backend: claude, key_env: K}\n",
		"judge: {backend: command, command: [x], endpoint: 'https://h'}\n", "judge: {backend: gemini, key_file: k}\n",
		"judge: {timeout: 8}\n", "judge: {timeout: -8s}\n", "judge: {timeout: 8 s}\n",
		"judge: {fallback: builtin}\n", "judge: {fallback: [none]}\n", "judge: {fallback: [claud]}\n", "judge: {fallback: [{backend: openai}]}\n",
		"judge: {fallback: [{backend: builtin, fallback: [builtin]}]}\n",
		"loop: {blocks: 10}\n", "loop: {blocks: -1}\n", "loop: {blocks: many}\n", "demote: {gate: g}\n", "protect: ['~/.claude']\n",
	}},
	{"", "scenario", "title: t\n", "requests: [{tool: Write, file: a, content: x}]\n", []string{
		"", "requests: []\n", "requests: [{file: a}]\n", "requests: [{tool: Wirte, file: a}]\n",
		"requests: [{tool: Write, file: a}]\npolicy: maybe\n", "requests: [{tool: Write, file: a}]\nperson: agree\n",
		"requests: [{tool: Write, file: a}]\nagent: emacs\n", "requests: [{tool: Write, file: a}]\nregistrations: [{callback: {answer: deny}}]\n",
		"requests: [{tool: Write, file: a}]\nregistrations: [{event: pre-tool}]\n", "requests: [{tool: Write, file: a}]\nregistrations: [{event: pre-tool, callback: {answer: no}}]\n",
		"requests: [{tool: Write, file: a}]\nexpect: {attempts: two}\n",
	}},
}
