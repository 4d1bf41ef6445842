// Package hookctl is the map of this program, and nothing that acts. hookctl is
// the hook that coding agents run when they stop and before and after a tool
// call, and it is what brings a changed hook to every machine: install, sync
// from a protected Git branch, verify.
//
// Imports point down only: cmd -> sync -> install -> manifests, and cmd, sync ->
// gate. gate and install do not know each other. The table of allowed arrows is
// arch_test.go; a new arrow or a new package is a changed line there.
//
// # The top
//
// cmd/hookctl is the program: one file a verb, flags, streams, exit codes, and
// the one place where an error meets advice. It holds no policy.
//
// # The gate
//
// gate holds the nouns: the event, the compiled rules, the verdict and its
// trace, the verdict formula and the literal prefilter. It is pure and light.
//
// gate/decide is the one decision path, from an event and rules to a verdict.
// The hook, explain, test and verify all call it, so that none of them can tell
// another story. What it needs of the machine is handed to it.
//
// gate/hook is the full path of `hookctl gate`: it opens the rules, reads the
// transcript, wires the judge, the loop breaker and the journal around
// gate/decide, and sees to it that no fault of ours blocks an agent.
//
// gate/early answers, before the rest of the program is initialised, the events
// that no gate can have anything to say about. It imports light packages only
// and holds no rule of its own.
//
// gate/direct answers, before main, the events that gate/early has left, but for
// stops that another judge than builtin may have to decide. It reads what the machine
// has chosen and calls gate/hook.
//
// gate/generation opens the rules that are in force: the current generation,
// else the previous one, else the embedded bundle, each step visible. What is
// parsed is what was hashed.
//
// gate/host speaks the agents' dialects: their bytes to an event, a verdict to
// the bytes and the exit code that each of them honours.
//
// gate/transcript reads the tail of an agent's transcript: backwards, bounded,
// settled. It never reads a whole one.
//
// gate/prose reads a message as Markdown and tells the assistant's own speech
// from what it only shows or quotes.
//
// gate/shell reads a command line as bash would and tells the commands that it runs
// and the files that they would change. What only the run can tell is marked.
//
// gate/judge asks layer 2: it frames the text as data, runs the backend, and
// accepts nothing but a verdict in the agreed form.
//
// gate/judge/api asks judges that are services, over HTTPS or on this machine. A
// key goes to the one host that it is pinned to, and no redirect is followed.
//
// gate/judge/cli asks the programs of coding agents, with everything switched off
// that they would do beside answering.
//
// gate/judge/panel decides which judges are asked, and in which order: answers are
// remembered, and one that has failed again and again is left alone for a while.
//
// gate/judges makes the judges ready that a machine's config.yaml chooses, for
// gate/hook, which by itself knows builtin only.
//
// gate/judge/exam puts contract cases to a judge: does it answer, how fast, and how
// often does it agree.
//
// gate/judge/builtin is the judge that needs no network and no key: it reads the
// sentences that hit by tense, mood, person, condition, negation and question.
//
// gate/external starts the executables that a bundle brings along: hashed in the
// moment before, bounded, and read as data. It never starts a changed one.
//
// gate/child runs one program of others: in a group of its own, its output
// bounded, ended with all that it started. A judge and a hook are run by it.
//
// gate/judge/guard marks a judge's own processes, so that a stop inside one is
// not judged again. It never switches off a tool gate.
//
// gate/redact takes secrets out of text before a judge or the journal sees it.
//
// gate/journal appends the decision log: one JSON line a decision, after the
// answer has gone out.
//
// gate/loop keeps a blocked agent from going round for ever, and a hook that is
// registered twice from answering twice.
//
// gate/contract runs contract cases: in process, and as a process through the
// very command that the agent's settings name.
//
// gate/eval measures gates on labelled messages: precision, recall and false
// blocks, by gate and language. It counts; what is printed is cmd/hookctl's.
//
// gate/shrink finds the smallest part of a message that still does what the whole
// does: blocks, then sentences, then words are left out.
//
// # Files
//
// home owns where things lie on a machine. It is a leaf that all may import.
//
// install puts a verified generation, the program and the agents' settings in
// place, records how to take everything back, and takes it back. Only sync/pull
// may import it, because whoever may can put anything on a machine.
//
// install/files is the one layer under every write of install and sync: whole
// old bytes or whole new bytes, and a test can fail or kill at each operation.
//
// install/agent is the one table of how each agent is wired: its settings files
// in each scope, their form, its names of events, its unit of time, and what it
// does when its hook is missing.
//
// install/settings edits the agents' settings as text, bytes to bytes. Order,
// comments, line ends and everyone else's entries stay.
//
// install/doctor names every way in which an agent's hooks can be silently off:
// in a settings file, between files, in the program that a hook starts, in the
// agent's own trust. It only reads. verify and doctor both ask it.
//
// # Releases
//
// sync is a folder of packages, not a package, so that nothing clashes with the
// standard library's sync.
//
// sync/source reads a Git remote into quarantine. Nothing it returns is trusted.
// It also asks the remote's host whether the branch is protected.
//
// sync/bundle is where bytes become trusted, and nowhere else. A Verified has
// two makers: Verify, after signature, lock and every digest, and Embedded. It
// also compiles, locks and signs a bundle for those who release one.
//
// sync/receipt is the record of what each sync and install did: signed by the
// machine, each with the digest of the one before. It decides nothing.
//
// sync/pull is the sequence: fetch, verify, stage, test, activate, test again;
// any failure leaves or brings back the old generation.
//
// # Proof with real agents
//
// live drives the coding agents of a machine in scratch homes, hookctl installed,
// and tells which of the promises that a gate rests on each of them keeps.
//
// live/model stands in for their model: it speaks four APIs on loopback and says
// what a script tells it to say.
//
// # What if
//
// simulate plays tool requests as an agent would dispatch them, by real hooks and
// real tools in a sandbox folder, and tells what a wiring prevents, only reports, and
// never sees. It decides nothing.
//
// # Data
//
// manifests owns the formats of a bundle's files and the embedded bundle that
// serves when no source is configured. It trusts nothing and decides nothing.
//
// manifests/compiled carries the embedded gates in the compiled form that the
// hook loads. A test goes red when it is stale.
//
// schemas carries the JSON Schemas of the files that people write, for their
// editors. Tests hold each to its reader; the program itself checks nothing by them.
//
// testdata/e2e drives real agents, Claude Code in depth, against live/model.
//
// testdata/scenarios holds the scenarios of simulate, which the program carries.
//
// # Follow one event
//
//  1. The agent ends a turn and runs `hookctl gate` with an event on stdin.
//  2. gate/early is initialised first. gate/judge/guard lets a stop inside a
//     judge's own process through at once.
//  3. gate/host recognises the agent by the payload and makes a gate.Event.
//  4. gate/generation opens the compiled rules in force. When the event carries
//     no final message, gate/transcript reads the settled tail.
//  5. gate.Prefilter looks for literals, gate.Harmless at a command line. None: the
//     answer is silence, the journal gets a line, and the program has ended before
//     main began.
//  6. Otherwise gate/hook goes on, called by gate/direct, or by main where another
//     judge than builtin is chosen. gate/prose cuts the message up, and
//     gate/decide matches signals in the assistant's own speech, then evidence.
//  7. A hit that no evidence frees goes to the judge, redacted. A field that
//     blocks and none that allows is a violation; a judge that fails is a fault,
//     which lets a stop through, visibly.
//     The bundle's own executables for this event run meanwhile, by gate/external.
//  8. gate/loop lets the third block of the same gate in one turn pass.
//  9. All findings become one verdict. gate/host words it, stdout gets it.
//  10. gate/journal appends the line. Nothing waits for it.
//
// # Follow one release
//
//  1. A false block is captured as a case, the gate's file is changed, and both
//     are merged. `hookctl bundle lock` and `sign` make the release.
//  2. `hookctl sync` on a machine: sync/source fetches the branch into quarantine
//     and offers its first-parent commits.
//  3. sync/bundle takes the newest whose lock matches its tree and is signed by a
//     key that this machine trusts. It must descend from the last accepted commit
//     and have a higher release. The outcome is a bundle.Verified.
//  4. sync/pull stages it in the store, compiled, read-only, named by its digest.
//     Where the release brings another hookctl, that is staged beside the installed
//     one, and it is what compiles.
//  5. gate/contract runs the bundle's cases on the staged copy.
//  6. The program, where it changes, and then one small file, current, are each
//     replaced by a rename: the new rules are active. The command in the agents'
//     settings does not change; settings that differ are put right.
//  7. gate/contract runs the cases again, through that very command; where it
//     starts the program and the rules by which all have just passed, a spread.
//  8. sync/receipt records it, last of all. Each changed file is printed with its
//     SHA-256 before and after. If any step failed, the old generation and program
//     stayed or came back.
package hookctl
