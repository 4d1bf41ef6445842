//go:build !windows

package contract

// shell runs command lines as Node's child_process does for the agents: by
// /bin/sh, whatever PATH says.
const shell = "/bin/sh"
