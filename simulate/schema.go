package simulate

import _ "embed" // the schema

//go:embed scenario.schema.json
var schema string

// Schema is the JSON Schema of a scenario file, for editors.
func Schema() string { return schema }
