package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
)

// Read walks the journal in dir, newest line first, until each returns false. A
// line that is torn or of another schema is passed over. A journal that does not
// exist is empty.
func Read(dir string, each func(Line) bool) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	for _, e := range slices.Backward(entries) { // ReadDir sorts by name, and names are in the order of time
		if !named(e.Name()) || !e.Type().IsRegular() {
			continue
		}
		raw, err := readTail(path.Join(dir, e.Name()))
		if errors.Is(err, fs.ErrNotExist) {
			continue // deleted meanwhile
		}
		if err != nil {
			return fmt.Errorf("journal: %w", err)
		}
		if !backward(raw, each) {
			return nil
		}
	}
	return nil
}

// readTail reads a file, or the end of one that is longer than a journal ever is.
func readTail(file string) ([]byte, error) {
	f, err := os.OpenFile(file, os.O_RDONLY|plain, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	from := max(0, info.Size()-standard.all)
	return io.ReadAll(io.NewSectionReader(f, from, info.Size()-from))
}

// backward gives the lines of one day and reports whether to go on.
func backward(raw []byte, each func(Line) bool) bool {
	for len(raw) > 0 {
		raw = bytes.TrimSuffix(raw, []byte("\n"))
		at := bytes.LastIndexByte(raw, '\n') + 1
		l, ok := decode(raw[at:])
		raw = raw[:at]
		if ok && !each(l) {
			return false
		}
	}
	return true
}

// decode reads a line. When it is none, a whole line may still stand behind one
// that was cut off by a full disk.
func decode(line []byte) (Line, bool) {
	var l Line
	if json.Unmarshal(line, &l) == nil {
		return l, l.Schema == Schema
	}
	at := bytes.LastIndex(line, []byte(`{"schema":`))
	l = Line{}
	if at <= 0 || json.Unmarshal(line[at:], &l) != nil {
		return Line{}, false
	}
	return l, l.Schema == Schema
}
