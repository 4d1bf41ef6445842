package judge

import (
	"encoding/json"

	"github.com/agenthooks/hookctl/gate"
)

// nonceField is the member of an answer that carries the nonce of its call.
const nonceField = "nonce"

// schema is the JSON Schema of an answer to q: closed, and all required, as the
// strict modes of the services want it. The nonce is a plain string, not the one
// word that is right: services compile a schema when they see it first, in
// seconds, and keep it, so that it must be the same for every call.
func schema(q gate.Question) json.RawMessage {
	if len(q.Gates) == 1 {
		return encode(closed(append(prop{{nonceField, kindOf("string")}}, props(q.Gates[0].Rule)...)))
	}
	var gates prop
	for _, asked := range q.Gates {
		gates = append(gates, member{asked.Rule.ID, closed(props(asked.Rule))})
	}
	return encode(closed(prop{{nonceField, kindOf("string")}, {"gates", closed(gates)}}))
}

// props are the members of one gate's object, in the order in which they are to be
// written: the reason first lets a model without thoughts of its own think in it.
func props(r *gate.Rule) prop {
	all := prop{{"reason", kindOf("string")}}
	for _, f := range r.Judge.Fields {
		all = append(all, member{f.Name, kindOf("boolean")})
	}
	return all
}

// prop keeps members in order, which a map does not.
type prop []member

type member struct {
	name  string
	value any
}

func (p prop) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, m := range p {
		if i > 0 {
			b = append(b, ',')
		}
		name, err := json.Marshal(m.name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(m.value)
		if err != nil {
			return nil, err
		}
		b = append(append(append(b, name...), ':'), value...)
	}
	return append(b, '}'), nil
}

func kindOf(t string) any { return prop{{"type", t}} }

func closed(p prop) any {
	names := []string{}
	for _, m := range p {
		names = append(names, m.name)
	}
	return prop{{"type", "object"}, {"properties", p}, {"required", names}, {"additionalProperties", false}}
}

func encode(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		return nil // strings and booleans: it cannot fail
	}
	return b
}
