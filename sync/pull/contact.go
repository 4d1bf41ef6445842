package pull

import (
	"encoding/json"
	"os"
	"time"
)

// Contact is what the last tries to reach the source came to. A machine that is
// offline judges on; this says since when.
type Contact struct {
	Reached time.Time `json:"reached,omitzero"` // the last time that it could be read
	Tried   time.Time `json:"tried"`
	Error   string    `json:"error,omitempty"` // of the last try
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
	c := Contact{Reached: m.Now, Tried: m.Now}
	if err != nil {
		c.Reached, c.Error = m.Contact().Reached, firstLine(err)
	}
	if b, err := json.Marshal(c); err == nil {
		if _, err := m.Files.MkdirAll(m.Home.Cache(), 0o700); err == nil {
			_ = m.Files.WriteFile(m.contactFile(), append(b, '\n'), 0o600)
		}
	}
}
