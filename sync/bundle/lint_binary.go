package bundle

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
)

// known are the systems and machines that hookctl is built for. A platform that
// is none of them is most likely a slip, such as linux/x64.
var (
	knownSystems  = []string{"darwin", "freebsd", "linux", "netbsd", "openbsd", "windows"}
	knownMachines = []string{"386", "amd64", "arm", "arm64", "loong64", "ppc64le", "riscv64", "s390x"}
)

// binaries looks at the programs that the bundle brings as a machine will.
func (l *linter) binaries() {
	all, err := Binaries(l.fsys)
	if err != nil {
		return // refused has said it
	}
	for _, platform := range slices.Sorted(maps.Keys(all)) {
		at := fmt.Sprintf("$.binaries.'%s'", platform)
		system, machine, _ := strings.Cut(platform, "/")
		if !slices.Contains(knownSystems, system) || !slices.Contains(knownMachines, machine) {
			l.addAt(Manifest, at, "binary-platform", "binaries: no machine is %s; write it as Go does, such as linux/amd64", platform)
		}
		if why := misfit(l.fsys, platform, all[platform]); why != nil {
			l.addAt(Manifest, at, "binary-refused", "%v", why)
		}
	}
}

// misfit is why a machine of that platform would refuse a program in fsys.
func misfit(fsys fs.FS, platform string, want Binary) error {
	if want.Path == "" {
		return nil // what lies at an address is not asked for
	}
	b, err := loadBinary(outsideFS(fsys), want.Path)
	if err != nil {
		return err
	}
	made, err := platforms(b)
	if err != nil {
		return &NotProgramError{Path: want.Path, What: err.Error()}
	}
	if !runsOn(made, platform) {
		return fmt.Errorf("%s is for %s, and is named for %s", want.Path, strings.Join(made, ", "), platform)
	}
	return nil
}

// Misfits lists the programs in fsys that the machines they are named for will
// refuse. A release with one of them serves the other platforms all the same.
func Misfits(fsys fs.FS) []error {
	all, err := Binaries(fsys)
	if err != nil {
		return []error{err}
	}
	var out []error
	for _, platform := range slices.Sorted(maps.Keys(all)) {
		if err := misfit(fsys, platform, all[platform]); err != nil {
			out = append(out, err)
		}
	}
	return out
}
