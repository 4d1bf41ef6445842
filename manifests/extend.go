package manifests

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// check refuses what hookctl.yaml cannot mean.
func (b Bundle) check() error {
	f := faults{file: "hookctl.yaml"}
	if b.Requires != "" {
		if _, ok := parseVersion(b.Requires); !ok {
			f.add("requires", "%q, want a version such as 1.2.0", b.Requires)
		}
	}
	if b.Extends != "" && b.Extends != ExtendsEmbedded {
		f.add("extends", "%q, want %s", b.Extends, ExtendsEmbedded)
	}
	if b.Extends == "" && len(b.DropCases) > 0 {
		f.add("drop_cases", "the bundle extends nothing")
	}
	seen := map[string]bool{}
	for i, d := range b.DropCases {
		field := fmt.Sprintf("drop_cases[%d]", i)
		switch {
		case d.Case == "":
			f.add(field+".case", "missing")
		case seen[d.Case]:
			f.add(field+".case", "%q twice", d.Case)
		}
		if strings.TrimSpace(d.Why) == "" {
			f.add(field+".why", "missing")
		}
		seen[d.Case] = true
	}
	if b.Floor.Timeout < 0 {
		f.add("floor.timeout", "%s, want a time such as 8s", b.Floor.Timeout)
	}
	b.checkHooks(&f)
	for _, platform := range slices.Sorted(maps.Keys(b.Binaries)) {
		b.Binaries[platform].check(&f, platform)
	}
	return f.err()
}

// RequiresError: the bundle is for a newer hookctl.
type RequiresError struct{ Have, Want string }

func (e *RequiresError) Error() string {
	return fmt.Sprintf("the bundle requires hookctl %s, this is %s", e.Want, e.Have)
}

// Runs is a [RequiresError] when program, the version of this hookctl, is older
// than the bundle demands. Only a release (v1.2.3) is measured: what a developer
// built has no place in the order of versions.
func (b Bundle) Runs(program string) error {
	want, ok := parseVersion(b.Requires)
	if !ok {
		return nil
	}
	have, ok := parseVersion(program)
	if !ok || !strings.HasPrefix(program, "v") {
		return nil
	}
	for i := range want {
		if have[i] != want[i] {
			if have[i] < want[i] {
				return &RequiresError{Have: program, Want: b.Requires}
			}
			return nil
		}
	}
	return nil
}

// parseVersion reads 1.2.3 or v1.2.3, and nothing that comes before or after a
// release.
func parseVersion(s string) (v [3]int, ok bool) {
	parts := strings.Split(strings.TrimPrefix(s, "v"), ".")
	if len(parts) != len(v) {
		return v, false
	}
	for i, p := range parts {
		n, err := strconv.Atoi(p)
		if err != nil || n < 0 || strconv.Itoa(n) != p {
			return v, false
		}
		v[i] = n
	}
	return v, true
}
