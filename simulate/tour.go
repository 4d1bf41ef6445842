package simulate

// Tour tries every way to change a file on each of the files, each from the same
// start: what a wiring keeps out is then one square of the table each. Contents are
// those that the files have at the start.
func Tour(title, agent string, files []string, contents map[string]string) Scenario {
	s := Scenario{Title: title, Agent: agent, Afresh: true, Files: map[string]string{}}
	for _, f := range files {
		text, ok := contents[f]
		if !ok {
			text = "before\n"
			s.Files[f] = text
		}
		at := "\"" + f + "\""
		if f[0] == '~' {
			at = "\"$HOME" + f[1:] + "\""
		}
		s.Requests = append(s.Requests,
			Request{Tool: toolEdit, File: f, Old: text, New: text + "after\n"},
			Request{Tool: toolWrite, File: f, Content: "after\n"},
			Request{Tool: toolBash, Label: "Bash echo >", File: f, Command: "echo after > " + at},
			Request{Tool: toolBash, Label: "Bash sed -i", File: f, Command: "sed -i.bak s/e/E/ " + at},
			Request{Tool: toolBash, Label: "Bash cp", File: f, Command: "echo after > new.tmp && cp new.tmp " + at},
			Request{Tool: toolBash, Label: "Bash mv", File: f, Command: "mv " + at + " moved.tmp"},
			Request{Tool: toolBash, Label: "Bash rm", File: f, Command: "rm " + at},
		)
	}
	return s
}
