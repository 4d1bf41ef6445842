package install

import "github.com/agenthooks/hookctl/install/files"

func swap(l *files.Layer, staged, target, old string) error { return aside(l, staged, target, old) }
