package api

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// Key is where a key is found. The zero value is no key.
type Key struct {
	// Env is the variable that holds it, File the file.
	Env, File string
	// Host is the only host that gets it, with its port where it has one.
	Host   string
	Getenv func(string) string
}

// maxKey bounds a key, in bytes.
const maxKey = 8 << 10

// read gives the key for host. Its errors never hold the key.
func (k Key) read(host string) (string, error) {
	if k.Env == "" && k.File == "" {
		return "", nil
	}
	if !strings.EqualFold(k.Host, host) {
		return "", fmt.Errorf("the key is for %s, and %s is asked", k.Host, host)
	}
	key, from := "", "$"+k.Env
	if k.Env != "" {
		key = k.Getenv(k.Env)
	} else {
		b, err := readFile(k.File)
		if err != nil {
			return "", fmt.Errorf("the key: %w", err)
		}
		key, from = string(b), k.File
	}
	key = strings.TrimSpace(key)
	switch {
	case key == "":
		return "", fmt.Errorf("%s holds no key", from)
	case len(key) > maxKey || strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }):
		return "", fmt.Errorf("what %s holds is no key: it must be one word", from)
	}
	return key, nil
}

func readFile(name string) ([]byte, error) {
	fi, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !fi.Mode().IsRegular() { // a pipe would be waited for
		return nil, errors.New(name + " is no regular file")
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxKey+2))
}
