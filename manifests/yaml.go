package manifests

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/token"
)

// The YAML library (v1.19.2) panics on some texts with odd tags, which a fuzz test
// found. Whatever it reads goes through the functions of this file, where that is
// an error of the text.

// decode reads one document, in which every name must be known. No bytes are a
// value without choices.
func decode(name string, b []byte, v any) (err error) {
	defer caught(&err, name)
	d := yaml.NewDecoder(bytes.NewReader(b), yaml.Strict())
	err = d.Decode(v)
	if errors.Is(err, io.EOF) {
		return nil // an empty file
	}
	if err != nil {
		return fmt.Errorf("%s: %s", name, yaml.FormatError(err, false, false))
	}
	var more any
	if err := d.Decode(&more); !errors.Is(err, io.EOF) {
		return fmt.Errorf("%s: more than one YAML document", name)
	}
	return nil
}

// unmarshal reads what it knows of a text.
func unmarshal(b []byte, v any) (err error) {
	defer caught(&err, "YAML")
	return yaml.Unmarshal(b, v)
}

// tokens are those of a text; none when it cannot be read.
func tokens(text []byte) (all token.Tokens) {
	var err error
	defer caught(&err, "YAML")
	return lexer.Tokenize(string(text))
}

func caught(err *error, name string) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("%s: cannot be read as YAML: %v", name, p)
	}
}
