package simulate

import (
	"errors"
	"fmt"
	"strings"
)

// edit is what a patch does to one file. Content nil deletes it.
type edit struct {
	name    string
	content *string
}

// applyPatch reads a patch in the form of Codex's apply_patch and gives what it does,
// with the files as read tells. It knows Add, Update with hunks, Move to and Delete.
func applyPatch(patch string, read func(name string) (string, bool)) ([]edit, error) {
	lines := strings.Split(strings.TrimSpace(patch), "\n")
	if lines[0] != "*** Begin Patch" || lines[len(lines)-1] != "*** End Patch" {
		return nil, errors.New("a patch begins with \"*** Begin Patch\" and ends with \"*** End Patch\"")
	}
	lines = lines[1 : len(lines)-1]
	var edits []edit
	for len(lines) > 0 {
		head := lines[0]
		body := 1
		for body < len(lines) && (!strings.HasPrefix(lines[body], "*** ") || moves(lines[body])) {
			body++
		}
		more, err := patchFile(head, lines[1:body], read)
		if err != nil {
			return nil, err
		}
		edits, lines = append(edits, more...), lines[body:]
	}
	return edits, nil
}

// moves knows the lines that begin as a file's head does and are none.
func moves(line string) bool {
	return strings.HasPrefix(line, "*** Move to: ") || line == "*** End of File"
}

func patchFile(head string, body []string, read func(string) (string, bool)) ([]edit, error) {
	if name, ok := strings.CutPrefix(head, "*** Add File: "); ok {
		var b strings.Builder
		for _, l := range body {
			b.WriteString(strings.TrimPrefix(l, "+") + "\n")
		}
		text := b.String()
		return []edit{{name, &text}}, nil
	}
	if name, ok := strings.CutPrefix(head, "*** Delete File: "); ok {
		return []edit{{name, nil}}, nil
	}
	name, ok := strings.CutPrefix(head, "*** Update File: ")
	if !ok {
		return nil, fmt.Errorf("a patch cannot have the line %q here", head)
	}
	text, there := read(name)
	if !there {
		return nil, fmt.Errorf("%s is not there", name)
	}
	to := name
	if len(body) > 0 && strings.HasPrefix(body[0], "*** Move to: ") {
		to, body = strings.TrimPrefix(body[0], "*** Move to: "), body[1:]
	}
	text, err := hunks(name, text, body)
	if err != nil {
		return nil, err
	}
	if to != name {
		return []edit{{name, nil}, {to, &text}}, nil
	}
	return []edit{{name, &text}}, nil
}

// hunks applies the hunks of one file, each behind the one before.
func hunks(name, text string, body []string) (string, error) {
	have := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	var out []string
	var old, new []string
	flush := func() error {
		if len(old)+len(new) == 0 {
			return nil
		}
		i := find(have, old)
		if i < 0 {
			return fmt.Errorf("%s does not hold the lines %q", name, strings.Join(old, "\n"))
		}
		out = append(append(out, have[:i]...), new...)
		have, old, new = have[i+len(old):], nil, nil
		return nil
	}
	for _, l := range body {
		switch {
		case strings.HasPrefix(l, "@@"), l == "*** End of File":
			if err := flush(); err != nil {
				return "", err
			}
		case strings.HasPrefix(l, "-"):
			old = append(old, l[1:])
		case strings.HasPrefix(l, "+"):
			new = append(new, l[1:])
		default:
			l = strings.TrimPrefix(l, " ")
			old, new = append(old, l), append(new, l)
		}
	}
	if err := flush(); err != nil {
		return "", err
	}
	return strings.Join(append(out, have...), "\n") + "\n", nil
}

// find is where the lines sub stand in lines, -1 = nowhere.
func find(lines, sub []string) int {
	for i := 0; i+len(sub) <= len(lines); i++ {
		j := 0
		for j < len(sub) && lines[i+j] == sub[j] {
			j++
		}
		if j == len(sub) {
			return i
		}
	}
	return -1
}
