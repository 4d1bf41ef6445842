package main

import "github.com/agenthooks/hookctl/sync/bundle"

// binaryDiff is hookctl itself for one platform, in two bundles.
type binaryDiff struct {
	Platform string         `json:"platform"`
	Change   string         `json:"change"` // added, removed, changed
	Old      *bundle.Binary `json:"old,omitempty"`
	New      *bundle.Binary `json:"new,omitempty"`
}

// diffBinaries compares the programs that two bundles bring.
func diffBinaries(was, is edition) []binaryDiff {
	out := []binaryDiff{}
	for _, platform := range bothKeys(was.binaries, is.binaries) {
		a, old := was.binaries[platform]
		b, now := is.binaries[platform]
		d := binaryDiff{Platform: platform, Change: "changed", Old: &a, New: &b}
		switch {
		case a == b:
			continue
		case !old:
			d.Change, d.Old = "added", nil
		case !now:
			d.Change, d.New = "removed", nil
		}
		out = append(out, d)
	}
	return out
}

func (e *env) printBinaries(all []binaryDiff) {
	for _, b := range all {
		e.printf("%-7s  hookctl for %s\n", b.Change, b.Platform)
		for _, side := range []*bundle.Binary{b.Old, b.New} {
			if side != nil {
				e.printf("           %s  %s, %d bytes\n", side.SHA256, side.Where(), side.Size)
			}
		}
	}
}
