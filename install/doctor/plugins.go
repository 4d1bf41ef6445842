package doctor

import (
	"path/filepath"
	"slices"

	"github.com/agenthooks/hookctl/install/agent"
	"github.com/agenthooks/hookctl/install/settings"
)

// plugins are the hook files of plugins and extensions that are installed and,
// where that is cheap to tell, switched on.
func (p *patient) plugins() (files []File) {
	if dir := p.userDir(agent.Claude); dir != "" {
		for _, root := range p.claudePlugins(dir) {
			files = append(files, File{Agent: agent.Claude, Scope: "plugin", Path: filepath.Join(root, "hooks", "hooks.json"), Format: agent.Nested, Root: root})
		}
	}
	for _, name := range []string{agent.Gemini, agent.Qwen} {
		dir := p.userDir(name)
		if dir == "" {
			continue
		}
		found, _ := filepath.Glob(filepath.Join(dir, "extensions", "*", "hooks", "hooks.json")) // no bad pattern but in the folder's own name
		slices.Sort(found)
		for _, path := range found {
			files = append(files, File{Agent: name, Scope: "plugin", Path: path, Format: agent.Nested, Root: filepath.Dir(filepath.Dir(path))})
		}
	}
	return files
}

// claudePlugins are the folders of Claude Code's plugins that no settings file
// switches off.
func (p *patient) claudePlugins(dir string) (roots []string) {
	src, err := readFile(filepath.Join(dir, "plugins", "installed_plugins.json"), maxFile)
	if err != nil {
		return nil
	}
	t, err := settings.ParseJSON(src)
	if err != nil {
		return nil
	}
	list := t.Member("plugins")
	if !list.Is(settings.Object) {
		return nil
	}
	on := p.enabledPlugins()
	for i, name := range list.Names {
		if !on[name.Text] {
			continue
		}
		copies := []*settings.Node{list.Kids[i]}
		if list.Kids[i].Kind == settings.Array {
			copies = list.Kids[i].Kids
		}
		for _, c := range copies {
			if path := c.Member("installPath"); path.Is(settings.String) && !slices.Contains(roots, path.Text) {
				roots = append(roots, path.Text)
			}
		}
	}
	return roots
}

// enabledPlugins are those that the strongest file that names them switches on.
func (p *patient) enabledPlugins() map[string]bool {
	on, said := map[string]bool{}, map[string]bool{}
	for _, f := range p.Files {
		if f.Agent != agent.Claude {
			continue
		}
		src, err := readFile(f.Path, maxFile)
		if err != nil {
			continue
		}
		t, err := settings.ParseJSON(src)
		if err != nil {
			continue
		}
		list := t.Member("enabledPlugins")
		if !list.Is(settings.Object) {
			continue
		}
		for i, name := range list.Names {
			if !said[name.Text] {
				said[name.Text], on[name.Text] = true, list.Kids[i].True()
			}
		}
	}
	return on
}
