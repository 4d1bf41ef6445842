package bundle

import (
	"strings"
	"testing"
)

func TestParseLockRefuses(t *testing.T) {
	good := string(relock(t, bundleFS(), nil))
	if _, err := ParseLock([]byte(good)); err != nil {
		t.Fatal(err)
	}
	sub := func(old, new string) string {
		s := strings.Replace(good, old, new, 1)
		if s == good {
			t.Fatalf("%s is not in %s", old, good)
		}
		return s
	}
	tests := map[string]struct {
		lock string
		want error
	}{
		"empty":            {"", &LockError{}},
		"array":            {"[]", &LockError{}},
		"cut off":          {good[:len(good)-2], &LockError{}},
		"two objects":      {good + good, &LockError{}},
		"duplicate name":   {sub(`"release":1`, `"release":1,"release":2`), &LockError{}},
		"duplicate file":   {sub(`"files":{`, `"files":{"hookctl.yaml":{"sha256":"`+strings.Repeat("0", 64)+`","size":1,"mode":"0644"},`), &LockError{}},
		"other case":       {sub(`"release"`, `"Release"`), &LockError{}},
		"unknown name":     {sub(`"release"`, `"extra":1,"release"`), &LockError{}},
		"unknown in file":  {sub(`"size"`, `"link":"x","size"`), &LockError{}},
		"null":             {sub(`"release":1`, `"release":null`), &LockError{}},
		"release 0":        {sub(`"release":1`, `"release":0`), &LockError{}},
		"release negative": {sub(`"release":1`, `"release":-1`), &LockError{}},
		"release a half":   {sub(`"release":1`, `"release":1.5`), &LockError{}},
		"release huge":     {sub(`"release":1`, `"release":1e400`), &LockError{}},
		"no date":          {sub(`"release":1`, `"release":1,"expires":"soon"`), &LockError{}},
		"year one":         {sub(`"release":1`, `"release":1,"expires":"0001-01-01T00:00:00Z"`), &LockError{}},
		"mode":             {sub(`"0755"`, `"4755"`), &LockError{}},
		"share":            {sub(`"expected_new_blocks":0`, `"expected_new_blocks":2`), &LockError{}},
		"not UTF-8":        {sub(`"release"`, "\"\xff\":1,\"release\""), &LockError{}},
		"no manifest":      {sub(`"hookctl.yaml"`, `"cases/hookctl.yaml"`), &FileMissingError{}},
		"next schema":      {sub(`"schema":1`, `"schema":2,"new_thing":true`), &SchemaError{}},
		"no schema":        {sub(`"schema":1,`, ``), &SchemaError{}},
		"upper-case hash":  {sub(sum([]byte(gateYAML)), strings.ToUpper(sum([]byte(gateYAML)))), &LockError{}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := ParseLock([]byte(tt.lock))
			wants(t, err, tt.want)
		})
	}
	noShare := strings.Replace(good, `"expected_new_blocks":0,`, "", 1)
	if l, err := ParseLock([]byte(noShare)); err != nil || l.ExpectedNewBlocks != DefaultNewBlocks {
		t.Errorf("%v, %v", l.ExpectedNewBlocks, err)
	}
}
