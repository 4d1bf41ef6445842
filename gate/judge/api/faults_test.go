package api

import (
	"bufio"
	"context"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/agenthooks/hookctl/gate/judge"
)

// raw starts a server that reads a request and then does as it is told with the
// connection.
func raw(t *testing.T, act func(c net.Conn)) *url.URL {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				if r, err := http.ReadRequest(bufio.NewReader(c)); err == nil {
					_ = r
					act(c)
				}
			}()
		}
	}()
	return &url.URL{Scheme: "http", Host: l.Addr().String()}
}

// Whatever a server does with the connection, the answer is an error within the
// deadline.
func TestConnectionFaults(t *testing.T) {
	const head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
	for name, tt := range map[string]struct {
		act  func(c net.Conn)
		want string
	}{
		"closes at once": {func(net.Conn) {}, "cannot be reached"},
		"never answers":  {func(c net.Conn) { hold(c) }, "no answer in time"},
		"half a header":  {func(c net.Conn) { write(c, head); hold(c) }, "no answer in time"},
		"half a body":    {func(c net.Conn) { write(c, head+"Content-Length: 100\r\n\r\n{"); hold(c) }, "no answer in time"},
		"half close": {func(c net.Conn) {
			write(c, head+"Content-Length: 100\r\n\r\n{\"choices\":")
			_ = c.(*net.TCPConn).CloseWrite()
		}, "cut off"},
		"a drip":            {drip(head + "\r\n{"), "no answer in time"},
		"an endless body":   {endless(head+"\r\n", " "), "larger than"},
		"an endless header": {endless(head, "X: "+strings.Repeat("x", 1000)+"\r\n"), "cannot be reached"},
		"chunked garbage":   {func(c net.Conn) { write(c, head+"Transfer-Encoding: chunked\r\n\r\nzz\r\nnot a chunk") }, "cut off"},
		"a chunk too short": {func(c net.Conn) { write(c, head+"Transfer-Encoding: chunked\r\n\r\nff\r\n{}") }, "cut off"},
		"no HTTP":           {func(c net.Conn) { write(c, "SSH-2.0-x\r\n\r\n") }, "cannot be reached"},
		"HTML":              {func(c net.Conn) { write(c, head+"Connection: close\r\n\r\n<html>Sign in</html>") }, "not in the form"},
		"gzip that is none": {func(c net.Conn) { write(c, head+"Content-Encoding: gzip\r\nConnection: close\r\n\r\n{}") }, "cut off"},
		"100 for ever":      {endless("", "HTTP/1.1 100 Continue\r\n\r\n"), "cannot be reached"},
	} {
		t.Run(name, func(t *testing.T) {
			s := Service{Dialect: "openai", Endpoint: raw(t, tt.act), Model: "m"}
			ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
			defer cancel()
			got := outcome(judge.Asker(s.Send, nil)(ctx, question("x")))
			if !strings.Contains(got, tt.want) || strings.Contains(got, "\n") || strings.Contains(got, "127.0.0.1") {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// hold keeps the connection until the client has gone.
func hold(c net.Conn) {
	b := make([]byte, 1)
	_, _ = c.Read(b)
}

func drip(first string) func(net.Conn) {
	return func(c net.Conn) {
		write(c, first)
		for {
			if _, err := c.Write([]byte(" ")); err != nil {
				return
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
}

func endless(first, more string) func(net.Conn) {
	return func(c net.Conn) {
		write(c, first)
		chunk := []byte(strings.Repeat(more, 1+4096/len(more)))
		for {
			if _, err := c.Write(chunk); err != nil {
				return
			}
		}
	}
}

func TestNobodyListens(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	s := Service{Dialect: "anthropic", Endpoint: &url.URL{Scheme: "http", Host: l.Addr().String()}, Model: "m"}
	if got := ask(s, "x"); got != string(judge.Unreachable) {
		t.Errorf("got %q", got)
	}
}

// Whatever a service answers, it is opened without a panic, and what is no error is
// bounded by it.
func FuzzWords(f *testing.F) {
	f.Add("openai", []byte(said("openai", "x")))
	f.Add("anthropic", []byte(said("anthropic", "x")))
	f.Add("openai", []byte(`{"choices":[{"message":{"content":"<think>a</think>b"}}]}`))
	f.Add("anthropic", []byte(`{"content":[{"type":"tool_use","name":"verdict","input":{"a":[null]}}]}`))
	f.Fuzz(func(t *testing.T, d string, answer []byte) {
		dialect, ok := dialects[d]
		if !ok {
			return
		}
		words, err := dialect.words(answer)
		if err == nil && len(words) > 4*len(answer)+16 {
			t.Errorf("%d bytes of words from %d", len(words), len(answer))
		}
		if err != nil && strings.ContainsAny(err.Error(), "\n\x1b") {
			t.Errorf("error %q", err)
		}
	})
}
