package builtin

import (
	"slices"
	"strings"
)

// A check is reported in one of a few ways, and each has its own reader: a tool
// and its result, a count, a result that stands alone, an absence of errors, a
// verb of trying in the first person, a program that compiles, an output that
// matches. A word of doubt, wish, condition or future voids the clause.

// clausesEN cut a sentence where a doubt beyond the mark does not touch what
// stands before it.
var clausesEN = []string{" ; ", " · ", " — ", " – ", " but ", " , but ", " • ", " | ", " ✅ ", " ✓ ", " , so ", " so i'll ", " , and i'll ", " and i'll "}

// checkedEN reads one clause.
func checkedEN(c string) bool {
	c = namedFailures.Replace(c)
	if explained(c) || redToGreen(c) || has(c, nounsEN) && has(c, []string{" didn't touch ", " found nothing ", " finds nothing ", " no findings ", " nothing to report ", " no complaints ", " without complaint", " reports nothing "}) {
		return true
	}
	if has(c, voidEN) {
		return false
	}
	words := strings.Fields(c)
	return has(c, byHandEN) || counted(c) || has(c, nounsEN) && (has(c, resultsEN) || ofSame(words)) ||
		noneOf(c, words) || triedEN(c, words) || compiles(words) || agreesEN(c)
}

// namedFailures takes out of a clause what names a failure and reports none.
var namedFailures = replacer{pairs: []string{
	" not only ", " ", " only known ", " ", " did not break ", " ", " , unrelated ", " ", " if needed ", " ", " pre-existing failing ", " ", " not related ", " ", " before and after ", " ", " before / after ", " ",
	" failing test ", " test ", " failing tests ", " tests ", " broken test ", " test ", " failing spec ", " spec ", " that failed before ", " ", " that was failing ", " ", " that were failing ", " ", " which failed before ", " ", " previously failed ", " ", " previously failing ", " ", " as expected ", " duly ", " the expected ", " the ",
}}

var (
	nounsEN = []string{
		" test ", " tests ", " suite ", " suites ", " specs ", " spec ", " ci ", " build ", " builds ", " built ", " lint ", " lint's ", " linter ", " linters ", " linting ", " typecheck ", " typechecks ", " type-check ", " type-checks ", " typechecking ", " type checks ", " type checking ", " type checker ", " tsc ", " check ", " checks ",
		" pipeline ", " pipelines ", " workflow ", " e2e ", " hooks ", " vet ", " pytest ", " jest ", " vitest ", " mypy ", " pyright ", " ruff ", " eslint ", " clippy ", " compile ", " compiled ", " compilation ", " compiles ", " compiler ", " typescript ",
		" cmp ", " diff ", " compared ", " comparison ", " golangci-lint ", " gofmt ", " cargo ", " npm ", " pnpm ", " yarn ", " bun ", " make ", " unit ", " integration ", " smoke ", " jobs ", " staticcheck ", " pre-commit ", " validation ", " validate ", " verification ",
		" testsuite ", " counts ", " checksum ", " checksums ", " hashes ", " playwright ", " cypress ", " rspec ", " phpunit ", " swift ", " xcodebuild ", " gradle ", " mvn ", " maven ", " regression ", " terraform ", " shellcheck ", " actionlint ", " biome ", " prettier ", " rubocop ", " dotnet ", " tox ", " smoke-test ", " spell check ", " health check ", " healthcheck ",
	}
	resultsEN = []string{
		" pass ", " passes ", " passed ", " passing ", " green ", " clean ", " cleanly ", " succeed ", " succeeds ", " succeeded ", " success ", " successful ", " successfully ", " ok ", " match ", " matches ",
		" identical ", " no errors ", " no error ", " no failures ", " no warnings ", " no issues ", " no problems ", " zero errors ", " zero failures ", " zero warnings ", " 0 failed ", " 0 failures ", " 0 errors ", " 0 issues ", " 0 warnings ", " 0 problems ", " 0 findings ",
		" without errors ", " without error ", " without warnings ", " without issues ", " without problems ", " without a warning ", " without failures ", " all good ", " ✅ ", " ✓ ", " 100 % ", " completed ", " complete ", " no regressions ", " no differences ", " no difference ", " no changes ", " passe ", " is happy ", " are happy ", " is quiet ",
		" run through ", " runs through ", " ran through ", " goes through ", " go through ", " went through ", " agrees ", " is satisfied ", " returns 200 ", " returned 200 ", " healthy ", " stable ",
	}
	// byHandEN report a check without a tool's name.
	byHandEN = []string{
		" verified that ", " verified the ", " verified : ", " verified by ", " verified with ", " verified locally ", " verified in ", " verified on ", " verified it ", " i verified ", " i've verified ", " and verified ", " verified against ",
		" verified end-to-end ", " verified end to end ", " verified manually ", " confirmed that ", " i confirmed ", " confirmed by ", " confirmed working ", " confirmed it ", " tested locally ", " tested it ", " i tested ", " i've tested ", " tested with ", " tested against ",
		" tested on ", " tested manually ", " tested and ", " implemented and tested . ", " compiles clean ", " compiles cleanly ", " compiles without ", " builds clean ", " builds cleanly ", " builds without ", " exit code 0 ", " exited 0 ", " exits 0 ", " exit 0 ", " exited with 0 ", " exits with 0 ", " rc = 0 ",
		" byte-identical ", " pixel-identical ", " checked by hand ", " tried by hand ", " tested by hand ", " checked manually ", " measured with ", " measured : ", " outputs are identical ", " screenshots are identical ", " byte for byte ", " fail = 0 ", " hooks passed ", " dry-run succeeded ", " works end-to-end ", " works end to end ", " smoke-tested ", " all passing ", " all pass ", " all passed ", " all green ", " clicked through ", " i ran the app ", " http 200 ", " returns 200 ", " verified working ",
		" screenshot shows ", " screenshots show ", " screenshot confirms ", " build successful ", " tested in ",
	}
	voidEN = []string{
		" not ", " don't ", " didn't ", " haven't ", " hasn't ", " couldn't ", " can't ", " cannot ", " isn't ", " aren't ", " wasn't ", " weren't ", " won't ", " doesn't ", " never ", " without running ", " untested ", " unverified ", " should ", " would ",
		" will ", " once ", " if ", " until ", " unless ", " when ", " make sure ", " ensure ", " ensures ", " only ", " need ", " needs ", " expected ", " expect ", " verify ", " pending ", " may ", " might ", " please ", " must ", " can you ", " want me ", " shall ", " i'll ",
		" to pass ", " to be ", " yet ", " unable ", " let me ", " waiting ", " wait for ", " after tests ", " after the tests ", " after ci ", " before ", " fails ", " failing ", " let's ", " going to ", " whether ", " so that ", " tbd ", " todo ", " supposed ", " hopefully ", " assume ", " assuming ", " i think ", " i believe ", " hope ", " presumably ", " so far ", " probably ", " ? ",
		" requires ", " required ", " passes in ", " pass in ",
	}
)

// explained reports a run whose failures are old and named as such: it is a
// check all the same.
func explained(c string) bool {
	if has(c, []string{" should ", " will ", " would "}) || !has(c, []string{" pre-existing ", " unrelated ", " known ", " as before ", " already failing ", " also fail", " fails on main ", " fail on main ", " flaky "}) {
		return false
	}
	return counted(c) || has(c, []string{" except ", " apart from ", " aside from ", " other than "}) && has(c, []string{" everything passes ", " everything is green ", " all pass ", " pass except ", " passes except ", " passed except ", " green except ", " all green ", " tests pass "})
}

// redToGreen finds a test that was seen on both sides of the change.
func redToGreen(c string) bool {
	return has(c, []string{" fails without ", " failed without ", " fails before ", " failed before ", " from red ", " was red "}) && has(c, []string{" passes with ", " passes now ", " passes after ", " passed after ", " passed with ", " to green ", " and passes ", " now passes ", " is green "})
}

// counted finds a number beside a result: "412 passed", "27/27 pass", "41 tests
// pass".
func counted(c string) bool {
	f := strings.Fields(c)
	for i, w := range f {
		switch w {
		case "passed", "passing", "pass", "green", "ok", "succeeded", "successful":
			for j := i - 1; j >= 0 && j >= i-4; j-- {
				if isNumber(f[j]) {
					return true
				}
			}
		}
	}
	return false
}

func isNumber(w string) bool { return w[0] >= '0' && w[0] <= '9' }

// ofSame finds "41/41" and "41 of 41".
func ofSame(words []string) bool {
	for i := 1; i+1 < len(words); i++ {
		if (words[i] == "/" || words[i] == "of" || words[i] == "von") && isNumber(words[i-1]) && words[i-1] == words[i+1] {
			return true
		}
	}
	return false
}

// bareWords are all that a result that stands alone is made of, bareEnds what it
// comes to: "All clean.", "Everything still passes.", "Works."
var (
	bareFirst = []string{"all", "everything", "both", "clean", "passes", "passing", "passed", "green", "works", "still", "it", "they", "checks"}
	bareWords = []string{
		"is", "are", "it's", "still", "now", "again", "also", "looks", "comes", "came", "back", "out", "up", "healthy", "fine", "perfectly", "correctly", "too", "and", "end-to-end", "locally", "here", "of", "them", "three", "four", "two", "good",
		".", "!", ",", ":", "*", "-", "✅", "✓", "as", "expected", "across", "the", "board", "checks", "cases", "scenarios", "paths", "five", "six", "behave", "behaves", "run", "runs", "both", "platforms", "browsers", "in", "on", "working",
	}
	bareEnds = []string{"clean", "green", "passing", "pass", "passes", "passed", "works", "work", "healthy", "successful", "expected"}
)

func bareResult(s string) bool {
	if has(s, voidEN) {
		return false
	}
	words := strings.Fields(cutAt(namedFailures.Replace(s), []string{" ; ", " — ", " – "}))
	for len(words) > 0 && slices.Contains([]string{"*", "-", ":", "and", "✅", "✓"}, words[0]) {
		words = words[1:]
	}
	if len(words) == 0 || len(words) > 9 || !slices.Contains(bareFirst, words[0]) && words[0] != "working" {
		return false
	}
	ended := words[0] == "working" && slices.Contains(words, "both") || slices.Contains(words, "checks") && slices.Contains(words, "out")
	for _, w := range words {
		switch {
		case slices.Contains(bareEnds, w):
			ended = true
		case !slices.Contains(bareFirst, w) && !slices.Contains(bareWords, w):
			return false
		}
	}
	return ended
}

// noneOf finds that nothing was found: "no type errors", "zero warnings from the
// compiler", "no errors in the console".
func noneOf(c string, words []string) bool {
	for len(words) > 0 && slices.Contains([]string{"*", "-", ":", "and", "✅", "✓", "with"}, words[0]) {
		words = words[1:]
	}
	if len(words) < 2 || !slices.Contains([]string{"no", "zero", "0"}, words[0]) {
		return false
	}
	for i, w := range words[1:min(len(words), 6)] {
		switch w {
		case "errors", "failures", "warnings", "regressions", "error", "regression", "complaints", "findings", "problems", "issues":
			return has(c, nounsEN) || has(c, []string{" type ", " console ", " compiler ", " log ", " logs ", " runtime "}) || i == 0 && len(words) <= 3 && w != "problems" && w != "issues"
		}
	}
	return false
}

// The verbs of trying: alreadyEN tell by themselves that it was tried, othersEN
// take a result beside them.
var (
	alreadyTried = []string{"verified", "confirmed", "tested", "validated", "smoke-tested", "exercised", "double-checked", "dry-ran", "benchmarked", "re-verified", "spot-checked", "sanity-checked", "re-tested", "retested"}
	ranVerbs     = []string{"checked", "tried", "ran", "reran", "re-ran", "executed", "compared", "diffed", "measured", "clicked", "curled", "loaded", "rebuilt", "built", "compiled", "rendered", "launched", "booted", "replayed", "running", "executing", "invoking", "simulated", "queried"}
	// afterTried go on from a verb that stands first: "verified the users" is a
	// report, "verified users can log in" is not.
	afterTried = []string{"that", "the", "it", "this", "these", "all", "both", "each", "every", "with", "against", "in", "on", "by", "via", "using", "end", "end-to-end", "manually", "locally", "live", "across", "from", "under", "working", "through", "at", "again", "and", "twice", "visually", "my", "your", "a", "an", ":", ",", ".", "(", "`", "\uE001", "3", "two", "three", "four"}
	outcomesEN = []string{
		" match ", " matches ", " matched ", " identical ", " is the same ", " are the same ", " same output ", " same result ", " none ", " nothing ", " gone ", " loads ", " load ", " works ", " worked ", " working ", " prints ", " printed ", " returns ", " returned ", " responds ", " answers ", " shows ", " showed ", " renders ", " opens ", " closes ", " behaves ", " behaved ", " duly ",
		" 200 ", " took ", " appears ", " appear ", " comes up ", " correct ", " correctly ", " fine ", " pass ", " passes ", " passed ", " green ", " clean ", " cleanly ", " succeeds ", " succeeded ", " ok ", " no errors ", " without errors ", " without error ", " no warnings ", " no differences ", " no difference ", " as it should ", " intact ", " in sync ", " 0 ", " outputs ", " produces ", " yields ", " gives ", " agree ", " agrees ",
	}
	troubledEN = []string{" error ", " errors ", " failed ", " failure ", " failures ", " broken ", " 500 ", " 404 ", " crash", " ran into ", " wrong ", " exception "}
	subjectsEN = []string{"i", "i've", "we", "we've", "have", "also", "then", "just", "manually", "quickly", "and", "successfully", "re-", "*", "-", ":", "✅", "✓", "locally", "additionally", "finally", "it"}
)

// triedEN finds a verb of trying whose subject is the agent, said or left out.
func triedEN(c string, words []string) bool {
	first := 0
	for first < len(words) && slices.Contains(subjectsEN, words[first]) {
		first++
	}
	for i, w := range words {
		own := i == first || i > 0 && slices.Contains([]string{"i", "i've", "we", "we've", "also", "manually"}, words[i-1]) || i > 1 && (words[i-1] == "and" || words[i-1] == "then") && (words[i-2] == "," || slices.Contains(ranVerbs, words[0]) || slices.Contains(words[:i], "i"))
		if !own {
			continue
		}
		if slices.Contains(alreadyTried, w) && (i+1 == len(words) || slices.Contains(afterTried, words[i+1])) {
			return true
		}
		if slices.Contains(ranVerbs, w) {
			rest := " " + strings.Join(words[i+1:], " ") + " "
			good := []string{" no errors ", " without errors ", " without error ", " none is broken ", " none are broken ", " nothing is broken ", " nothing broken ", " 0 errors ", " 0 failures ", " 0 failed ", " no failures ", " no broken "}
			return has(rest, outcomesEN) && !has(without(" "+w+rest, good), troubledEN)
		}
	}
	return has(c, usedEN) && has(c, usedWhereEN) && has(c, usedResultEN)
}

// A use of the thing itself, where, and what came of it: "loaded the page in
// Firefox, the menu opens".
var (
	usedEN       = []string{" loaded ", " opened ", " clicked ", " started ", " ran ", " hit ", " called ", " curled ", " requested ", " played ", " walked through ", " tried ", " exercised ", " drove ", " deployed ", " used "}
	usedWhereEN  = []string{" in firefox ", " firefox ", " chrome ", " safari ", " browser ", " page ", " app ", " simulator ", " emulator ", " device ", " locally ", " staging ", " server ", " endpoint ", " \uE001 ", " url ", " script ", " container ", " image ", " by hand ", " sandbox "}
	usedResultEN = []string{" opens ", " works ", " work ", " loads ", " renders ", " shows ", " appears ", " responds ", " comes up ", " 200 ", " duly ", " as it should ", " no errors ", " without errors ", " correctly ", " worked "}
)

// The verbs by which a program answers for itself. They must end their clause,
// or go on with how: "it compiles", not "the job builds the image".
var (
	buildsEN   = []string{"compiles", "builds", "typechecks", "type-checks", "validates", "compile"}
	startsEN   = []string{"starts", "runs", "loads", "renders", "boots", "parses"}
	endsClause = []string{".", ",", "!", ";", "again", "without", "cleanly", "clean", "fine", "ok", "okay", "successfully", "correctly", "now", "too", "everywhere", "and", "against", "duly"}
	afterAnd   = []string{"runs", "starts", "boots", "passes", "the", "all", "lints"} // "builds and runs", not "builds and pushes the image"
)

func compiles(words []string) bool {
	started := 0
	at := func(i int) string {
		if i < len(words) {
			return words[i]
		}
		return "."
	}
	for i, w := range words {
		next := at(i + 1)
		ends := slices.Contains(endsClause, next) || next == "with" && slices.Contains([]string{"no", "zero", "0"}, at(i+2)) || (next == "on" || next == "for") && slices.Contains([]string{"both", "all"}, at(i+2))
		if !ends || next == "and" && !slices.Contains(afterAnd, at(i+2)) && slices.Contains(buildsEN, w) {
			started += answersWhen(words, i, started)
			continue
		}
		if slices.Contains(buildsEN, w) && i > 0 && words[i-1] != "to" {
			return true
		}
		if slices.Contains(startsEN, w) {
			started++
		}
		started += answersWhen(words, i, started)
	}
	return started > 1
}

// answersWhen counts what a started program does next.
func answersWhen(words []string, i, started int) int {
	switch words[i] {
	case "answers", "responds", "listens":
		return min(started, 1)
	case "healthy":
		if i > 0 && words[i-1] == "up" {
			return 2
		}
	}
	return 0
}

// agreesEN finds an output that is as it should be, or a measured number.
func agreesEN(c string) bool {
	switch {
	case has(c, []string{" diff ", " diffs "}):
		return has(c, []string{" is empty ", " no changes ", " no difference ", " no differences ", " is clean ", " are empty "})
	case has(c, []string{" output ", " outputs ", " page ", " pages ", " render ", " rendered ", " screenshot ", " screenshots ", " totals ", " plan ", " dry run ", " dry-run ", " snapshot ", " snapshots ", " response ", " responses ", " checksum "}):
		return has(c, []string{" match ", " matches ", " matched ", " identical ", " is empty ", " are empty ", " no changes ", " no difference ", " no differences ", " duly ", " unchanged ", " is the same ", " are the same ", " byte-for-byte "})
	case has(c, []string{" benchmark ", " benchmarks ", " coverage ", " profiler ", " measurement ", " measured "}):
		return strings.ContainsAny(c, "0123456789") && has(c, []string{" shows ", " show ", " from ", " instead of ", " down ", " up ", " went ", " dropped ", " vs ", " now "})
	case has(c, []string{" curl ", " endpoint ", " server ", " health ", " request "}):
		return has(c, []string{" returns 200 ", " returned 200 ", " answers 200 ", " answers with 200 ", " responds with 200 ", " 200 ok ", " 201 ", " 204 "})
	case has(c, []string{" scenario ", " scenarios ", " cases ", " flows ", " paths ", " variants ", " examples "}):
		return has(c, []string{" behave duly ", " behaves duly ", " work duly ", " work . ", " work correctly ", " all work ", " pass "}) && has(c, []string{" all ", " both ", " every ", " each "})
	}
	return false
}

// runLine finds a line that a test runner prints: "ok example.com/a 0.2s", "PASS
// src/a.test.ts".
func runLine(line string) bool {
	words := strings.Fields(strings.ToLower(line))
	if len(words) < 2 {
		return false
	}
	switch words[0] {
	case "ok":
		last := words[len(words)-1]
		return isNumber(last) && strings.HasSuffix(last, "s") || last == "(cached)"
	case "pass", "pass:":
		return strings.ContainsAny(words[1], "./_")
	case "✓", "✔":
		return strings.HasSuffix(words[len(words)-1], "ms)")
	}
	return false
}
