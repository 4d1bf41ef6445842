package bundle

import (
	"crypto/rand"
	"crypto/rsa"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"
)

func TestParseSigners(t *testing.T) {
	alice := strings.TrimSpace(string(ssh.MarshalAuthorizedKey(signer(t, "alice").PublicKey())))
	small, err := rsa.GenerateKey(rand.Reader, 1024)
	if err != nil {
		t.Skip(err) // refused by the library already
	}
	smallKey, err := ssh.NewPublicKey(&small.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	bad := map[string]struct {
		text string
		want error
	}{
		"empty":            {"# nobody\n\n", &SignersError{}},
		"cert-authority":   {`*@example.test cert-authority ` + alice, &CertAuthorityError{}},
		"cert in a list":   {`a namespaces="x",cert-authority ` + alice, &CertAuthorityError{}},
		"unknown option":   {`a no-touch ` + alice, &SignersError{}},
		"option twice":     {`a namespaces="a",namespaces="b" ` + alice, &SignersError{}},
		"no quotes":        {`a namespaces=hookctl ` + alice, &SignersError{}},
		"open quote":       {`a namespaces="hookctl ` + alice, &SignersError{}},
		"empty namespaces": {`a namespaces="" ` + alice, &SignersError{}},
		"time":             {`a valid-before="tomorrow" ` + alice, &SignersError{}},
		"times swapped":    {`a valid-after="20270101",valid-before="20260101" ` + alice, &SignersError{}},
		"no principals":    {alice, &SignersError{}},
		"empty principal":  {`a,,b ` + alice, &SignersError{}},
		"no key":           {`a ssh-ed25519`, &SignersError{}},
		"key type":         {`a ssh-rsa ` + strings.Fields(alice)[1], &SignersError{}},
		"key cut off":      {`a ` + alice[:len(alice)-8], &SignersError{}},
		"small key":        {`a ` + string(ssh.MarshalAuthorizedKey(smallKey)), &SignersError{}},
		"binary":           {"a \x00" + alice, &SignersError{}},
		"good, then bad":   {`a ` + alice + "\nnonsense\n", &SignersError{}},
	}
	for name, tt := range bad {
		t.Run(name, func(t *testing.T) {
			_, err := ParseSigners([]byte(tt.text))
			wants(t, err, tt.want)
		})
	}
	s, err := ParseSigners([]byte("\ufeff# team\r\n\r\n" +
		"alice@example.test,*@ops.example.test\t" + alice + " a comment\r\n" +
		"  \"bob jones\" namespaces=\"hookctl, git\",valid-after=\"20260101\" " + alice))
	if err != nil {
		t.Fatal(err)
	}
	l := s.List()
	if len(l) != 2 || l[0].Line != 3 || l[1].Line != 4 || len(l[0].Principals) != 2 || l[1].Principals[0] != "bob jones" ||
		!strings.HasPrefix(l[0].Fingerprint(), "SHA256:") || l[1].ValidAfter.IsZero() {
		t.Errorf("%+v", l)
	}
}

func FuzzParseSigners(f *testing.F) {
	f.Add("a@b " + string(ssh.MarshalAuthorizedKey(signer(f, "alice").PublicKey())))
	f.Add(row(signer(f, "bob"), "bob", `namespaces="hookctl",valid-before="20270101Z" `))
	f.Fuzz(func(t *testing.T, s string) {
		list, err := ParseSigners([]byte(s))
		if (err == nil) != (len(list.list) > 0) {
			t.Errorf("%d keys, error %v", len(list.list), err)
		}
	})
}

func FuzzParseLock(f *testing.F) {
	f.Add(relock(f, bundleFS(), nil))
	_, b, _ := MakeLock(bundleFS(), LockOptions{Release: 1, Expires: now})
	f.Add(b)
	f.Add([]byte(`{"schema":1,"release":1,"files":{},"binaries":{"linux/amd64":{"sha256":"","size":1}}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		l, err := ParseLock(b)
		if err != nil {
			return
		}
		if l.Release <= 0 || l.Schema != LockSchema || l.Files[Manifest].SHA256 == "" {
			t.Errorf("%+v from %q", l, b)
		}
	})
}

func FuzzParseSignatures(f *testing.F) {
	b, _ := Sign([]byte("lock"), signer(f, "alice"))
	f.Add(b)
	f.Add(append(b, b...))
	f.Fuzz(func(t *testing.T, b []byte) {
		sigs, err := parseSignatures(b)
		if err == nil && len(b) > 0 && len(sigs) == 0 {
			t.Error("bytes without a signature")
		}
	})
}
