package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/agenthooks/hookctl/gate/early"
	"github.com/agenthooks/hookctl/install/agent"
	"github.com/agenthooks/hookctl/install/files"
	"github.com/agenthooks/hookctl/install/settings"
	"github.com/agenthooks/hookctl/live"
	"github.com/agenthooks/hookctl/manifests"
	"github.com/agenthooks/hookctl/sync/bundle"
	"github.com/agenthooks/hookctl/sync/pull"
	"github.com/agenthooks/hookctl/sync/receipt"
	"github.com/agenthooks/hookctl/sync/source"
)

// untouched is the first hint of everything that sync refuses.
const untouched = "nothing was changed; what ran before runs on"

// advice is the one place where an error meets its exit code and its hints.
// Packages say what happened; this says what was left alone and what to do.
func advice(err error) (code int, hints []string) {
	switch {
	case is[*authorError](err) && errors.Is(err, fs.ErrNotExist):
		return exitUsage, []string{"name the bundle's folder; lock it before you sign: hookctl bundle lock DIR"}
	case is[*authorError](err):
		return exitUsage, []string{"mend what is named and run the command again"}
	case errors.Is(err, pull.ErrNoSource):
		return exitUsage, []string{"follow a branch with: hookctl install --source URL --branch B --signers FILE"}
	case errors.Is(err, errHomeless):
		return exitUsage, []string{"nothing was changed; say where it is: export HOME=/home/you"}
	case errors.Is(err, errLines), errors.Is(err, early.ErrTooLarge):
		return exitUsage, []string{"take the message out of a transcript first: hookctl capture FILE --last --gate GATE --side allow"}
	case is[*pull.ConfigError](err):
		return exitFinding, []string{untouched, "mend the place that is named; hookctl bundle schema config tells what may stand there"}
	case is[*pull.TrustError](err):
		return exitUsage, []string{untouched, "pin the source anew: hookctl install --source URL --branch B --signers FILE; a file of a newer hookctl needs that one"}
	case is[*pull.ArchiveError](err):
		return exitUsage, []string{"bring a newer one with: hookctl install --from FILE"}
	case is[*pull.FollowsError](err):
		return exitUsage, []string{"nothing was changed; take its releases with: hookctl sync; to take archives from now on, give --signers as well"}
	case is[*pull.UntrustedError](err):
		return exitRefused, []string{"nothing was changed; get the team's keys by a way that you trust and give them: --signers FILE"}
	case is[*receipt.SignatureError](err), is[*receipt.FormatError](err):
		return exitFinding, []string{"it is not as the machine wrote it, or of another machine; get it again, with FILE.sig beside it"}
	case is[*pull.NoGenerationError](err):
		return exitUsage, []string{"nothing was changed; see what there is: hookctl status"}
	case is[*pull.NotInstalledError](err):
		return exitFinding, []string{"install it with: hookctl install"}
	case is[*bundle.RewrittenError](err):
		return exitRefused, []string{untouched, "ask whoever administers the branch; it must not be force-pushed"}
	case is[*bundle.RollbackError](err), is[*bundle.SameReleaseError](err):
		return exitRefused, []string{untouched, "release again under a higher number: hookctl bundle lock, then sign"}
	case is[*pull.ProtectionError](err):
		return exitRefused, []string{untouched, "protect the branch at its host; where its API is closed to strangers, set HOOKCTL_GIT_TOKEN; a bundle without require_protection only records it"}
	case is[*bundle.ExpiredError](err):
		return exitRefused, []string{untouched, "renew the release: hookctl bundle lock --expires DATE, then sign"}
	case is[*bundle.ClockError](err):
		return exitRefused, []string{untouched, "set this machine's clock"}
	case is[*bundle.UnsignedError](err), is[*bundle.SignatureError](err), is[*bundle.ThresholdError](err), is[*bundle.ArmorError](err), is[*bundle.MissingLockError](err):
		return exitRefused, []string{untouched, "sign it with an allowed key: hookctl bundle sign --key FILE"}
	case is[*bundle.NoReleaseError](err):
		return exitRefused, []string{untouched, "make a release: hookctl bundle lock, hookctl bundle sign, commit both files"}
	case is[*bundle.PassphraseError](err):
		return exitUsage, []string{"nothing was signed; load the key with ssh-add and run the command again: the agent signs then"}
	case is[*source.AgentError](err):
		return exitUsage, []string{`nothing was signed; start one and load the key: eval "$(ssh-agent)", then ssh-add FILE`}
	case is[*bundle.KeyNotHeldError](err):
		return exitUsage, []string{"nothing was signed; load the key with ssh-add, and see what is loaded with: ssh-add -l"}
	case is[*bundle.KeyNameError](err):
		return exitUsage, []string{"nothing was signed; name the key by its fingerprint, or by its file: --key FILE.pub"}
	case is[*bundle.AgentRefusedError](err):
		return exitUsage, []string{"nothing was signed; unlock the agent (ssh-add -X), confirm or touch the key when it asks"}
	case is[*bundle.SignersError](err), is[*bundle.CertAuthorityError](err):
		return exitUsage, []string{"nothing was changed; one key a line: NAME ssh-ed25519 AAAA…"}
	case is[*pull.StrandedError](err):
		return exitFinding, []string{"put the program back by hand, by the two paths that are named, then: hookctl verify"}
	case is[*pull.DownloadError](err):
		code, _ := sourceAdvice(err)
		return code, []string{untouched, "the address is the release's: try again, or name one in hookctl.yaml that every machine reaches"}
	case is[*bundle.PlatformError](err), is[*bundle.NotProgramError](err):
		return exitRefused, []string{untouched, "name a program that is built for this platform in hookctl.yaml, then lock and sign"}
	case isStart(err, true):
		return exitFinding, []string{untouched, "a program that is killed at once has as a rule no valid signature or is in quarantine; on macOS: xattr -d com.apple.quarantine FILE, or sign it (codesign) before the release"}
	case isStart(err, false):
		return exitFinding, []string{untouched, "start the program of the release by hand; it must run on this system as it is"}
	case refused(err):
		return exitRefused, []string{untouched, "lock and sign the tree as it is: hookctl bundle lock, then sign"}
	case is[*pull.ProofError](err):
		return exitFinding, []string{untouched, "see why with: hookctl test DIR -v"}
	case is[*manifests.RequiresError](err):
		return exitUsage, []string{untouched, "install a newer hookctl"}
	case is[*bundle.PackError](err):
		return exitUsage, []string{"nothing was changed; make the archive again: hookctl bundle pack"}
	case is[*settings.SyntaxError](err), is[*settings.TypeError](err), is[*settings.DuplicateError](err), is[*settings.DepthError](err):
		return exitFinding, []string{"the file was left as it is; mend the place that is named and run the command again"}
	case is[*pull.BusyError](err):
		return exitUsage, []string{"nothing was changed; run the command again when the other one has ended"}
	case is[*pull.AgentError](err):
		return exitUsage, []string{"the agents are: " + strings.Join(agent.Names(), ", ")}
	case errors.Is(err, live.ErrNone), is[*live.AbsentError](err):
		return exitUsage, []string{"name its program: --agent-bin NAME=PATH, or HOOKCTL_AGENT_NAME=PATH in the environment"}
	case is[*live.UnknownError](err):
		return exitUsage, nil
	case is[*pull.ScopeError](err):
		return exitUsage, []string{"nothing was changed; see hookctl install --help for the scopes"}
	case is[*pull.LinkError](err), is[*settings.InlineError](err), errors.Is(err, settings.ErrForeignPlugin):
		return exitFinding, []string{"the file was left as it is; mend what is named, or name the agents to install for: --agent NAME"}
	case errors.Is(err, context.Canceled):
		return exitUsage, []string{untouched, "run the command again when you like"}
	case diskFull(err):
		return exitUsage, []string{"what ran before runs on; make room on that disk and run the command again: an installation takes some 80 MB while it is tested"}
	case diskReadOnly(err):
		return exitUsage, []string{"nothing was changed; the file system is mounted read-only: choose another home with HOOKCTL_HOME, or mount it for writing"}
	case errors.Is(err, fs.ErrPermission):
		return exitUsage, []string{"nothing was changed; the file or its folder may not be written by this user" + whose(err)}
	}
	return sourceAdvice(err)
}

// whose is the command that shows whose the file is that may not be written, or the
// folder in which it would be made.
func whose(err error) string {
	path := ""
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		path = e.Path
	}
	if e, ok := errors.AsType[*files.ReadOnlyError](err); ok {
		path = e.Path
	}
	for path != "" && path != filepath.Dir(path) {
		if _, err := os.Lstat(path); err == nil {
			return "; see whose it is: ls -ld " + shellQuoted(path)
		}
		path = filepath.Dir(path)
	}
	return ""
}

// isStart knows a program of a release that did not do what it must, and whether
// a signal ended it.
func isStart(err error, killed bool) bool {
	e, ok := errors.AsType[*pull.StartError](err)
	return ok && e.Killed == killed
}

// sourceAdvice is the advice on a source that cannot be read. Only what looks
// like somebody else's server counts as refused.
func sourceAdvice(err error) (code int, hints []string) {
	switch {
	case is[*source.NotFoundError](err), is[*source.BranchError](err), is[*source.URLError](err), is[*source.ServerError](err):
		return exitUsage, []string{untouched, "check --source and --branch; hosts also say \"not found\" to whom has no access"}
	case is[*source.UnreachableError](err), is[*source.TimeoutError](err):
		return exitUsage, []string{untouched, "try again when the source can be reached"}
	case is[*source.AuthError](err):
		return exitUsage, []string{untouched, "https: set HOOKCTL_GIT_TOKEN; ssh: load the key with ssh-add"}
	case is[*source.PassphraseError](err):
		return exitUsage, []string{untouched, "load the key with ssh-add"}
	case is[*source.TLSError](err), is[*source.RedirectError](err):
		return exitRefused, []string{untouched, "a company's own CA goes into HOOKCTL_CA_FILE; a moved repository wants the new address as --source"}
	case is[*source.HostKeyError](err):
		return exitRefused, []string{untouched, "compare the fingerprint with the one that the host publishes, then connect once with ssh"}
	}
	return exitUsage, nil
}

func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// refused knows the errors about a release's lock and files.
func refused(err error) bool {
	return bundle.IsFileError(err) || is[*bundle.LockError](err) || is[*bundle.SchemaError](err) || is[*bundle.PathError](err) ||
		is[*bundle.CollisionError](err) || is[*bundle.LimitError](err)
}
