package simulate

import (
	"strings"

	"github.com/agenthooks/hookctl/install/settings"
)

// matches reports whether a registration is asked about a call, as its agent compares
// matchers. Where that cannot be told here it is taken for not matched, and why says so:
// protection that may not be there is not counted.
func (a agent) matches(event string, r Registration, c *call) (hit bool, why string) {
	name, _ := a.tool(event, c)
	reader := settings.ReaderOf(a.name, "")
	tool := reader.Tool(name)
	if strings.HasSuffix(event, "ShellExecution") { // Cursor compares these with the command
		tool = settings.Tool{Name: c.Command}
	}
	if only := r.Callback.only; only != "" && only != name {
		return false, "its \"if\" names " + only
	}
	if r.Matcher == "" {
		return true, ""
	}
	switch reader.Matches(event, r.Matcher, tool) {
	case settings.Yes:
		return true, ""
	case settings.Unknown:
		return false, "whether this expression fits cannot be told here"
	}
	return false, ""
}
