// Command fakemodel stands in for a model, so that a real coding agent can be
// run offline. It speaks the Anthropic Messages API on a loopback address,
// plain and streamed, says what a script tells it to say, and logs what it was
// asked. It never listens to another machine and never logs a header, because a
// header may carry a key.
//
//	fakemodel -script script.json -log requests.jsonl
//
// Its first line on stdout is "listening on http://127.0.0.1:PORT".
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"time"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("fakemodel", flag.ContinueOnError)
	flags.SetOutput(stderr)
	addr := flags.String("addr", "127.0.0.1:0", "loopback `address` to listen on")
	script := flags.String("script", "", "script `file`: a JSON list of turns (required)")
	log := flags.String("log", "", "`file` that gets one JSON line a request (required)")
	life := flags.Duration("life", 5*time.Minute, "end after this long, whatever happens")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	if *script == "" || *log == "" {
		fmt.Fprintln(stderr, "fakemodel: -script and -log are required")
		return 2
	}
	if err := serve(*addr, *script, *log, *life, stdout); err != nil {
		fmt.Fprintln(stderr, "fakemodel:", err)
		return 1
	}
	return 0
}

// serve answers until it is interrupted or its life is over.
func serve(addr, script, log string, life time.Duration, stdout io.Writer) error {
	turns, err := readScript(script)
	if err != nil {
		return err
	}
	l, err := listen(addr)
	if err != nil {
		return err
	}
	defer l.Close()
	out, err := os.OpenFile(log, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer out.Close()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, life)
	defer cancel()

	srv := &http.Server{Handler: &model{turns: turns, log: out}, ReadHeaderTimeout: 10 * time.Second}
	go func() {
		<-ctx.Done()
		srv.Close()
	}()
	fmt.Fprintf(stdout, "listening on http://%s\n", l.Addr())
	if err := srv.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// listen opens addr if it is a literal loopback address. A name is refused even
// when it resolves to one: what it means is not this program's to decide.
func listen(addr string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	if ip := net.ParseIP(host); ip == nil || !ip.IsLoopback() {
		return nil, fmt.Errorf("refuse to listen on %q: not a loopback address", addr)
	}
	return net.Listen("tcp", addr)
}
