package child

import "testing"

func TestNamed(t *testing.T) {
	list := []string{"PATH", "LC_*"}
	for name, want := range map[string]bool{"PATH": true, "PATHEXT": false, "LC_ALL": true, "LC_": true, "LC": false, "XLC_A": false, "": false} {
		if got := Named(name, list); got != want {
			t.Errorf("Named(%q) = %v", name, got)
		}
	}
}
