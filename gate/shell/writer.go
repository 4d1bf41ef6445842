package shell

import (
	"path"
	"slices"
	"strings"
)

// writer is how a program that changes files is followed; nil for all others.
func writer(name string) func(*call) {
	if lang := language(name); lang != "" {
		return (*call).interpreter
	}
	if name == "hub" || name == "git" || strings.HasPrefix(name, "git-") {
		return (*call).git
	}
	switch name {
	case "rm", "grm", "unlink", "shred", "srm", "trash", "rmdir":
		return (*call).remove
	case "mv", "gmv", "cp", "gcp", "install", "ginstall", "ln", "gln", "scp", "sftp":
		return (*call).copy
	case "rsync", "robocopy":
		return (*call).rsync
	case "chmod", "chown", "chgrp", "chattr", "setfacl", "xattr", "chflags", "chcon":
		return (*call).mode
	case "sed", "gsed":
		return (*call).sed
	case "sort":
		return func(c *call) {
			p := parse(c.args, spec{short: "k:o:S:t:T:", long: "output= key= buffer-size= field-separator= temporary-directory= parallel= compress-program= batch-size= files0-from="})
			c.changes(p.values("o", "output"), Write, File)
			c.st.puts(unknown)
		}
	case "dd":
		return (*call).dd
	case "tee":
		return (*call).tee
	case "tar", "bsdtar", "gtar", "unzip", "7z", "7za", "cpio", "unrar", "pax":
		return (*call).archive
	case "gzip", "gunzip", "bzip2", "bunzip2", "xz", "unxz", "zstd", "unzstd", "lzma", "compress", "pigz", "zip":
		return (*call).compress
	case "curl", "wget", "aria2c":
		return (*call).download
	case "patch":
		return (*call).patch
	case "apply_patch", "applypatch":
		return func(c *call) { c.applyPatch(joined(append(slices.Clone(c.args), c.input()))) }
	case "ed", "ex", "vi", "vim", "nvim", "view", "emacs", "nano", "pico", "micro", "hx", "code", "subl", "emacsclient", "kak", "joe", "gedit":
		return (*call).editor
	case "pwsh", "powershell":
		return (*call).powershell
	case "cmd":
		return (*call).cmdExe
	case "mktemp":
		return (*call).mktemp
	case "rename", "prename", "perl-rename", "file-rename":
		return func(c *call) {
			p := parse(c.args, spec{short: "e:E:"})
			n := 1 - min(1, len(p.values("e", "E")))
			c.changes(p.operands[min(n, len(p.operands)):], Move, Tree)
		}
	case "gio":
		return func(c *call) {
			if len(c.args) > 1 && (c.args[0] == "trash" || c.args[0] == "remove" || c.args[0] == "move" || c.args[0] == "copy" || c.args[0] == "save") {
				c.changes(parse(c.args[1:], spec{}).operands, Move, Tree)
			}
		}
	}
	if s, ok := plainWriter(name); ok {
		return func(c *call) { c.plain(s) }
	}
	return nil
}

// simple is a program whose written files can be told from a table.
type simple struct {
	spec
	needs   string // options, one of which must be there for the operands to be written
	skip    int    // operands before those that are written; negative: only the last ones
	options string // options whose value is written
	create  bool   // only makes what is not there
}

// plainWriter is the table. The second result is false for an unknown program.
func plainWriter(name string) (simple, bool) {
	none := 1 << 20 // skips every operand
	switch name {
	case "touch", "gtouch":
		return simple{spec: spec{short: "t:d:r:A:", long: "date= reference= time="}}, true
	case "truncate", "gtruncate", "fallocate":
		return simple{spec: spec{short: "s:r:l:o:", long: "size= reference= length= offset="}}, true
	case "mkdir", "gmkdir":
		return simple{spec: spec{short: "m:Z::", long: "mode="}, create: true}, true
	case "mkfifo":
		return simple{spec: spec{short: "m:", long: "mode="}}, true
	case "mknod":
		return simple{spec: spec{short: "m:", long: "mode="}}, true
	case "sponge", "dos2unix", "unix2dos", "black", "isort", "autopep8", "rustfmt", "stylua", "shellharden":
		return simple{spec: spec{short: "l:t:", long: "line-length= config= edition="}}, true
	case "gofmt", "goimports", "gofumpt", "shfmt", "clang-format", "prettier", "biome", "eslint", "ruff", "stylelint", "yapf":
		return simple{spec: spec{short: "r:c:", long: "config= parser= plugin= tab-width="}, needs: "w write fix i in-place inplace"}, true
	case "yq", "jaq", "xmlstarlet", "xq", "dasel", "toml", "envsubst", "jo":
		return simple{spec: spec{long: "arg="}, needs: "i inplace in-place L", skip: 1}, true
	case "uniq":
		return simple{spec: spec{short: "f:s:w:", long: "skip-fields= skip-chars= check-chars="}, skip: 1}, true
	case "split", "csplit":
		return simple{spec: spec{short: "a:b:C:l:n:f:", long: "suffix-length= bytes= lines= number= filter= additional-suffix= prefix="}, skip: 1}, true
	case "gcc", "cc", "clang", "g++", "c++", "clang++", "ld", "rustc", "as", "ar", "pandoc", "protoc", "esbuild", "terser", "ffmpeg", "objcopy", "strip", "http", "https", "xh":
		return simple{spec: spec{short: "o:", long: "output= outfile="}, skip: none, options: "o output outfile"}, true
	case "openssl":
		return simple{spec: spec{long: "out= in=", single: true}, skip: none, options: "out"}, true
	case "age", "gpg", "gpg2", "minisign", "jsonnet", "cue", "xmllint", "iconv", "mmdc", "dot", "graphviz", "plantuml", "ssh-keygen", "sqlite3", "mysqldump", "pg_dump", "pngquant":
		return simple{spec: spec{short: "o:f:", long: "output= file= out="}, skip: none, options: "o output f file out"}, true
	}
	return simple{}, false
}

func (c *call) plain(s simple) {
	p := parse(c.args, s.spec)
	if s.options != "" {
		c.changes(p.values(strings.Fields(s.options)...), Write, File)
	}
	if s.needs == "" || p.has(strings.Fields(s.needs)...) {
		out := p.operands[min(s.skip, len(p.operands)):]
		if c.name == "split" || c.name == "csplit" {
			out = pieces(c.name, p, out)
		}
		for _, o := range out {
			if s.create && c.stat(o) == Folder {
				continue
			}
			if s.needs != "" && c.stat(o) == Folder {
				c.change(o, Write, Below)
				continue
			}
			c.change(o, Write, File)
		}
	}
	switch c.name {
	case "touch", "mkdir", "truncate", "mkfifo":
	default:
		c.st.puts(unknown)
	}
}

// pieces are what split and csplit make: names that begin with a prefix.
func pieces(name string, p parsed, out []Text) []Text {
	prefix := Text("x")
	switch {
	case name == "csplit":
		prefix = "xx"
		if f := p.value("f", "prefix"); f != "" {
			prefix = f
		}
	case len(out) > 0:
		prefix = out[0]
	}
	return []Text{prefix + Text([]byte{StarDot})}
}

func (c *call) remove() {
	p := parse(c.args, spec{short: "n:s:", long: "iterations= size= random-source="})
	reach := File
	if p.has("r", "R", "recursive") || c.name == "trash" {
		reach = Tree
	}
	if c.name == "shred" && !p.has("u", "remove") {
		c.changes(p.operands, Write, File)
		return
	}
	c.changes(p.operands, Delete, reach)
	if c.name == "rmdir" && p.has("p", "parents") {
		for _, o := range p.operands {
			for d := o.dir(); d != "." && d != "/"; d = d.dir() {
				c.change(d, Delete, File)
			}
		}
	}
}

func (c *call) mode() {
	p := parse(c.args, spec{short: "m:M:x:X:v:p:", long: "reference= from= modify= remove= set-file= user= role= type="})
	operands := p.operands
	fixed := p.has("reference") || c.name == "setfacl" || c.name == "xattr"
	for i, a := range c.args { // "chmod -w file": the mode looks like an option
		if c.name == "chmod" && len(a) > 1 && a[0] == '-' && strings.Trim(string(a[1:]), "rwxXst01234567,+=ugoa-") == "" && !(a == "-R" || a == "--") {
			operands = parse(append(slices.Clone(c.args[:i]), c.args[i+1:]...), spec{}).operands
			fixed = true
			break
		}
	}
	if !fixed && len(operands) > 0 {
		operands = operands[1:]
	}
	reach := File
	if p.has("R", "recursive") {
		reach = Tree
	}
	c.changes(operands, Mode, reach)
}

// copy is cp, mv, install and ln: what leaves, and what arrives.
func (c *call) copy() {
	name := strings.TrimPrefix(c.name, "g")
	s := spec{short: "S:t:", long: "target-directory= suffix= backup no-target-directory recursive archive parents symbolic force"}
	switch name {
	case "install":
		s = spec{short: "S:t:g:m:o:", long: "target-directory= suffix= group= mode= owner= strip-program= directory no-target-directory"}
	case "scp", "sftp":
		s = spec{short: "c:F:i:J:l:o:P:S:X:"}
	}
	p := parse(c.args, s)
	from, to := p.operands, p.value("t", "target-directory")
	switch {
	case name == "install" && p.has("d", "directory"):
		c.changes(p.operands, Write, File)
		return
	case to != "":
		to += "/"
	case len(from) == 1 && name == "ln":
		to = "./"
	case len(from) < 2:
		return
	default:
		from, to = from[:len(from)-1], from[len(from)-1]
	}
	if (name == "scp" || name == "sftp") && strings.Contains(string(to), ":") && !to.rooted() {
		return // to another machine
	}
	if name == "mv" {
		c.changes(from, Move, Tree)
	}
	deep := name == "mv" || p.has("r", "R", "a", "recursive", "archive")
	for _, f := range from {
		c.arrive(f, to, arrival{
			deep: deep, flat: p.has("T", "no-target-directory"), link: name == "ln", soft: p.has("s", "symbolic", "symbolic-link"),
			second: name == "ln" || name == "cp" && p.has("l", "link", "s", "symbolic-link"), parents: p.has("parents"), many: len(from) > 1, backup: p.has("b", "backup", "S", "suffix"),
		})
	}
}

// arrival says how a copy arrives.
type arrival struct {
	deep    bool // folders are copied with what is in them
	flat    bool // the target is never a folder to put things in
	link    bool
	second  bool // it is the same file by a second name
	soft    bool
	parents bool
	many    bool
	backup  bool
}

// arrive is what one source becomes at a target. Where it cannot be told whether
// the target is a folder, both count.
func (c *call) arrive(from, to Text, a arrival) {
	kind := Write
	if a.link {
		kind = Link
	}
	stat := c.stat(to)
	inside := join(Text(strings.TrimRight(string(to), "/")), baseName(from))
	if a.parents {
		inside = join(to, from)
	}
	if to == "/" {
		inside = "/" + from.Base()
	}
	folder := !a.flat && stat != Other && (stat != Missing || a.many || strings.HasSuffix(string(to), "/"))
	plain := !a.many && (a.flat || !strings.HasSuffix(string(to), "/") && to != "." && to != ".." && stat != Folder)
	src := c.stat(from)
	place := func(p Text) {
		c.change(p, kind, File)
		if a.second {
			c.linked(p, from, a.soft)
		}
		if a.backup {
			c.change(p+Text([]byte{StarDot}), Write, File)
		}
		if a.deep && src != Other && !a.link {
			c.change(p, Write, Below)
		}
		if t, ok := c.st.files[c.st.file(from)]; ok && !a.link {
			c.st.files[c.st.file(p)] = t
		}
	}
	if folder {
		if b := from.Base(); b == "." || b == ".." {
			c.change(to, Write, Below)
		} else {
			place(inside)
		}
	}
	if plain {
		place(to)
	}
}

// baseName is the name under which a source arrives in a folder. A source that is
// not known arrives under a name that is not known.
func baseName(from Text) Text {
	b := from.Base()
	if b == unknown || strings.HasPrefix(string(b), string(unknown)) && len(b) == 1 {
		return Text([]byte{StarDot})
	}
	if strings.IndexByte(string(b), DeepDot) >= 0 || strings.IndexByte(string(b), Deep) >= 0 {
		return Text([]byte{StarDot})
	}
	return b
}

func (c *call) rsync() {
	p := parse(c.args, spec{short: "e:f:T:B:M:", long: "rsh= filter= exclude= include= exclude-from= include-from= files-from= temp-dir= compare-dest= copy-dest= link-dest= log-file= out-format= password-file= chmod= chown= port= timeout= bwlimit= suffix= backup-dir= partial-dir= rsync-path= info= debug= max-size= min-size= usermap= groupmap= delete remove-source-files dry-run"})
	if p.has("n", "dry-run") || len(p.operands) < 2 {
		return
	}
	c.changes(p.values("log-file"), Write, File)
	from, to := p.operands[:len(p.operands)-1], p.operands[len(p.operands)-1]
	if p.has("remove-source-files") {
		c.changes(from, Move, Tree)
	}
	if i := strings.IndexByte(string(to), ':'); i > 1 && !strings.Contains(string(to[:i]), "/") {
		return // to another machine
	}
	if p.has("delete") || slices.ContainsFunc(p.options, func(o option) bool { return strings.HasPrefix(o.name, "delete") }) {
		c.change(to, Delete, Below)
	}
	for _, f := range from {
		if strings.HasSuffix(string(f), "/") || f.Base() == "." || p.has("files-from") {
			c.change(to, Write, Below)
			continue
		}
		c.arrive(f[strings.LastIndexByte(string(f), ':')+1:], to, arrival{deep: true, many: len(from) > 1})
	}
}

func (c *call) dd() {
	for _, a := range c.args {
		if f, ok := strings.CutPrefix(string(a), "of="); ok {
			c.change(Text(f), Write, File)
		}
	}
}

func (c *call) tee() {
	p := parse(c.args, spec{long: "append output-error"})
	for _, o := range p.operands {
		c.change(o, Write, File)
		if !p.has("a", "append") && o.Exact() {
			c.st.files[c.st.file(o)] = c.input()
		}
	}
	c.st.puts(c.input())
}

func (c *call) mktemp() {
	p := parse(c.args, spec{short: "p:t:", long: "tmpdir suffix="})
	dir := p.value("p", "tmpdir")
	if len(p.operands) == 0 && dir == "" {
		c.st.puts("/tmp/tmp." + Text([]byte{Star, '\n'}))
		return
	}
	name := Text("tmp.")
	if len(p.operands) > 0 {
		name = p.operands[0]
	}
	t := strings.TrimRight(string(name.in(dir)), "X")
	c.change(Text(t)+Text([]byte{Star}), Write, File)
	c.st.puts(Text(t) + Text([]byte{Star, '\n'}))
}

// ext is the name of a file with another ending.
func ext(t Text, cut ...string) (Text, bool) {
	for _, e := range cut {
		if s, ok := strings.CutSuffix(string(t), e); ok && path.Base(s) != "" {
			return Text(s), true
		}
	}
	return t, false
}
