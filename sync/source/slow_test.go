package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A server that stands still, drips, or never ends is cut off.
func TestSlowAndEndlessServer(t *testing.T) {
	src := newRepo(t)
	src.commit("a", "1")
	w := newWeb(t, src)
	const refs = "application/x-git-upload-pack-advertisement"
	write := func(first string, chunk []byte, every time.Duration) http.HandlerFunc {
		return func(rw http.ResponseWriter, r *http.Request) {
			rw.Header().Set("Content-Type", refs)
			if r.Method == http.MethodPost {
				rw.Header().Set("Content-Type", "application/x-git-upload-pack-result")
			}
			fmt.Fprint(rw, first)
			for r.Context().Err() == nil {
				if _, err := rw.Write(chunk); err != nil {
					return
				}
				rw.(http.Flusher).Flush()
				time.Sleep(every)
			}
		}
	}
	onlyPack := func(h http.HandlerFunc) http.HandlerFunc {
		return func(rw http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost {
				h(rw, r)
				return
			}
			w.backend(rw, r)
		}
	}
	pkt := func(s string) string { return fmt.Sprintf("%04x%s", len(s)+4, s) }
	const nak = "0008NAK\n"
	first := pkt(strings.Repeat("ab", 20) + " refs/heads/a\x00ofs-delta\n")
	line := []byte(pkt(strings.Repeat("ab", 20) + " refs/heads/b\n"))
	packet := append([]byte("fff0\x01"), bytes.Repeat([]byte("x"), 0xfff0-5)...)
	progress := append([]byte("fff0\x02"), bytes.Repeat([]byte("x"), 0xfff0-5)...)
	tests := map[string]struct {
		answer http.HandlerFunc
		want   error // of its type
	}{
		"stands still":    {func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, &TimeoutError{}},
		"drips":           {write("", []byte("1"), 20*time.Millisecond), &TimeoutError{}},
		"drips a pack":    {onlyPack(write(nak, []byte("0005\x02"), 20*time.Millisecond)), &TimeoutError{}},
		"endless list":    {write(first, bytes.Repeat(line, 1000), 0), &LimitError{}},
		"endless pack":    {onlyPack(write(nak, packet, 0)), &LimitError{}},
		"endless framing": {onlyPack(write(nak, progress, 0)), &LimitError{}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			w.answer(tt.answer)
			o := w.options()
			o.Stall, o.maxPack = 10*time.Second, 4<<20
			if is[*TimeoutError](tt.want) {
				o.Stall = 500 * time.Millisecond
			}
			start := time.Now()
			dir := filepath.Join(t.TempDir(), "q")
			r := Remote{URL: w.addr(""), Branch: "main"}
			_, err := FetchWith(t.Context(), dir, r, o)
			if fmt.Sprintf("%T", err) != fmt.Sprintf("%T", tt.want) {
				t.Errorf("error %v (%T), want %T", err, err, tt.want)
			}
			discreet(t, r, o, err)
			if d := time.Since(start); d > 10*time.Second {
				t.Errorf("took %v", d)
			}
			if left, _ := filepath.Glob(filepath.Join(dir, "receive-*")); len(left) > 0 {
				t.Errorf("left %v", left)
			}
		})
	}
	t.Run("context", func(t *testing.T) {
		w.answer(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		defer cancel()
		_, err := FetchWith(ctx, filepath.Join(t.TempDir(), "q"), Remote{URL: w.addr(""), Branch: "main"}, w.options())
		if !is[*TimeoutError](err) || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v (%T), want a TimeoutError", err, err)
		}
		ctx, cancel = context.WithCancel(t.Context())
		cancel()
		_, err = FetchWith(ctx, filepath.Join(t.TempDir(), "q"), Remote{URL: w.addr(""), Branch: "main"}, w.options())
		if !errors.Is(err, context.Canceled) {
			t.Errorf("error %v, want context.Canceled", err)
		}
	})
}
