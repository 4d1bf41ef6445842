package main

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
)

// maxBody bounds one request, in bytes. A client's first request with all its
// tools is about 100 KB.
const maxBody = 32 << 20

// model answers requests in the script's order.
type model struct {
	turns []Turn
	log   io.Writer

	mu    sync.Mutex
	asked int // requests so far
	next  int // the turn that comes next
}

// Record is one line of the log.
type Record struct {
	N      int             `json:"n"` // 1-based
	Method string          `json:"method"`
	Path   string          `json:"path"`
	Kind   string          `json:"kind"`           // turn, over, aside, count, other
	Turn   int             `json:"turn,omitempty"` // 1-based; 0 when no turn was taken
	Body   json.RawMessage `json:"body,omitempty"` // absent when it is not JSON
}

// ask is the part of a Messages request that decides the answer.
type ask struct {
	Model  string            `json:"model"`
	Stream bool              `json:"stream"`
	Tools  []json.RawMessage `json:"tools"`
}

func (m *model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		fail(w, http.StatusRequestEntityTooLarge, "request_too_large", err.Error())
		return
	}
	var a ask
	readable := json.Unmarshal(body, &a) == nil
	rec, turn, err := m.take(r, body, len(a.Tools) > 0)
	if err != nil {
		fail(w, http.StatusInternalServerError, "api_error", "log: "+err.Error())
		return
	}
	switch rec.Kind {
	case "count":
		answer(w, http.StatusOK, object{"input_tokens": len(body) / 4})
	case "other":
		// A client's probes (HEAD /, GET /v1/models, telemetry) get a plain "not
		// here", which all of them bear.
		fail(w, http.StatusNotFound, "not_found_error", "fakemodel has no "+r.Method+" "+r.URL.Path)
	default:
		if !readable {
			fail(w, http.StatusBadRequest, "invalid_request_error", "the body is not JSON")
			return
		}
		say(w, rec.N, a, turn)
	}
}

// take numbers the request, chooses its turn and logs it before it is answered,
// so that a client that has the answer finds the line. Only a request that
// declares tools is a turn of the conversation; one without is the client's own
// errand (a title, a topic), an aside.
func (m *model) take(r *http.Request, body []byte, tools bool) (Record, Turn, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.asked++
	rec := Record{N: m.asked, Method: r.Method, Path: r.URL.Path, Kind: "other"}
	if json.Valid(body) {
		rec.Body = body
	}
	turn := Turn{Text: "ok"}
	path := strings.TrimSuffix(r.URL.Path, "/")
	switch {
	case r.Method != http.MethodPost:
	case path == "/v1/messages/count_tokens":
		rec.Kind = "count"
	case path != "/v1/messages":
	case !tools:
		rec.Kind = "aside"
	case m.next == len(m.turns):
		rec.Kind, turn = "over", over
	default:
		turn = m.turns[m.next]
		m.next++
		rec.Kind, rec.Turn = "turn", m.next
	}
	line, err := json.Marshal(rec)
	if err != nil {
		return rec, turn, err
	}
	_, err = m.log.Write(append(line, '\n'))
	return rec, turn, err
}
