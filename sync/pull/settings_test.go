package pull

import (
	"os"
	"strings"
	"testing"
)

// TestSyncMendsSettings: what is registered otherwise than install does is put
// right by the next sync, what is registered rightly is not touched, and what
// uninstall took away stays away.
func TestSyncMendsSettings(t *testing.T) {
	r, b := newTeam(t), newBox(t)
	r.few(1)
	b.install(r.options())
	whole := string(must1(t)(os.ReadFile(b.settings())))
	for name, text := range map[string]string{
		"another program": strings.ReplaceAll(whole, b.Home.Binary(), "/somewhere/hookctl"),
		"an event less":   strings.Replace(whole, "PreToolUse", "Notification", 1),
		"another timeout": strings.ReplaceAll(whole, `"timeout": 30`, `"timeout": 20`),
		"none":            userSettings,
	} {
		must(t, os.WriteFile(b.settings(), []byte(text), 0o600))
		rep := b.sync()
		if rep.Changed || !rep.Wired || len(rep.Settings) != 1 || !rep.Settings[0].Changed() {
			t.Errorf("%s: report %+v", name, rep)
		}
		now := string(must1(t)(os.ReadFile(b.settings())))
		if name != "an event less" && now != whole {
			t.Errorf("%s: the settings are\n%s", name, now)
		}
		b.good(1)
	}
	must(t, os.WriteFile(b.settings(), []byte("{"), 0o600))
	r.few(2)
	if rep := b.sync(); !rep.Changed || rep.Wired {
		t.Errorf("settings that are no JSON: report %+v", rep)
	}
	must(t, os.WriteFile(b.settings(), []byte(whole), 0o600))
	if _, _, err := b.Uninstall(t.Context(), false, []string{"claude"}, ""); err != nil {
		t.Fatal(err)
	}
	if rep := b.sync(); rep.Wired || len(rep.Settings) > 0 {
		t.Errorf("after uninstall: report %+v", rep)
	}
}
