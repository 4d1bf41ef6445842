package bundle

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// The numbers of machines and systems in the headers of programs (System V ABI,
// "ELF header"; Mach-O, mach/machine.h; Microsoft, "PE format").
var (
	elfMachines   = map[uint16]string{3: "386", 8: "mips", 21: "ppc64", 22: "s390x", 40: "arm", 62: "amd64", 183: "arm64", 243: "riscv64", 258: "loong64"}
	elfSystems    = map[byte]string{0: "linux", 3: "linux", 2: "netbsd", 6: "solaris", 9: "freebsd", 12: "openbsd"}
	machoMachines = map[uint32]string{7: "386", 0x01000007: "amd64", 12: "arm", 0x0100000c: "arm64"}
	peMachines    = map[uint16]string{0x14c: "386", 0x8664: "amd64", 0x1c4: "arm", 0xaa64: "arm64"}
)

// anyPlatform is what a script is for: the machine that has its interpreter,
// which the start of it shows.
const anyPlatform = "any"

// maxFat bounds the machines in one Mach-O file; Java's class files begin with
// the same bytes and have a higher number there.
const maxFat = 16

// platforms tells from the first bytes of a program what it is made for. Of what
// is no program the error says what it is: "an HTML page".
func platforms(b []byte) ([]string, error) {
	switch {
	case bytes.HasPrefix(b, []byte("#!")):
		return []string{anyPlatform}, nil
	case bytes.HasPrefix(b, []byte("\x7fELF")) && len(b) >= 20:
		return elf(b), nil
	case bytes.HasPrefix(b, []byte("MZ")):
		return pe(b)
	case len(b) >= 8:
		if list := macho(b); list != nil {
			return list, nil
		}
	}
	return nil, errors.New(describe(b))
}

func elf(b []byte) []string {
	var order binary.ByteOrder = binary.LittleEndian
	little := b[5] != 2
	if !little {
		order = binary.BigEndian
	}
	n := order.Uint16(b[18:])
	arch, ok := elfMachines[n]
	switch {
	case !ok:
		arch = fmt.Sprintf("machine %d", n)
	case little && (arch == "ppc64" || arch == "mips"):
		arch += "le"
	}
	system, ok := elfSystems[b[7]]
	if !ok {
		system = fmt.Sprintf("system %d", b[7])
	}
	return []string{system + "/" + arch}
}

func pe(b []byte) ([]string, error) {
	at := 0
	if len(b) >= 0x40 {
		at = int(binary.LittleEndian.Uint32(b[0x3c:]))
	}
	if at < 0x40 || at > len(b)-6 || !bytes.HasPrefix(b[at:], []byte("PE\x00\x00")) {
		return nil, errors.New("a program of DOS, or a damaged one of Windows")
	}
	n := binary.LittleEndian.Uint16(b[at+4:])
	arch, ok := peMachines[n]
	if !ok {
		arch = fmt.Sprintf("machine %#x", n)
	}
	return []string{"windows/" + arch}, nil
}

func macho(b []byte) []string {
	name := func(n uint32) string {
		if arch, ok := machoMachines[n]; ok {
			return "darwin/" + arch
		}
		return fmt.Sprintf("darwin/machine %#x", n)
	}
	switch m := binary.LittleEndian.Uint32(b); m {
	case 0xfeedface, 0xfeedfacf:
		return []string{name(binary.LittleEndian.Uint32(b[4:]))}
	case 0xbebafeca: // several machines in one file, written in the other byte order
		count := int(binary.BigEndian.Uint32(b[4:]))
		if count < 1 || count > maxFat || len(b) < 8+20*count {
			return nil
		}
		var list []string
		for i := range count {
			list = append(list, name(binary.BigEndian.Uint32(b[8+20*i:])))
		}
		return list
	}
	return nil
}

// describe words what is no program.
func describe(b []byte) string {
	head := b[:min(len(b), 512)]
	text := strings.ToLower(strings.TrimSpace(strings.TrimPrefix(string(head), "\ufeff")))
	switch {
	case len(b) == 0:
		return "empty"
	case strings.HasPrefix(text, "<!doctype html"), strings.HasPrefix(text, "<html"):
		return "an HTML page"
	case bytes.HasPrefix(b, []byte("\x1f\x8b")), bytes.HasPrefix(b, []byte("PK\x03\x04")), bytes.HasPrefix(b, []byte("BZh")),
		bytes.HasPrefix(b, []byte("\xfd7zXZ\x00")), bytes.HasPrefix(b, []byte("\x28\xb5\x2f\xfd")), len(b) > 262 && string(b[257:262]) == "ustar":
		return "an archive"
	case utf8.Valid(head[:len(head)-cut(head)]) && !bytes.ContainsRune(head, 0):
		return "a text"
	}
	return "data of a kind that no system runs"
}

// cut is how many bytes at the end of b are a character that was cut off.
func cut(b []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(b); n++ {
		if c := b[len(b)-n]; utf8.RuneStart(c) {
			if !utf8.FullRune(b[len(b)-n:]) {
				return n
			}
			return 0
		}
	}
	return 0
}

// runsOn compares what a program is made for with a platform. Android and
// DragonFly have no mark of their own in the header.
func runsOn(made []string, platform string) bool {
	system, arch, _ := strings.Cut(platform, "/")
	if system == "android" || system == "dragonfly" {
		platform = "linux/" + arch
	}
	return slices.Contains(made, platform) || slices.Contains(made, anyPlatform)
}
