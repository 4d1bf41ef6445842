package doctor

import "slices"

// Code is what there is to say of every finding of one kind.
type Code struct {
	Why  string // it matters
	Mend string // where the finding itself has none
}

// Codes are the names of all codes, those of hookctl's own state included.
func Codes() []string {
	var names []string
	for name := range codes() {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Of is what there is to say of a code.
func Of(code string) Code { return codes()[code] }

// codes never lose a name and none changes its meaning: scripts compare them.
func codes() map[string]Code {
	return map[string]Code{
		// The file as a whole.
		"unreadable":      {"the agent cannot read it either, and says nothing", "make it a regular file that you may read"},
		"invalid":         {"an agent that cannot parse a settings file goes on without any of its hooks", "mend the place that is named"},
		"bom":             {"some programs read a file with a byte order mark, others take it for garbage", "save the file without one"},
		"not-strict-json": {"a file with comments counts as broken: all its hooks are off", "take the comments and the trailing commas out"},
		"duplicate-key":   {"agents read the last of two keys of the same name, and editors often the first", "make one of the two"},
		"unknown-key":     {"the agent refuses a file with a key that it does not know, and with it all hooks", "move the key to the file that it belongs to"},
		"wrong-type":      {"a value of a wrong type is passed over, in some agents with the whole file", "write a value of the type that is named"},
		"symlink":         {"the agent refuses linked settings, so that none of the hooks runs", "put the file itself there"},
		// Switches.
		"disable-all-hooks": {"one switch turns every hook of every file off", "take the line out"},
		"hook-disabled":     {"a hook that the agent's own list names is skipped without a word", "take the name out of the list"},
		"managed-only":      {"the organisation's settings keep all other hooks from running", "ask whoever manages this machine, or register there: hookctl install --scope managed"},
		"environment":       {"a variable that settings hand to hooks can switch them off or show them another machine", "take the line out"},
		// Trust.
		"untrusted-folder": {"in a folder that is not trusted the agent runs no hook, and headless runs say nothing", "start the agent in the folder and trust it"},
		"codex-untrusted":  {"Codex skips a hook until it is approved, and codex exec says nothing", "start codex, open /hooks and approve the hooks"},
		"codex-disabled":   {"a hook that was switched off in /hooks stays off", "start codex, open /hooks and switch the hook on"},
		// One hook.
		"unknown-event":   {"a hook on an event that does not exist never runs", "write an event of the agent"},
		"unknown-type":    {"a hook of a kind that the agent does not know never runs", "write \"command\""},
		"empty-command":   {"nothing is started", "write the command"},
		"matcher-dead":    {"a matcher that fits no tool keeps its hook from ever running", "write the tool's name as the agent calls it, or leave the matcher out"},
		"matcher-unknown": {"a matcher that fits no known tool is most often a slip", "compare it with the tool's name in the agent's documentation"},
		"matcher-ignored": {"the hook runs each time, not only when the matcher fits", "take the matcher out"},
		"timeout":         {"a hook that is ended before it has answered decides nothing: agents go on", "write a longer timeout"},
		"timeout-unit":    {"agents count in different units: 30 can be half a minute or an instant", "write the number in the agent's unit"},
		"if-without-tool": {"a condition on a tool is never true where there is no tool", "take the line out"},
		"field-ignored":   {"the agent passes over a field that it does not know", "take the line out"},
		"async":           {"the agent does not wait for the answer, so that it cannot block", "take \"async\" out"},
		"once":            {"the field has no effect in settings", "take the line out"},
		// Between hooks.
		"registered-twice": {"the hook runs twice for one event: twice the time, and answers that can differ", "leave one of the two"},
		"home-as-project":  {"in the home folder the user's settings are the project's as well, and hooks can run twice", "start the agent in a project's folder"},
		"not-read":         {"hooks that all rely on do not run in a session that begins in a folder below", "start the agent in the root of the repository"},
		"gate-after-tool":  {"after the tool it is too late to deny: the change is made", "register it before the tool"},
		"exit-2-ignored":   {"on this event the agent takes exit code 2 for a fault and goes on", "print {\"decision\":\"block\",\"reason\":\"…\"} and exit with 0"},
		// The program.
		"program-missing": {"a hook whose program cannot be started decides nothing: most agents go on", "put the program there, or take the hook out"},
		"program-path":    {"agents that a desktop, an editor or a timer starts do not have the PATH of your shell", "write the whole path"},
		"not-executable":  {"the system refuses to start it, and most agents go on", "chmod +x FILE"},
		"unquoted-space":  {"the shell cuts the path at the space and starts something else, or nothing", "quote the path"},
		"relative-path":   {"hooks run in the folder that the agent has changed to", "write \"$CLAUDE_PROJECT_DIR\"/ before it"},
		"carriage-return": {"the system looks for an interpreter whose name ends in a carriage return, and finds none", "take the carriage returns out: sed -i 's/\\r$//' FILE"},
		"world-writable":  {"any user of this machine can put another program in the hook's place", "chmod o-w FILE"},
		"profile-noise":   {"Codex starts hooks in a login shell: what the profile prints stands before the answer, which is then no JSON", "print to standard error, or only where there is a terminal"},
		"home-missing":    {"without a home folder neither the agents' settings nor hookctl's can be told", "export HOME=/home/you"},
		// hookctl itself.
		"not-registered":  {"an agent in whose settings hookctl is missing or differs is not gated as install left it", "hookctl doctor --fix"},
		"no-generation":   {"the hook falls back to the rules that the program carries", "hookctl sync (with a source) or hookctl install"},
		"rules-stale":     {"the hook falls back to older rules", "hookctl sync (with a source) or hookctl install"},
		"program-changed": {"what runs is not what was installed", "hookctl install"},
		"journal":         {"decisions are made, but nobody can see them afterwards", "make the folder writable for you"},
		"judge-missing":   {"every hit that needs the judge passes, with a notice", "install the program, or choose another judge in config.yaml"},
		"config":          {"the hook passes over what config.yaml may not say", "mend the line in config.yaml"},
		"clock":           {"expiry and soak times are measured with this clock", "set the clock"},
		"permissions":     {"others could read the journal, or change what runs", "hookctl doctor --fix"},
	}
}
