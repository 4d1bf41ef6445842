package home

import (
	"os"
	"path/filepath"
	"testing"
)

func env(m map[string]string) func(string) string { return func(k string) string { return m[k] } }

// An installed program lies in its home, and nothing in the environment moves it.
func TestFind(t *testing.T) {
	root := filepath.ToSlash(t.TempDir())
	touch := func(names ...string) {
		for _, n := range names {
			file := filepath.Join(root, n)
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	touch("u/.hookctl/bin/hookctl", "tools/hk/bin/hookctl", "tools/hk/current", "half/bin/hookctl", "half/install.json", "usr/bin/hookctl", "elsewhere/hookctl")
	hostile := map[string]string{userVar: root + "/evil", "HOOKCTL_HOME": root + "/evil/home"}
	for _, tt := range []struct {
		program string
		env     map[string]string
		want    string
	}{
		{"/u/.hookctl/bin/hookctl", hostile, root + "/u/.hookctl"}, // whatever is left of it
		{"/tools/hk/bin/hookctl", hostile, root + "/tools/hk"},
		{"/half/bin/hookctl", hostile, root + "/half"},
		{"/usr/bin/hookctl", hostile, root + "/evil/home"}, // not installed by hookctl
		{"/elsewhere/hookctl", hostile, root + "/evil/home"},
		{"/elsewhere/hookctl", map[string]string{userVar: root + "/me"}, root + "/me/.hookctl"},
		{"/missing/bin/hookctl", map[string]string{userVar: root + "/me"}, root + "/me/.hookctl"},
	} {
		if got := Find(root+tt.program, env(tt.env)); string(got) != tt.want {
			t.Errorf("Find(%s) = %s, want %s", tt.program, got, tt.want)
		}
	}
	link := root + "/usr/bin/link"
	if err := os.Symlink("../../tools/hk/bin/hookctl", link); err != nil {
		t.Skip("no links here: ", err)
	}
	if got := Find(link, env(hostile)); string(got) != root+"/tools/hk" {
		t.Errorf("through a link: %s", got)
	}
	if err := os.Symlink("round", root+"/usr/bin/round"); err == nil {
		_ = Find(root+"/usr/bin/round", env(hostile)) // it ends
	}
	if got := Find("", env(map[string]string{"HOOKCTL_HOME": root})); string(got) != root {
		t.Errorf("without a program: %s", got)
	}
}

func TestUser(t *testing.T) {
	for d, want := range map[Dir]string{"/home/u/.hookctl": "/home/u", "/opt/hk": "", "": "", ".hookctl": "."} {
		if got := d.User(); got != want {
			t.Errorf("User(%q) = %q, want %q", d, got, want)
		}
	}
}

func TestReadPointer(t *testing.T) {
	d := Dir(t.TempDir())
	if _, err := ReadPointer(d); !os.IsNotExist(err) {
		t.Errorf("without a file: %v", err)
	}
	for text, ok := range map[string]bool{
		`{"schema":1,"digest":"sha256:a","rules":"sha256:b","previous":{"schema":1,"digest":"sha256:c"}}`: true,
		"": false, "{": false, `{"schema":2}`: false, `{}`: false, "[]": false, "null": false,
	} {
		if err := os.WriteFile(d.Current(), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		p, err := ReadPointer(d)
		if (err == nil) != ok || ok && (p.Previous == nil || p.Previous.Digest != "sha256:c") {
			t.Errorf("%q: %+v, %v", text, p, err)
		}
	}
}

// A shared home is written by nobody who merely runs its hook.
func TestState(t *testing.T) {
	d := Dir(filepath.ToSlash(t.TempDir()))
	user := env(map[string]string{userVar: "/me"})
	if got := d.State(user); got != d {
		t.Errorf("not shared: %s", got)
	}
	if err := os.WriteFile(d.Shared(), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := d.State(user); got != "/me/.hookctl" {
		t.Errorf("shared: %s", got)
	}
	for _, d := range []Dir{d, ""} {
		if got := d.State(env(nil)); got != d {
			t.Errorf("without a user's home: %s", got)
		}
	}
	if got := Dir("").State(user); got != "" {
		t.Errorf("without a home: %s", got)
	}
}

// What is no file of a size that the hook would write is not read.
func TestReadConfig(t *testing.T) {
	d := Dir(t.TempDir())
	if _, err := ReadConfig(d); !os.IsNotExist(err) {
		t.Errorf("without a file: %v", err)
	}
	if err := os.WriteFile(d.Config(), make([]byte, maxFile), 0o600); err != nil {
		t.Fatal(err)
	}
	if b, err := ReadConfig(d); err != nil || len(b) != maxFile {
		t.Errorf("%d bytes, %v", len(b), err)
	}
	if err := os.Truncate(d.Config(), maxFile+1); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadConfig(d); err == nil {
		t.Error("a file without bounds is read")
	}
	if err := os.Mkdir(d.Current(), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadPointer(d); err == nil {
		t.Error("a folder is read")
	}
}
