package pull

import (
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"github.com/agenthooks/hookctl/install/files"
)

// Contact is what the last tries to reach the source came to. A machine that is
// offline judges on; this says since when.
type Contact struct {
	Reached time.Time `json:"reached,omitzero"` // the last time that it could be read
	Tried   time.Time `json:"tried"`
	Error   string    `json:"error,omitempty"` // of the last try
	Settled Settled   `json:"settled,omitzero"`
}

// Settled is a branch of which this machine has all that it will take: while its
// head and trust.json stay, there is nothing to look for in it. Whoever can forge
// this can forge trust.json: it hides a release from this machine, and no more.
type Settled struct {
	Head    string `json:"head"`
	Trust   string `json:"trust"` // SHA-256 of trust.json, hex
	Pending int    `json:"pending"`
}

func (m *Machine) contactFile() string { return m.Home.Path("cache", "contact.json") }

// Contact is zero when nothing was tried yet.
func (m *Machine) Contact() (c Contact) {
	b, err := os.ReadFile(m.contactFile())
	if err != nil || json.Unmarshal(b, &c) != nil {
		return Contact{}
	}
	return c
}

// reached notes a try. The note is worth less than the sync: what keeps it from
// being written is passed over.
func (m *Machine) reached(err error) {
	if m.scratch != "" {
		return // a dry run leaves no trace
	}
	c := m.Contact()
	c.Tried, c.Error = m.Now, ""
	if err == nil {
		c.Reached = m.Now
	} else {
		c.Error = firstLine(err)
	}
	m.writeContact(c)
}

// settle notes that a sync has taken what there is.
func (m *Machine) settle(rep Report) {
	c := m.Contact()
	if s := (Settled{Head: rep.Head, Trust: hashFile(m.Home.Trust()), Pending: rep.Pending}); s != c.Settled {
		c.Settled = s
		m.writeContact(c)
	}
}

// settled reports whether there is nothing new in a branch with that head.
func (m *Machine) settled(head string) (pending int, ok bool) {
	s := m.Contact().Settled
	return s.Pending, s.Head != "" && s.Head == head && s.Trust == hashFile(m.Home.Trust())
}

// writeContact does not flush: a note that a power cut takes is told anew by the
// next sync.
func (m *Machine) writeContact(c Contact) {
	b, err := json.Marshal(c)
	if err != nil {
		return
	}
	if _, err := m.Files.MkdirAll(m.Home.Cache(), 0o700); err != nil {
		return
	}
	temp := filepath.Join(m.Home.Cache(), files.TempName())
	if m.Files.Create(temp, append(b, '\n'), 0o600) != nil || m.Files.Rename(temp, m.contactFile()) != nil {
		_ = (*files.Layer)(nil).Remove(temp) // also when the layer is made to fail
	}
}
