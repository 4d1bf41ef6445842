package receipt

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/agenthooks/hookctl/home"
)

func TestMakeKey(t *testing.T) {
	d, k := machine(t)
	private, public := cat(t, d.Path(KeyName)), cat(t, d.Path(PubName))
	if !bytes.HasPrefix(private, []byte("-----BEGIN OPENSSH PRIVATE KEY-----\n")) || !bytes.HasPrefix(public, []byte("ssh-ed25519 ")) {
		t.Errorf("%s%s", private[:40], public)
	}
	if host, err := os.Hostname(); err == nil && len(host) > 3 && bytes.Contains(public, []byte(host)) {
		t.Error("the public key names the host")
	}
	again := must2(MakeKey(nil, d))(t)
	opened := must2(OpenKey(d))(t)
	if again.Fingerprint() != k.Fingerprint() || opened.Fingerprint() != k.Fingerprint() || !bytes.Equal(cat(t, d.Path(KeyName)), private) {
		t.Error("the key was made again")
	}
	remove(t, d.Path(PubName))
	must2(MakeKey(nil, d))(t)
	if !bytes.Equal(cat(t, d.Path(PubName)), public) {
		t.Error("the public half was not mended")
	}
	if k2 := (Key{}); k2.Fingerprint() != "" || k2.Public() != nil {
		t.Error("the zero key is somebody")
	}
}

// A key that is gone or damaged is never replaced but by Rekey.
func TestLostKey(t *testing.T) {
	_, other := machine(t)
	tests := []struct {
		name string
		do   func(t *testing.T, d home.Dir)
		lost bool // MissingKeyError, else KeyError
	}{
		{"private removed", func(t *testing.T, d home.Dir) { remove(t, d.Path(KeyName)) }, true},
		{"both removed", func(t *testing.T, d home.Dir) { remove(t, d.Path(KeyName), d.Path(PubName)) }, true},
		{"cut off", func(t *testing.T, d home.Dir) { put(t, d.Path(KeyName), cat(t, d.Path(KeyName))[:200]) }, false},
		{"empty", func(t *testing.T, d home.Dir) { put(t, d.Path(KeyName), nil) }, false},
		{"another public half", func(t *testing.T, d home.Dir) {
			if err := writePublic(nil, d, other); err != nil {
				t.Fatal(err)
			}
		}, false},
		{"public half damaged", func(t *testing.T, d home.Dir) { put(t, d.Path(PubName), []byte("x")) }, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, k := machine(t)
			chain(t, d, k, 2)
			tt.do(t, d)
			was, _ := os.ReadFile(d.Path(KeyName))
			for what, open := range map[string]func() (Key, error){
				"OpenKey": func() (Key, error) { return OpenKey(d) },
				"MakeKey": func() (Key, error) { return MakeKey(nil, d) },
			} {
				_, err := open()
				var missing *MissingKeyError
				var unusable *KeyError
				if tt.lost && (!errors.As(err, &missing) || missing.Known != k.Fingerprint() || !errors.Is(err, fs.ErrNotExist)) {
					t.Errorf("%s: %v", what, err)
				}
				if !tt.lost && !errors.As(err, &unusable) {
					t.Errorf("%s: %v", what, err)
				}
			}
			if now, _ := os.ReadFile(d.Path(KeyName)); !bytes.Equal(now, was) {
				t.Error("the key's file was changed")
			}
			if len(verify(t, d, Options{})) == 0 && tt.lost {
				t.Error("Verify finds nothing")
			}
			k2, path, err := Rekey(nil, d, sample(3))
			if err != nil {
				t.Fatal(err)
			}
			if fresh := k2.Fingerprint() != k.Fingerprint(); fresh != (path != "") {
				t.Errorf("fresh %v, path %q", fresh, path)
			}
			if damaged, err := os.ReadFile(d.Path(KeyName + damagedSuffix)); err == nil && !bytes.Equal(damaged, was) {
				t.Error("the damaged key was not kept")
			}
			good(t, d, Options{})
			must2(Write(nil, d, sample(4), must2(OpenKey(d))(t)))(t)
			good(t, d, Options{Key: k2.Public()})
			if _, path, err := Rekey(nil, d, sample(5)); err != nil || path != "" {
				t.Errorf("Rekey with a good key: %q, %v", path, err)
			}
		})
	}
}

// A first installation that was cut short after the key is no reason for a second
// key.
func TestLostKeyWithoutReceipts(t *testing.T) {
	d, k := machine(t)
	remove(t, d.Path(KeyName))
	var missing *MissingKeyError
	if _, err := MakeKey(nil, d); !errors.As(err, &missing) || missing.Known != k.Fingerprint() {
		t.Errorf("%v", err)
	}
	k2, path, err := Rekey(nil, d, sample(1))
	if err != nil || path != "" {
		t.Errorf("%q, %v", path, err)
	}
	chain(t, d, k2, 1)
	good(t, d, Options{})
}

func TestParsePublicRefuses(t *testing.T) {
	d, _ := machine(t)
	line := string(cat(t, d.Path(PubName)))
	const rsa = "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAAwEAAQ=="
	for _, b := range []string{"", "x", rsa, line + line, "command=\"x\" " + line, strings.Replace(line, "AAAA", "AAAB", 1)} {
		if _, err := ParsePublic([]byte(b)); err == nil {
			t.Errorf("%q", b)
		}
	}
	if _, err := ParsePublic([]byte(line)); err != nil {
		t.Error(err)
	}
}
