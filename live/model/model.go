// Package model stands in for the model of a coding agent, so that a real agent
// can be driven offline. It speaks as much as agents need of four APIs: Anthropic
// Messages, OpenAI Responses, OpenAI Chat Completions and Gemini, plain and
// streamed. It listens on a loopback address only, says what it is told to say,
// and remembers what it was asked, without headers: one may hold a key. Whoever
// takes it for a proxy to another machine is refused, and remembered too.
package model

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

const (
	// maxBody bounds one request, in bytes. A first request with all its tools is
	// about 100 KB.
	maxBody = 32 << 20
	// maxOver is how often the end of the script is said before the model refuses
	// to answer: an agent that never ends a turn is ended by an error.
	maxOver = 8
)

// Turn is one answer: words, tool calls, or words and then calls.
type Turn struct {
	Text  string
	Calls []Call
}

// Call is one tool call.
type Call struct {
	Name  string
	Input any // the arguments, an object as JSON can hold it
	// Patch is the argument of a tool that takes text and no object (Responses API
	// only); Input is not looked at then.
	Patch string
}

// over is said when the script has ended.
var over = Turn{Text: "The script is over."}

// Server is a running model.
type Server struct {
	http *http.Server
	url  string

	mu      sync.Mutex
	turns   []Turn
	next    int // the turn that comes next
	overs   int
	asked   []Request
	refused []string
}

// Start starts a model on a free port of the loopback address.
func Start() (*Server, error) {
	l, err := listen("127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &Server{url: "http://" + l.Addr().String()}
	s.http = &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second}
	go func() {
		// A listener that breaks shows in the agent's run: the model does not answer.
		_ = s.http.Serve(l)
	}()
	return s, nil
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

// URL is the address, without a path.
func (s *Server) URL() string { return s.url }

// Close ends the model and every connection to it.
func (s *Server) Close() { _ = s.http.Close() }

// Play sets the script and forgets what was asked before.
func (s *Server) Play(turns ...Turn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.turns, s.next, s.overs, s.asked, s.refused = turns, 0, 0, nil, nil
}

// Turns are the requests of the conversation itself, in order, since Play.
func (s *Server) Turns() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []Request
	for _, r := range s.asked {
		if r.Kind == Scripted || r.Kind == Over {
			all = append(all, r)
		}
	}
	return all
}

// Refused names the other machines that were asked for through this one.
func (s *Server) Refused() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.refused...)
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if host := elsewhere(r); host != "" {
		s.mu.Lock()
		s.refused = append(s.refused, host)
		s.mu.Unlock()
		fail(w, http.StatusForbidden, "no machine but this one is reached from here")
		return
	}
	body, err := readBody(w, r)
	if err != nil {
		fail(w, http.StatusRequestEntityTooLarge, err.Error())
		return
	}
	var a ask
	readable := json.Unmarshal(body, &a) == nil
	a.api, a.op = route(r)
	a.stream = a.Stream || strings.HasSuffix(r.URL.Path, ":streamGenerateContent")
	n, turn, answered := s.take(r.URL.Path, body, a)
	switch {
	case a.op == "":
		// Probes and telemetry get a plain "not here", which all agents bear.
		fail(w, http.StatusNotFound, "there is no "+r.Method+" "+r.URL.Path)
	case a.op == "ping":
		w.WriteHeader(http.StatusOK)
	case a.op == "list":
		answer(w, http.StatusOK, object{"object": "list", "data": []object{
			{"id": Name, "object": "model", "type": "model", "display_name": Name, "owned_by": "nobody"},
		}})
	case !readable:
		fail(w, http.StatusBadRequest, "the body is not JSON")
	case a.op == "count":
		answer(w, http.StatusOK, object{"input_tokens": len(body) / 4, "totalTokens": len(body) / 4})
	case !answered:
		fail(w, http.StatusBadRequest, "the script is over")
	default:
		say(w, n, a, turn)
	}
}

// Name is the model's name, where an agent lets one choose it freely.
const Name = "fake-model"

// elsewhere is the machine that a request is meant for when it is not this one:
// a client that takes this server for its proxy asks so.
func elsewhere(r *http.Request) string {
	switch {
	case r.Method == http.MethodConnect:
		return r.Host
	case r.URL.Host != "" && !loopback(r.URL.Hostname()):
		return r.URL.Host
	}
	return ""
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

func readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil || r.Header.Get("Content-Encoding") != "gzip" {
		return body, err
	}
	z, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	body, err = io.ReadAll(io.LimitReader(z, maxBody+1))
	if err == nil && len(body) > maxBody {
		err = errors.New("the body is too large")
	}
	return body, err
}

// ask is the part of a request that decides the answer.
type ask struct {
	Model  string            `json:"model"`
	Stream bool              `json:"stream"`
	Tools  []json.RawMessage `json:"tools"`

	api, op string
	stream  bool
}

// route tells which API is asked for what; op is "" for anything else.
func route(r *http.Request) (api, op string) {
	p := strings.TrimSuffix(r.URL.Path, "/")
	read := r.Method == http.MethodGet || r.Method == http.MethodHead
	switch {
	case p == "" && read:
		return "", "ping"
	case r.Method == http.MethodGet && strings.HasSuffix(p, "/models"):
		return "", "list"
	case r.Method != http.MethodPost:
		return "", ""
	case strings.HasSuffix(p, "/messages"):
		return anthropic, "say"
	case strings.HasSuffix(p, "/messages/count_tokens"):
		return anthropic, "count"
	case strings.HasSuffix(p, "/responses"):
		return responses, "say"
	case strings.HasSuffix(p, "/chat/completions"):
		return chat, "say"
	case strings.HasSuffix(p, ":generateContent"), strings.HasSuffix(p, ":streamGenerateContent"):
		return gemini, "say"
	case strings.HasSuffix(p, ":countTokens"):
		return gemini, "count"
	}
	return "", ""
}

// take numbers the request, chooses its turn and remembers it before it is
// answered. Only a request that declares tools is a turn of the conversation; one
// without is the agent's own errand (a title, a topic), an aside.
func (s *Server) take(path string, body []byte, a ask) (n int, t Turn, answered bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	rec := Request{Kind: Other, Path: path}
	if json.Valid(body) {
		rec.Body = body
	}
	t, answered = Turn{Text: "ok"}, true
	switch {
	case a.op != "say":
	case len(a.Tools) == 0:
		rec.Kind = Aside
	case s.next < len(s.turns):
		rec.Kind, t = Scripted, s.turns[s.next]
		s.next++
	default:
		s.overs++
		rec.Kind, t, answered = Over, over, s.overs <= maxOver
	}
	s.asked = append(s.asked, rec)
	return len(s.asked), t, answered
}
