package journal

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"
)

// A line is what encoding/json makes of it, whichever members it has.
func TestEncode(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	texts := []string{"", "a b", "it's <b> & \"c\"", "C:\\x", "日本語", "\x00\n\t", "\xff bad", "\u2028", "~"}
	fill := func(l *Line) {
		v := reflect.ValueOf(l).Elem()
		for i := range v.NumField() {
			switch f := v.Field(i).Addr().Interface().(type) {
			case *string:
				*f = texts[r.IntN(len(texts))]
			case *int:
				*f = r.IntN(3) - 1
			case *time.Time:
				*f = time.Unix(r.Int64N(1<<32), r.Int64N(1e9)*r.Int64N(2)).UTC()
			case *[]string:
				*f = texts[:r.IntN(len(texts))]
			case *[]Gate:
				exit := 2
				*f = []Gate{{ID: "a", Outcome: texts[r.IntN(len(texts))]}, {Exit: &exit, Micros: 3}}[:r.IntN(3)]
			case *map[string]int:
				*f = map[string]int{"env": 1}
			case *map[string]int64:
				*f = map[string]int64{"read": 5, "all": 1 << 40, "layer1": -1}
			default:
				t.Fatalf("no value for %T: add one, and write it in object", f)
			}
			if r.IntN(3) == 0 && v.Type().Field(i).Name != "Time" {
				v.Field(i).SetZero()
			}
		}
	}
	for range 2000 {
		var l Line
		fill(&l)
		got, err := encode(l)
		if err != nil {
			t.Fatal(err)
		}
		var want bytes.Buffer
		e := json.NewEncoder(&want)
		e.SetEscapeHTML(false)
		if err := e.Encode(l); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want.Bytes()) {
			t.Fatalf("got  %s\nwant %s", got, want.Bytes())
		}
	}
}
