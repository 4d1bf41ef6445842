// Command hookctl is the hook of coding agents (hookctl gate), and the way in
// which it reaches every machine: install, sync, verify. This package holds
// flags, streams, exit codes and hints, one file a verb, and no policy.
//
// Exit codes: 0 good, 1 a finding (something differs, a case fails, something
// newer waits), 2 wrong usage or could not tell, 3 refused (trust), 4 held. The
// gate alone exits 0 always, but for "gate --host generic", where 2 blocks.
package main

import "os"

func main() { os.Exit(run(os.Args[1:], stdio())) }
