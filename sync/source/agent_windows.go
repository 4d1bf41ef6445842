package source

import (
	"io"
	"os"
	"time"
)

const (
	homeVariable = "USERPROFILE"
	defaultAgent = `\\.\pipe\openssh-ssh-agent`
)

// dialAgent opens the named pipe of Windows' OpenSSH agent. A pipe has no
// deadlines; a fetch's own bounds the wait.
func dialAgent(pipe string, _ time.Duration) (io.ReadWriteCloser, error) {
	f, err := os.OpenFile(pipe, os.O_RDWR, 0)
	if err != nil {
		return nil, bare(err)
	}
	return f, nil
}
