//go:build unix

package child

import (
	"os"
	"os/exec"
	"syscall"
)

// group is a program with everything that it starts. A process that makes a
// session of its own leaves it, and is only cut off from the pipes.
type group struct{ leader int }

// newGroup prepares cmd to lead a process group of its own.
func newGroup(cmd *exec.Cmd) *group {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return &group{}
}

// adopt takes the started program; its group has the same number.
func (g *group) adopt(p *os.Process) { g.leader = p.Pid }

// kill ends all of the group at once. It may come just after the leader was
// waited for: the number stays taken while a member lives, and a number that is
// free is not given out again within moments.
func (g *group) kill() {
	if g.leader > 1 {
		_ = syscall.Kill(-g.leader, syscall.SIGKILL) // an empty group is no failure
	}
}

// release frees what the system holds for the group.
func (g *group) release() {}
