package pull

import (
	"bytes"
	"context"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/agenthooks/hookctl/sync/bundle"
	"github.com/agenthooks/hookctl/sync/source"
)

// depot is an https server that hands out programs, with a CA of its own that the
// machine is told of by HOOKCTL_CA_FILE.
type depot struct {
	*httptest.Server
	answer http.HandlerFunc
	asked  int
}

func newDepot(b box) *depot {
	b.Helper()
	d := &depot{}
	d.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		d.asked++
		d.answer(w, r)
	}))
	d.Config.ErrorLog = log.New(io.Discard, "", 0)
	d.StartTLS()
	b.Cleanup(d.Close)
	ca := filepath.Join(b.TempDir(), "ca.pem")
	must(b, os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: d.Certificate().Raw}), 0o644))
	inner := b.Getenv
	b.Getenv = func(k string) string {
		if k == "HOOKCTL_CA_FILE" {
			return ca
		}
		return inner(k)
	}
	return d
}

func (d *depot) serves(b []byte) {
	d.answer = func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(b) }
}

// offers releases the tiny bundle of that number with a program at the depot.
func (r *team) offers(n int, d *depot, data []byte) {
	r.Helper()
	must(r, os.RemoveAll(r.path("cases")))
	r.put(map[string]string{"gates/banana.yaml": textGate, "gates/secrets.yaml": toolGate(n), "cases/secrets/block/write.json": toolEvent(fmt.Sprintf("${HOME}/secret-%d", n))})
	r.names(fmt.Sprintf("{url: '%s/v%d/hookctl', sha256: %s, size: %d}", d.URL, n, hexSum(data), len(data)))
	r.sign(n)
	r.commit(fmt.Sprintf("Release %d", n))
}

// The program comes from an address of its own. What comes and is not the
// program that was signed is refused; what was there before goes on, and the next
// sync takes the right one.
func TestProgramFromAnAddress(t *testing.T) {
	two := wrapped("")
	tampered := bytes.Replace(two, []byte("#!/bin/sh\n"), []byte("#!/bin/sH\n"), 1)
	plain := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(two) }))
	defer plain.Close()
	r, b := newTeam(t), newBox(t)
	r.few(1)
	b.install(r.options())
	d := newDepot(b)
	r.offers(2, d, two)
	before := tree(t, b.User)
	page := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			w.WriteHeader(code)
			_, _ = w.Write([]byte("<!doctype html><title>Sign in</title>"))
		}
	}
	for _, tt := range []struct {
		name   string
		answer http.HandlerFunc
		is     func(error) bool
	}{
		{"tampered", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(tampered) }, isError[*bundle.DigestError]},
		{"e16-html-as-binary", page(http.StatusOK), isError[*bundle.NotProgramError]},
		{"short", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(two[:40]) }, isError[*bundle.FileSizeError]},
		{"long", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(append(bytes.Clone(two), two...)) }, isError[*bundle.FileSizeError]},
		{"cut off", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", strconv.Itoa(len(two)))
			_, _ = w.Write(two[:40])
		}, isError[*source.UnreachableError]},
		{"redirect to http", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, plain.URL+"/x", http.StatusFound) }, isError[*source.RedirectError]},
		{"not there", page(http.StatusNotFound), isError[*source.ServerError]},
	} {
		d.answer = tt.answer
		_, err := b.Sync(context.Background())
		if err == nil || !tt.is(err) {
			t.Errorf("%s: error %T %v", tt.name, err, err)
		}
		same(t, tt.name, before, tree(t, b.User))
	}
	b.good(1)

	// e44-resume-download: the half of another download that lies about is not
	// taken up.
	must(t, os.WriteFile(filepath.Join(b.Home.Cache(), "hookctl_linux_amd64.part"), []byte("old-old-old"), 0o644))
	d.serves(two)
	if rep := b.sync(); rep.Binary.After != hexSum(two) {
		t.Errorf("report %+v", rep)
	}
	b.runs(two)
	b.good(2)

	// It is asked for once.
	asked := d.asked
	b.sync()
	r.offers(3, d, two)
	b.sync()
	if d.asked != asked {
		t.Errorf("the depot was asked %d times more", d.asked-asked)
	}
	b.good(3)
	d.Close()
	must(t, os.Remove(b.Home.Binary()))
	if _, err := b.Sync(context.Background()); !isError[*DownloadError](err) || !strings.Contains(err.Error(), "program of release 3") {
		t.Errorf("error %v", err)
	}
}
