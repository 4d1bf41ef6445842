package judge

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"

	"github.com/agenthooks/hookctl/gate"
	"github.com/agenthooks/hookctl/gate/redact"
)

// Call is one question on its way to a judge.
type Call struct {
	// Prompt is all that is sent: the secrets are taken out already.
	Prompt string
	// Schema is the JSON Schema of the answer, for a backend that can hold its
	// model to one. It is the same for every call about the same gates.
	Schema json.RawMessage
}

// Send puts a call to a judge and returns the words that it answered with, out of
// the envelope that they came in. An answer that is no answer (a limit, a refusal)
// is a [Failure].
type Send func(context.Context, Call) ([]byte, error)

// Asker asks through send. The answer must carry the nonce of its call: a verdict
// that stands in the text, or comes from elsewhere, is none. taken, when it is not
// nil, is told how many secrets were taken out, before anything is sent.
func Asker(send Send, taken func(redact.Counts)) gate.Asker {
	return func(ctx context.Context, q gate.Question) (map[string]gate.Answer, error) {
		nonce := newNonce()
		prompt, counts := compose(q, nonce, true)
		if taken != nil {
			taken(counts)
		}
		out, err := send(ctx, Call{Prompt: prompt, Schema: schema(q)})
		if err != nil {
			return nil, err
		}
		return understood(out, q, nonce, nonce)
	}
}

// understood reads a judge's words. What is no verdict may say why there is none.
func understood(out []byte, q gate.Question, nonce, marked string) (map[string]gate.Answer, error) {
	out = afterEcho(out, nonce)
	answers, err := parse(out, q, marked)
	if err != nil {
		if f := Excuse(string(out)); f != nil {
			return nil, f
		}
		return nil, err
	}
	return answers, nil
}

func newNonce() string {
	b := make([]byte, 16)
	rand.Read(b) // never fails
	return hex.EncodeToString(b)
}

// afterEcho drops a prompt that the program printed again, since the text in it
// may hold anything, a verdict too.
func afterEcho(out []byte, nonce string) []byte {
	end := []byte(endMarker(nonce))
	if i := bytes.LastIndex(out, end); i >= 0 {
		return out[i+len(end):]
	}
	if bytes.Contains(out, []byte(beginMarker(nonce))) {
		return nil
	}
	return out
}
