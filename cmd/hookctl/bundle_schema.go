package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/agenthooks/hookctl/install/files"
	"github.com/agenthooks/hookctl/schemas"
)

// schemaDir is where a bundle's repository keeps the schemas for its editors: beside
// the bundle, since a release does not hold them.
const schemaDir = "schemas"

func bundleSchemaCmd(e *env) *cobra.Command {
	var asJSON bool
	var dir string
	c := &cobra.Command{
		Use:   "schema [NAME]",
		Short: "Print the JSON Schema of a file that people write, for editors",
		Long: `schema prints the JSON Schema that an editor completes and checks a file by, of these:
` + strings.Join(schemas.Names(), ", ") + `.
Without a name it lists them. --write puts all of them into a folder, over those of an
older hookctl. "bundle init" has done so, and each of its files names its schema in the
first line:

  # yaml-language-server: $schema=../schemas/gate.schema.json`,
		Example: `  hookctl bundle schema
  hookctl bundle schema gate
  hookctl bundle schema --write schemas`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			switch {
			case dir != "" && len(args) > 0:
				return &usageError{err: fmt.Errorf("--write writes all of them: leave %s out", args[0])}
			case dir != "":
				return e.writeSchemas(dir)
			case len(args) == 0:
				return e.listSchemas(asJSON)
			}
			text := schemas.Text(args[0])
			if text == nil {
				return &usageError{err: fmt.Errorf("there is no schema %q; there are %s", args[0], strings.Join(schemas.Names(), ", "))}
			}
			e.printf("%s", text)
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "list them as JSON")
	c.Flags().StringVar(&dir, "write", "", "write all of them into the folder `DIR`")
	return c
}

// schemaRow is one row of the JSON report of bundle schema.
type schemaRow struct {
	Name string `json:"name"`
	File string `json:"file"`
	Of   string `json:"of"`
}

func (e *env) listSchemas(asJSON bool) error {
	rows := []schemaRow{}
	for _, s := range schemas.All() {
		rows = append(rows, schemaRow{s.Name, s.File(), s.Of})
	}
	if asJSON {
		return e.json(struct {
			Schema  int         `json:"schema"`
			Schemas []schemaRow `json:"schemas"`
		}{schema, rows})
	}
	for _, r := range rows {
		e.printf("%-9s %s\n", r.Name, r.Of)
	}
	return nil
}

func (e *env) writeSchemas(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, s := range schemas.All() {
		name := filepath.Join(dir, s.File())
		if err := (&files.Layer{}).WriteFile(name, schemas.Text(s.Name), 0o644); err != nil {
			return err
		}
		e.printf("wrote  %s\n", filepath.ToSlash(name))
	}
	return nil
}

// withSchema begins a file of a bundle with the line that tells editors its schema,
// where the bundle's repository keeps one.
func withSchema(dir, file, schema string, text []byte) []byte {
	name := schema + ".schema.json"
	if _, err := os.Stat(filepath.Join(dir, schemaDir, name)); err != nil {
		return text
	}
	up := strings.Repeat("../", strings.Count(filepath.ToSlash(file), "/"))
	return append([]byte("# yaml-language-server: $schema="+up+path.Join(schemaDir, name)+"\n"), text...)
}
