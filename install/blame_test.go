package install

import (
	"strings"
	"testing"
	"time"
)

func TestBlame(t *testing.T) {
	m := newMachine(t)
	if all, err := Blame(m.home); err != nil || len(all) > 0 {
		t.Fatal(all, err)
	}
	m.put(m.settings(), "{\n  \"hooks\": {\n    \"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"say\"}]}]\n  }\n}\n")
	m.apply()
	blame := func() Written {
		t.Helper()
		all, err := Blame(m.home)
		if err != nil || len(all) != 1 {
			t.Fatal(all, err)
		}
		return all[0]
	}
	w := blame()
	if w.Touched || w.Missing || w.Created || len(w.Wrong) > 0 || time.Since(w.At) > time.Hour || w.Modified.IsZero() {
		t.Errorf("%+v", w)
	}
	own := 0
	for _, h := range w.Hooks {
		if h.Own {
			own++
		}
	}
	if own != 5 || len(w.Hooks) != 6 || w.Hooks[0].Command != "say" || w.Hooks[0].Line != 3 {
		t.Errorf("%+v", w.Hooks)
	}
	text := m.read(m.settings())
	m.put(m.settings(), strings.Replace(text, `"timeout": 30`, `"timeout": 3`, 1))
	if w := blame(); !w.Touched || len(w.Wrong) != 1 || !strings.Contains(w.Diff, "\n-") || strings.Count(w.Diff, "\n+") != 2 {
		t.Errorf("%+v", w)
	}
	m.put(m.settings(), strings.Replace(text, "{", "{ \"mine\": 1,", 1))
	if w := blame(); !w.Touched || len(w.Wrong) > 0 || !strings.Contains(w.Diff, `+{ "mine": 1,`) {
		t.Errorf("%+v", w)
	}
	m.put(m.settings(), "{")
	if w := blame(); !w.Touched || len(w.Wrong) != 1 {
		t.Errorf("%+v", w)
	}
}

// A file that is gone, and a record from before the time was written down.
func TestBlameMissing(t *testing.T) {
	m := newMachine(t)
	m.put(m.home.Record(), `{"schema":1,"files":[{"agent":"claude","path":"`+m.settings()+`","existed":false,"after":["sha256:x"]},{"agent":"later","path":"/x"}]}`)
	all, err := Blame(m.home)
	if err != nil || len(all) != 1 || !all[0].Missing || !all[0].At.IsZero() || !all[0].Created || len(all[0].Wrong) != 1 {
		t.Errorf("%+v %v", all, err)
	}
}
