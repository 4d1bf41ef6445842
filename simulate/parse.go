package simulate

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/parser"
)

// maxScenario bounds a scenario file, in bytes.
const maxScenario = 1 << 20

// Parse reads a scenario file, in which every name must be known and every tool can
// be played. The error names the file and the lines.
func Parse(name string, text []byte) (s Scenario, err error) {
	defer func() {
		if p := recover(); p != nil { // the library (v1.19.2) panics on some odd texts
			err = fmt.Errorf("%s: cannot be read as YAML: %v", name, p)
		}
	}()
	if len(text) > maxScenario {
		return s, fmt.Errorf("%s: more than %d bytes", name, maxScenario)
	}
	d := yaml.NewDecoder(bytes.NewReader(text), yaml.Strict())
	if err := d.Decode(&s); err != nil && !errors.Is(err, io.EOF) {
		return s, fmt.Errorf("%s: %s", name, yaml.FormatError(err, false, false))
	}
	var more any
	if err := d.Decode(&more); !errors.Is(err, io.EOF) {
		return s, fmt.Errorf("%s: more than one YAML document", name)
	}
	var lines []string
	for _, p := range s.check() {
		lines = append(lines, fmt.Sprintf("%s:%d: %s", name, lineOf(text, p.path), p))
	}
	if len(lines) > 0 {
		return s, errors.New(strings.Join(lines, "\n"))
	}
	return s, nil
}

// lineOf finds where a value stands, from 1; the file's first line when it is not
// there.
func lineOf(text []byte, path string) int {
	f, err := parser.ParseBytes(text, 0)
	if err != nil {
		return 1
	}
	p, err := yaml.PathString(path)
	if err != nil {
		return 1
	}
	n, err := p.FilterFile(f)
	if err != nil || n == nil || n.GetToken() == nil {
		return 1
	}
	return n.GetToken().Position.Line
}
