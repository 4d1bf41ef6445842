package cli

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/agenthooks/hookctl/gate/judge"
)

var geminiKeys = []string{"GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_LOCATION", "GOOGLE_GENAI_USE_VERTEXAI"}

// geminiSettings are the only settings that it reads, in a home of its own: it has
// no flag against hooks, MCP servers or the instructions in folders above. The
// folder is trusted since it refuses to answer in any other; ours is empty.
const geminiSettings = `{
  "hooksConfig": {"enabled": false},
  "tools": {"core": ["none"]},
  "mcp": {"allowed": ["none"]},
  "skills": {"enabled": false},
  "experimental": {"enableAgents": false},
  "context": {"fileName": "none", "memoryBoundaryMarkers": [], "includeDirectoryTree": false},
  "memory": {"enableManagedAutoMemory": false},
  "general": {"disableAutoUpdate": true, "disableUpdateNag": true, "enableAutoUpdate": false},
  "privacy": {"usageStatisticsEnabled": false},
  "telemetry": {"enabled": false},
  "security": {"folderTrust": {"enabled": false}, "auth": {"selectedType": "AUTH"}}
}
`

// geminiLogin are the files of a login with Google, copied for one run: what the
// program writes to them is thrown away, and the login outlives that.
var geminiLogin = []string{"oauth_creds.json", "google_accounts.json", "installation_id"}

// maxLogin bounds such a file, in bytes.
const maxLogin = 1 << 20

func geminiStart(a Agent, dir string, _ judge.Call) judge.Start {
	auth := "oauth-personal"
	switch {
	case os.Getenv("GOOGLE_GENAI_USE_VERTEXAI") == "true":
		auth = "vertex-ai"
	case os.Getenv("GEMINI_API_KEY") != "":
		auth = "gemini-api-key"
	}
	files := map[string][]byte{
		"home/.gemini/settings.json": []byte(strings.Replace(geminiSettings, "AUTH", auth, 1)),
		"system.md":                  []byte(system),
	}
	if user, err := os.UserHomeDir(); err == nil && auth == "oauth-personal" {
		for _, name := range geminiLogin {
			if b := login(filepath.Join(user, ".gemini", name)); b != nil {
				files["home/.gemini/"+name] = b
			}
		}
	}
	model := a.Model
	if model == "" {
		model = "flash" // an alias: it outlives a model, and asks no other model which one to take
	}
	argv := []string{a.Path, "--model", model, "--prompt", "", "--output-format", "json", "--approval-mode", "default", "--extensions", "none", "--allowed-mcp-server-names", "none"}
	return judge.Start{Argv: argv, Files: files, Set: []string{
		"GEMINI_CLI_HOME=" + filepath.Join(dir, "home"), "GEMINI_SYSTEM_MD=" + filepath.Join(dir, "system.md"),
		"GEMINI_CLI_NO_RELAUNCH=true", // it starts itself a second time else
	}}
}

// login reads a file that may be missing: without it the program says that it is
// not logged in.
func login(name string) []byte {
	fi, err := os.Stat(name)
	if err != nil || !fi.Mode().IsRegular() || fi.Size() > maxLogin {
		return nil
	}
	b, err := os.ReadFile(name)
	if err != nil {
		return nil
	}
	return b
}

// geminiWords opens {"response": …} or {"error": …}, which may stand behind lines
// of warnings.
func geminiWords(stdout []byte) (string, error) {
	s := string(stdout)
	start := strings.Index(s, "{")
	if start < 0 {
		return "", errors.New("it printed no result")
	}
	var r struct {
		Response string
		Error    *struct{ Message string }
	}
	if err := json.Unmarshal([]byte(s[start:]), &r); err != nil {
		return "", errors.New("what it printed is not its JSON")
	}
	if r.Error != nil {
		return "", excused(r.Error.Message)
	}
	return r.Response, nil
}
