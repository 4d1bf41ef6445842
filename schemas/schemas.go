// Package schemas carries the JSON Schemas of the files that people write, for
// their editors. It checks nothing: the readers in manifests and simulate do, and
// tests beside them hold each schema and its reader together.
//
// The schemas are of draft 7, which every editor reads, and refer to nothing outside
// of themselves, so that they work without a network.
package schemas

import (
	"embed"
	"slices"
)

//go:embed *.schema.json
var files embed.FS

// Schema describes one kind of file.
type Schema struct {
	Name string // "gate"
	Of   string // which files it describes, in words
}

// All are the schemas, in the order in which a person meets the files.
func All() []Schema {
	return []Schema{
		{"hookctl", "hookctl.yaml of a bundle"},
		{"gate", "gates/ID.yaml of a bundle: a whole gate, or with extends a patch"},
		{"case", "cases/GATE/SIDE/SLUG.yaml of a bundle: the note beside a case"},
		{"config", "config.yaml of a machine, in hookctl's home"},
		{"scenario", "a scenario of hookctl simulate"},
	}
}

// Names are the names of [All].
func Names() (names []string) {
	for _, s := range All() {
		names = append(names, s.Name)
	}
	return names
}

// File is the name of the schema's file.
func (s Schema) File() string { return s.Name + ".schema.json" }

// Text is the schema of a name; nil when there is none of it.
func Text(name string) []byte {
	i := slices.Index(Names(), name)
	if i < 0 {
		return nil
	}
	b, err := files.ReadFile(All()[i].File())
	if err != nil {
		panic(err) // the files are part of the program
	}
	return b
}
