// Package api asks judges that are services: Anthropic's Messages and OpenAI's
// Chat Completions, which most servers of other models speak too. One question is
// one request, or a second one where a server refuses a member of the first.
//
// It follows no redirect, sends a key to the one host that it is pinned to, speaks
// plain HTTP to this machine alone, and reads a bounded answer within a bounded
// time. What a server answers is hostile until package judge has parsed it.
package api

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"strings"

	"github.com/agenthooks/hookctl/gate/judge"
)

// Service is one service with one model.
type Service struct {
	// Dialect is "anthropic" or "openai".
	Dialect string
	// Endpoint is the address before the dialect's own path, as the services' own
	// programs take it: https://api.anthropic.com, https://api.openai.com/v1.
	Endpoint *url.URL
	Model    string
	Key      Key
	// Shape is what the server is known to take; nil means everything. Learned is
	// told when a server refused something and answered without.
	Shape   func() Shape
	Learned func(Shape)
}

// Shape is what a request leaves out, because the server refused it.
type Shape struct {
	NoSchema      bool `json:"no_schema,omitempty"`
	NoTemperature bool `json:"no_temperature,omitempty"`
}

// less is the shape to try after a server refused s with these words; false when
// there is nothing left to leave out.
func (s Shape) less(words string) (Shape, bool) {
	words = strings.ToLower(words)
	switch {
	case !s.NoTemperature && strings.Contains(words, "temperature"):
		s.NoTemperature = true
	case !s.NoSchema && (strings.Contains(words, "schema") || strings.Contains(words, "response_format") || strings.Contains(words, "tool")):
		s.NoSchema = true
	case !s.NoSchema || !s.NoTemperature: // it does not say what
		s = Shape{NoSchema: true, NoTemperature: true}
	default:
		return s, false
	}
	return s, true
}

// dialect is how one API is spoken.
type dialect struct {
	path   string
	header func(key string) map[string]string
	body   func(model string, c judge.Call, s Shape) any
	words  func(answer []byte) (string, error)
}

var dialects = map[string]dialect{
	"anthropic": {
		"/v1/messages",
		func(key string) map[string]string {
			h := map[string]string{"anthropic-version": "2023-06-01"}
			if key != "" {
				h["x-api-key"] = key
			}
			return h
		}, anthropicBody, anthropicWords,
	},
	"openai": {
		"/chat/completions",
		func(key string) map[string]string {
			if key == "" {
				return nil // a server on this machine as a rule
			}
			return map[string]string{"Authorization": "Bearer " + key}
		}, openaiBody, openaiWords,
	},
}

// Send is a [judge.Send].
func (s Service) Send(ctx context.Context, c judge.Call) ([]byte, error) {
	d, ok := dialects[s.Dialect]
	if !ok {
		return nil, errors.New("unknown API " + s.Dialect)
	}
	if s.Endpoint.Scheme != "https" && !loopback(s.Endpoint.Hostname()) {
		return nil, errors.New("plain http is for this machine only") // the text would be readable on the way
	}
	key, err := s.Key.read(s.Endpoint.Host)
	if err != nil {
		return nil, err
	}
	shape := Shape{}
	if s.Shape != nil {
		shape = s.Shape()
	}
	known := shape
	for {
		body, err := json.Marshal(d.body(s.Model, c, shape))
		if err != nil {
			return nil, err
		}
		answer, err := post(ctx, s.Endpoint.JoinPath(d.path), d.header(key), body)
		if f, ok := errors.AsType[*judge.Failure](err); ok && f.Kind == judge.Refused && (f.Status == 400 || f.Status == 422) {
			next, more := shape.less(f.Detail)
			if more {
				shape = next
				continue
			}
		}
		if err != nil {
			return nil, err
		}
		if shape != known && s.Learned != nil {
			s.Learned(shape)
		}
		words, err := d.words(answer)
		return []byte(words), err
	}
}
