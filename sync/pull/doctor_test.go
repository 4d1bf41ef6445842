package pull

import (
	"slices"
	"testing"
	"time"

	"github.com/agenthooks/hookctl/install/doctor"
)

// A clock behind what has happened already is named; the release runs on.
func TestDoctorDoubtsTheClock(t *testing.T) {
	r, b := newTeam(t), newBox(t)
	r.few(1)
	b.install(r.options())
	codes := func() (all []string) {
		for _, f := range b.Doctor(t.TempDir(), []string{"claude"}).Findings {
			all = append(all, f.Code)
		}
		return all
	}
	if got := codes(); len(got) > 0 {
		t.Errorf("a fresh installation: %v", got)
	}
	b.Now = b.Now.Add(-30 * 24 * time.Hour)
	if got := codes(); !slices.Equal(got, []string{"clock"}) {
		t.Errorf("a month back: %v", got)
	}
	for _, code := range []string{"not-registered", "no-generation", "rules-stale", "program-changed", "journal", "judge-missing", "config", "clock", "permissions"} {
		if doctor.Of(code).Why == "" {
			t.Errorf("%s is no code", code)
		}
	}
}
