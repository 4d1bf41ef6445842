package source

import "testing"

func fifo(t *testing.T, _ string) { t.Skip("no named pipes in the file system") }
