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
// deadlines; the fetch's own bounds the wait.
func dialAgent(pipe string, _ time.Duration) (io.ReadWriteCloser, error) {
	return os.OpenFile(pipe, os.O_RDWR, 0)
}
