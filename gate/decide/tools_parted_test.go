package decide

import (
	"testing"

	"github.com/agenthooks/hookctl/gate/shell"
)

// What parted says apart, the full comparison never finds to meet.
func TestPartedErrsTowardsNo(t *testing.T) {
	names := []string{"", "a", "ab", ".x", `q\*`, "b*", "[ab]", "?", "**", "a b"}
	var globs, folders []string
	for _, one := range names {
		for _, two := range names {
			for _, three := range names[1:] {
				globs = append(globs, "/"+one+"/"+two+"/"+three)
			}
			folders = append(folders, "/"+one+"/", "/"+one+"/"+two+"/")
		}
	}
	said := 0
	for _, f := range folders {
		if !shell.Text(f).Plain() {
			continue
		}
		for _, g := range globs {
			if !parted(f, g) {
				continue
			}
			if said++; shell.Meet(shell.Text(f)+anyText, g) {
				t.Errorf("%s and %s meet", f, g)
			}
		}
	}
	if said < 1000 {
		t.Errorf("only %d pairs are apart: not much was tested", said)
	}
}
