package eval

import (
	"math"
	"slices"
)

// Counts are verdicts against labels. A judge that failed lets the message pass,
// and is counted so: in FN or TN, and in Failed as well.
type Counts struct {
	TP     int `json:"tp"` // blocked, and rightly
	FP     int `json:"fp"` // a false block
	FN     int `json:"fn"` // a missed one
	TN     int `json:"tn"`
	Failed int `json:"failed,omitempty"`
}

func (c *Counts) add(label, verdict string) {
	switch {
	case label == Block && verdict == Block:
		c.TP++
	case label == Block:
		c.FN++
	case verdict == Block:
		c.FP++
	default:
		c.TN++
	}
	if verdict == Failed {
		c.Failed++
	}
}

// Counted is the number of messages behind the counts.
func (c Counts) Counted() int { return c.TP + c.FP + c.FN + c.TN }

// Precision is the share of blocks that were right.
func (c Counts) Precision() *Rate { return rate(c.TP, c.TP+c.FP) }

// Recall is the share of what had to be blocked that was.
func (c Counts) Recall() *Rate { return rate(c.TP, c.TP+c.FN) }

// FalseBlocks is the share of all counted messages that were blocked wrongly.
func (c Counts) FalseBlocks() *Rate { return rate(c.FP, c.Counted()) }

// Rate is a share with its 95 % interval.
type Rate struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	Of    int     `json:"of"`
}

// z is the quantile of the normal distribution that leaves 2.5 % on each side.
const z = 1.959963984540054

// rate is the share k of n with the interval of Wilson (1927), which holds for
// few counts and for shares of 0 and 1 too; nil when n is 0, for then nothing is
// known.
func rate(k, n int) *Rate {
	if n == 0 {
		return nil
	}
	p, m := float64(k)/float64(n), float64(n)
	mid := (p + z*z/(2*m)) / (1 + z*z/m)
	half := z / (1 + z*z/m) * math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	// At 0 and 1 the bound is exact; rounding must not show another.
	low, high := max(mid-half, 0), min(mid+half, 1)
	if k == 0 {
		low = 0
	}
	if k == n {
		high = 1
	}
	return &Rate{Value: round(p), Low: round(low), High: round(high), Of: n}
}

// round keeps six digits: more say nothing, and differ between processors.
func round(f float64) float64 { return math.Round(f*1e6) / 1e6 }

// Group are the counts of one gate, or of all together, in every language.
type Group struct {
	Counts
	Languages map[string]*Counts
}

func (g *Group) add(lang, label, verdict string) {
	g.Counts.add(label, verdict)
	if g.Languages[lang] == nil {
		g.Languages[lang] = &Counts{}
	}
	g.Languages[lang].add(label, verdict)
}

func newGroup() *Group { return &Group{Languages: map[string]*Counts{}} }

// Report is how one subject did.
type Report struct {
	Judge    string
	Messages int
	Blocked  int // messages that at least one gate blocks
	Asked    int // messages that the judge was asked about
	Order    []string
	Gates    map[string]*Group
	// All counts messages and not verdicts: a message is blocked, or must be, when
	// that is so by any gate with a label that counts.
	All *Group
	// Unknown are the labels of gates that the rules do not have.
	Unknown map[string]int
	Rows    []Row
}

// Row is the verdict of one gate on one message. There is one where a signal hit
// and where a label stands.
type Row struct {
	ID       string `json:"id"`
	Gate     string `json:"gate"`
	Verdict  string `json:"verdict"`
	Sentence string `json:"sentence"`
	Label    string `json:"label,omitempty"`
	Lang     string `json:"lang,omitempty"`
}

// Wrong tells a false block and a missed one from a verdict that is right or not
// counted.
func (r Row) Wrong() (what string) {
	switch {
	case r.Label == Allow && r.Verdict == Block:
		return "false block"
	case r.Label == Block && r.Verdict != Block:
		return "missed"
	}
	return ""
}

// Blocks is the share of all messages that are blocked, labelled or not.
func (r *Report) Blocks() *Rate { return rate(r.Blocked, r.Messages) }

func newReport(s *Subject) *Report {
	r := &Report{Judge: s.judge, Order: s.gates, Gates: map[string]*Group{}, All: newGroup(), Unknown: map[string]int{}}
	for _, id := range s.gates {
		r.Gates[id] = newGroup()
	}
	return r
}

func (r *Report) add(m Message, said []Verdict, asked bool) {
	r.Messages++
	if asked {
		r.Asked++
	}
	for id := range m.Labels {
		if r.Gates[id] == nil {
			r.Unknown[id]++
		}
	}
	blocked, must, does, counted, failed := false, Allow, Allow, false, false
	for _, v := range said {
		label := m.Labels[v.Gate]
		blocked = blocked || v.Verdict == Block
		if v.Sentence != "" || label != "" {
			r.Rows = append(r.Rows, Row{ID: m.ID, Gate: v.Gate, Verdict: v.Verdict, Sentence: v.Sentence, Label: label, Lang: m.Lang})
		}
		if label != Allow && label != Block {
			continue
		}
		r.Gates[v.Gate].add(m.Lang, label, v.Verdict)
		counted, failed = true, failed || v.Verdict == Failed
		if label == Block {
			must = Block
		}
		if v.Verdict == Block {
			does = Block
		}
	}
	if blocked {
		r.Blocked++
	}
	if counted {
		if failed && does != Block {
			does = Failed
		}
		r.All.add(m.Lang, must, does)
	}
}

// Difference is one message on which two reports differ.
type Difference struct {
	ID       string `json:"id"`
	Gate     string `json:"gate"`
	First    string `json:"first"`
	Second   string `json:"second"`
	Label    string `json:"label,omitempty"`
	Sentence string `json:"sentence"`
}

// Differences lists where two subjects with the same rules said another thing to
// the same messages.
func Differences(a, b *Report) []Difference {
	out := []Difference{}
	// Both went through the same messages, gates and labels, and a signal hits
	// whatever the judge says: row stands beside row.
	for i := range min(len(a.Rows), len(b.Rows)) {
		x, y := a.Rows[i], b.Rows[i]
		if x.ID != y.ID || x.Gate != y.Gate || x.Verdict == y.Verdict {
			continue
		}
		d := Difference{ID: x.ID, Gate: x.Gate, First: x.Verdict, Second: y.Verdict, Label: x.Label, Sentence: x.Sentence}
		if y.Verdict == Block {
			d.Sentence = y.Sentence
		}
		out = append(out, d)
	}
	return out
}

// Langs are the languages of a group, sorted.
func (g *Group) Langs() []string {
	var out []string
	for l := range g.Languages {
		out = append(out, l)
	}
	slices.Sort(out)
	return out
}
