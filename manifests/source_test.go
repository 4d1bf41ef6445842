package manifests

import (
	"slices"
	"testing"
)

const commented = `# a team's own
schema: 1

# why we wait
# for the release
mode: warn # two weeks
signals:
  en:
    - 'commit #[0-9]+' # an issue
    # the second
    - '# no comment'
prompt: >-
  # no comment either
`

func TestComments(t *testing.T) {
	want := []Comment{
		{1, "a team's own", "schema: 1"},
		{4, "why we wait", "mode: warn"},
		{5, "for the release", "mode: warn"},
		{6, "two weeks", "mode: warn"},
		{9, "an issue", "- 'commit #[0-9]+'"},
		{10, "the second", "- '# no comment'"},
	}
	if got := Comments([]byte(commented)); !slices.Equal(got, want) {
		t.Errorf("got %+v", got)
	}
}

func TestLine(t *testing.T) {
	for path, want := range map[string]int{
		"$.schema": 2, "$.mode": 6, "$.signals.en[0]": 9, "$.signals.en[1]": 11, "$.signals.ja[0]": 0, "$.nothing": 0, "not a path": 0,
	} {
		if got := Line([]byte(commented), path); got != want {
			t.Errorf("%s is in line %d, want %d", path, got, want)
		}
	}
}

func FuzzComments(f *testing.F) {
	f.Add([]byte(commented))
	f.Add([]byte("#"))
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, c := range Comments(b) {
			if c.Line < 1 || c.Text == "" {
				t.Errorf("%+v", c)
			}
		}
	})
}
