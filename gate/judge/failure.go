package judge

import (
	"strconv"
	"strings"
	"time"

	"github.com/agenthooks/hookctl/gate/redact"
)

// Kind is why a judge gave no verdict, where that can be told.
type Kind string

// The kinds of [Failure], in the words that people read.
const (
	Quota       Kind = "its quota or credit is used up"
	Rate        Kind = "too many requests"
	Login       Kind = "it is not logged in, or the key is refused"
	NoModel     Kind = "it does not have the model (retired, renamed, or not for this account)"
	Overloaded  Kind = "the service is down or overloaded"
	NoPath      Kind = "there is nothing at that address"
	Refused     Kind = "the request is refused"
	Unreachable Kind = "it cannot be reached"
	Option      Kind = "it does not know an option that hookctl needs; a newer version may"
	Declined    Kind = "the model declined to answer"
	CutOff      Kind = "the answer was cut off"
)

// Failure is a judge that answered, but with no verdict: a limit, a login, a
// model that is gone. It is worded by hookctl, because what services and programs
// write is for another reader, and of any length.
type Failure struct {
	Kind   Kind
	Status int // of HTTP; 0 = none is known
	// Detail is what the judge said itself: one line, redacted, for a person who
	// looks for the cause. It is not part of the error's text.
	Detail string
	// After is how long the judge asks not to be asked again, 0 when it says nothing.
	After time.Duration
}

func (f *Failure) Error() string {
	if f.Status > 0 {
		return string(f.Kind) + " (HTTP " + strconv.Itoa(f.Status) + ")"
	}
	return string(f.Kind)
}

// Detail makes a judge's words fit to stand in a [Failure].
func Detail(words string) string {
	line, _ := redact.Text(note(words))
	return line
}

// OfStatus is the failure behind a status of HTTP other than 2xx, and the words of
// the body.
func OfStatus(status int, body string) *Failure {
	f := &Failure{Status: status, Detail: Detail(body), Kind: Refused}
	said := Excuse(body)
	switch {
	case status == 401 || status == 403:
		f.Kind = Login
	case status == 404 && strings.Contains(strings.ToLower(body), "model"):
		f.Kind = NoModel
	case status == 404:
		f.Kind = NoPath
	case status == 402:
		f.Kind = Quota
	case status == 429:
		f.Kind = Rate
		if said != nil && said.Kind == Quota {
			f.Kind = Quota
		}
	case status >= 500:
		f.Kind = Overloaded
	case said != nil && (said.Kind == Quota || said.Kind == NoModel || said.Kind == Login):
		f.Kind = said.Kind // some services answer 400 for these
	}
	return f
}

// excuses are the words by which services and programs tell that there will be no
// answer, in the order in which they are looked for. All of a row's words must be
// there. They are looked for only in what holds no verdict.
var excuses = []struct {
	kind  Kind
	words []string
}{
	{Option, []string{"unknown option"}},
	{Option, []string{"unexpected argument"}},
	{Option, []string{"unknown argument"}},
	{Quota, []string{"usage limit"}},
	{Quota, []string{"insufficient_quota"}},
	{Quota, []string{"exceeded your current quota"}},
	{Quota, []string{"credit balance"}},
	{Quota, []string{"hit your limit"}},
	{Quota, []string{"limit reached"}},
	{Quota, []string{"out of credits"}},
	{Quota, []string{"spending limit"}},
	{Rate, []string{"rate limit"}},
	{Rate, []string{"rate_limit"}},
	{Rate, []string{"too many requests"}},
	{Rate, []string{"(429)"}},
	{Rate, []string{"resource_exhausted"}},
	{Rate, []string{"resource has been exhausted"}},
	{Quota, []string{"quota"}},
	{Login, []string{"not logged in"}},
	{Login, []string{"run /login"}},
	{Login, []string{"codex login"}},
	{Login, []string{"invalid", "api key"}},
	{Login, []string{"incorrect api key"}},
	{Login, []string{"api key not valid"}},
	{Login, []string{"invalid x-api-key"}},
	{Login, []string{"authentication_error"}},
	{Login, []string{"auth method"}},
	{Login, []string{"oauth token"}},
	{Login, []string{"401 unauthorized"}},
	{Login, []string{"403 forbidden"}},
	{NoModel, []string{"model_not_found"}},
	{NoModel, []string{"model", "not found"}},
	{NoModel, []string{"model", "does not exist"}},
	{NoModel, []string{"model", "may not exist"}},
	{NoModel, []string{"model", "retired"}},
	{NoModel, []string{"model", "deprecated"}},
	{NoModel, []string{"model", "no longer available"}},
	{NoModel, []string{"model", "not supported"}},
	{NoModel, []string{"404 not found"}},
	{Overloaded, []string{"overloaded"}},
	{Overloaded, []string{"at capacity"}},
	{Overloaded, []string{"service unavailable"}},
	{Overloaded, []string{"internal server error"}},
	{Overloaded, []string{"bad gateway"}},
	{Unreachable, []string{"lookup address"}},
	{Unreachable, []string{"enotfound"}},
	{Unreachable, []string{"econnrefused"}},
	{Unreachable, []string{"connection refused"}},
	{Unreachable, []string{"error sending request"}},
}

// maxExcuse bounds what is searched for an excuse, in bytes; they are short.
const maxExcuse = 16 << 10

// Excuse reads in words without a verdict why there is none; nil when they do not
// say.
func Excuse(words string) *Failure {
	low := strings.ToLower(words[max(0, len(words)-maxExcuse):])
next:
	for _, e := range excuses {
		for _, w := range e.words {
			if !strings.Contains(low, w) {
				continue next
			}
		}
		return &Failure{Kind: e.kind, Detail: Detail(words)}
	}
	return nil
}
