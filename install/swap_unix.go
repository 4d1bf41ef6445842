//go:build !windows

package install

import "github.com/agenthooks/hookctl/install/files"

func swap(l *files.Layer, staged, target, old string) error { return over(l, staged, target, old) }
