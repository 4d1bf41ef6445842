package manifests

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// Gates reads every gate of a bundle, sorted by id. In a bundle that extends the
// embedded one these are the embedded gates, patched, and its own.
func Gates(bundle fs.FS) ([]Gate, error) {
	b, err := manifest(bundle)
	if err != nil {
		return nil, err
	}
	own, patches, err := OwnGates(bundle)
	if err != nil {
		return nil, err
	}
	if b.Extends == "" {
		for _, p := range patches {
			return nil, fmt.Errorf("%s: extends: hookctl.yaml extends nothing; write there extends: %s", gatePath(p.ID), ExtendsEmbedded)
		}
		return own, nil
	}
	base, err := Gates(Embedded())
	if err != nil {
		return nil, err
	}
	return extend(base, own, patches)
}

// OwnGates reads the gate files of a bundle as they are: the whole gates and the
// patches, each sorted by id.
func OwnGates(bundle fs.FS) (gates []Gate, patches []Patch, err error) {
	names, err := fs.Glob(bundle, "gates/*.yaml")
	if err != nil {
		return nil, nil, err
	}
	slices.Sort(names)
	var errs []error
	for _, name := range names {
		b, err := fs.ReadFile(bundle, name)
		if err != nil {
			return nil, nil, err
		}
		if isPatch(b) {
			p, err := ParsePatch(name, b)
			errs, patches = append(errs, err), append(patches, p)
			continue
		}
		g, err := ParseGate(name, b)
		errs, gates = append(errs, err), append(gates, g)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, nil, err
	}
	return gates, patches, nil
}

// isPatch tells a patch from a whole gate: it has the key extends.
func isPatch(b []byte) bool {
	var head struct {
		Extends any `yaml:"extends"`
	}
	// What cannot be read is told by whoever reads all of it.
	if err := unmarshal(b, &head); err != nil {
		return false
	}
	return head.Extends != nil
}

// extend puts own gates and patches on top of the base's. A whole gate takes the
// place of one of the same id.
func extend(base, own []Gate, patches []Patch) ([]Gate, error) {
	out := slices.Clone(base)
	var errs []error
	for _, p := range patches {
		i := slices.IndexFunc(out, func(g Gate) bool { return g.ID == p.ID })
		if i < 0 {
			errs = append(errs, fmt.Errorf("%s: extends: there is no embedded gate %q; there are %s", gatePath(p.ID), p.ID, ids(base)))
			continue
		}
		g, err := p.apply(out[i])
		errs = append(errs, err)
		out[i] = g
	}
	for _, g := range own {
		if i := slices.IndexFunc(out, func(o Gate) bool { return o.ID == g.ID }); i >= 0 {
			out[i] = g
			continue
		}
		out = append(out, g)
	}
	slices.SortFunc(out, func(a, b Gate) int { return strings.Compare(a.ID, b.ID) })
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return out, nil
}

func ids(gates []Gate) string {
	var list []string
	for _, g := range gates {
		list = append(list, g.ID)
	}
	return strings.Join(list, ", ")
}

func gatePath(id string) string { return "gates/" + id + ".yaml" }

// manifest reads hookctl.yaml. A folder without one extends nothing.
func manifest(bundle fs.FS) (Bundle, error) {
	b, err := fs.ReadFile(bundle, "hookctl.yaml")
	if errors.Is(err, fs.ErrNotExist) {
		return Bundle{}, nil // cases and gates can be read without it
	}
	if err != nil {
		return Bundle{}, err
	}
	return ParseBundle(b)
}

// enforced reports for each gate and hook whether it blocks. A gate file that
// cannot be read is left out: whoever compiles it says why.
func enforced(bundle fs.FS) (map[string]bool, error) {
	b, err := manifest(bundle)
	if err != nil {
		return nil, err
	}
	modes := map[string]bool{}
	for _, h := range b.Hooks {
		modes[h.ID] = h.Mode == "enforce"
	}
	if b.Extends != "" {
		gates, err := Gates(bundle)
		for _, g := range gates {
			modes[g.ID] = g.Mode == "enforce"
		}
		return modes, err
	}
	names, err := fs.Glob(bundle, "gates/*.yaml")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		raw, err := fs.ReadFile(bundle, name)
		if err != nil {
			return nil, err
		}
		var head struct{ ID, Mode string }
		if unmarshal(raw, &head) == nil && head.Mode != "" {
			modes[head.ID] = head.Mode == "enforce"
		}
	}
	return modes, nil
}
