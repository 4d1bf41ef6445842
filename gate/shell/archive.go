package shell

import (
	"strings"
)

// archive is tar, unzip and their like: what is taken out of them has names that
// cannot be told, below a folder that can.
func (c *call) archive() {
	switch c.name {
	case "tar", "bsdtar", "gtar":
		c.tar()
		return
	case "unzip":
		p := parse(c.args, spec{short: "d:x:P:"})
		if p.has("l", "t", "v", "Z", "p", "z") {
			return
		}
		c.taken(p.value("d"), p.operands[min(1, len(p.operands)):])
	case "cpio", "pax":
		p := parse(c.args, spec{short: "D:F:O:I:E:f:s:", long: "directory= file= extract"})
		if p.has("i", "extract", "p", "r") {
			to := p.value("D", "directory")
			if p.has("p") && len(p.operands) > 0 {
				to = p.operands[0]
			}
			c.taken(to, nil)
		}
		c.changes(p.values("O"), Write, File)
	default: // 7z, unrar
		if len(c.args) < 2 {
			return
		}
		to := Text("")
		for _, a := range c.args[1:] {
			if d, ok := strings.CutPrefix(string(a), "-o"); ok {
				to = Text(d)
			}
		}
		switch c.args[0] {
		case "x", "e":
			c.taken(to, nil)
		case "a", "u", "d":
			c.change(c.args[1], Write, File)
		}
	}
}

// taken is what an archive puts below a folder: members, when they are named.
func (c *call) taken(to Text, members []Text) {
	if len(members) == 0 {
		if to == "" {
			to = "."
		}
		c.change(to, Write, Below)
		return
	}
	for _, m := range members {
		if to != "" {
			m = join(to, m)
		}
		c.change(Text(globs(string(m))), Write, Tree)
	}
}

func (c *call) tar() {
	args := c.args
	if len(args) > 0 && args[0] != "" && args[0][0] != '-' && !strings.Contains(string(args[0]), "/") {
		args = append([]Text{"-" + args[0]}, args[1:]...) // "tar xzf a b": values come after, in order
		args = oldStyle(args)
	}
	p := parse(args, spec{
		short: "f:C:b:g:H:I:K:L:N:T:V:X:F:",
		long:  "file= directory= extract get create list append update delete strip-components= exclude= exclude-from= files-from= transform= xform= to-command= use-compress-program= one-top-level listed-incremental= checkpoint-action= mode= owner= group= verbose gzip",
	})
	if code := p.value("to-command", "use-compress-program", "I", "F"); code != "" {
		c.shell(code, nil)
	}
	if a, ok := strings.CutPrefix(string(p.value("checkpoint-action")), "exec="); ok {
		c.shell(Text(a), nil)
	}
	switch {
	case p.has("x", "extract", "get"):
		if p.has("O", "to-stdout") {
			c.st.puts(unknown)
			return
		}
		members := p.operands
		if p.has("strip-components", "transform", "xform") {
			members = nil
		}
		to := p.value("C", "directory")
		if d := p.value("one-top-level"); d != "" {
			to = d.in(to)
		}
		c.taken(to, members)
	case p.has("c", "create", "r", "append", "u", "update", "delete"):
		if f := p.value("f", "file"); f != "" && f != "-" {
			c.change(f, Write, File)
		}
		if p.has("remove-files") {
			for _, o := range p.operands {
				if d := p.value("C", "directory"); d != "" {
					o = o.in(d)
				}
				c.change(o, Delete, Tree)
			}
		}
	}
}

// oldStyle moves the values of a first word without a dash to their options.
func oldStyle(args []Text) []Text {
	var out []Text
	rest := args[1:]
	for _, letter := range string(args[0][1:]) {
		out = append(out, Text("-"+string(letter)))
		if strings.ContainsRune("fCbgHIKLNTVXF", letter) && len(rest) > 0 {
			out = append(out, rest[0])
			rest = rest[1:]
		}
	}
	return append(out, rest...)
}

// compress takes a file's place with the packed one, or the other way round.
func (c *call) compress() {
	p := parse(c.args, spec{short: "S:o:T:b:", long: "suffix= output= threads="})
	if c.name == "zip" {
		if len(p.operands) > 0 {
			c.change(p.operands[0], Write, File)
			if p.has("m", "move") {
				c.changes(p.operands[1:], Delete, Tree)
			}
		}
		return
	}
	if p.has("c", "stdout", "to-stdout", "l", "list", "t", "test") {
		c.st.puts(unknown)
		return
	}
	if o := p.value("o", "output"); o != "" {
		c.change(o, Write, File)
	}
	reach := File
	if p.has("r", "recursive") {
		reach = Tree
	}
	unpacks := strings.HasPrefix(c.name, "un") || c.name == "gunzip" || c.name == "bunzip2" || p.has("d", "decompress", "uncompress")
	suffix := map[string]Text{"gzip": ".gz", "pigz": ".gz", "bzip2": ".bz2", "xz": ".xz", "zstd": ".zst", "lzma": ".lzma", "compress": ".Z"}[c.name]
	for _, o := range p.operands {
		if !p.has("k", "keep") && !strings.Contains(c.name, "zstd") || p.has("rm") {
			c.change(o, Delete, reach)
		}
		switch {
		case unpacks:
			to, ok := ext(o, ".gz", ".bz2", ".xz", ".zst", ".lzma", ".Z", ".tgz")
			if !ok {
				to = o // a file of the name without ending is asked for as well
			}
			c.change(to, Write, File)
		case suffix != "":
			c.change(o+suffix, Write, File)
		}
	}
}

// download is curl and wget: the file that they write.
func (c *call) download() {
	if c.name == "wget" {
		c.wget()
		return
	}
	p := parse(c.args, spec{
		short: "o:A:b:c:C:d:D:e:E:F:h:H:K:m:P:Q:r:t:T:u:U:w:x:X:y:Y:z:",
		long:  "output= output-dir= dump-header= cookie-jar= data= data-raw= data-binary= data-urlencode= json= form= header= request= user= user-agent= url= upload-file= proxy= cookie= referer= max-time= connect-timeout= retry= retry-delay= range= cacert= cert= key= config= trace= trace-ascii= stderr= etag-save= resolve= limit-rate= write-out= remote-name remote-name-all create-dirs location silent show-error fail",
	})
	dir := p.value("output-dir", "d")
	if c.name == "curl" {
		dir = p.value("output-dir")
	}
	for _, o := range p.values("o", "output") {
		if o == "-" {
			c.st.puts(unknown)
			continue
		}
		if dir != "" {
			o = o.in(dir)
		}
		c.change(o, Write, File)
	}
	for _, o := range p.values("D", "dump-header", "c", "cookie-jar", "trace", "trace-ascii", "stderr", "etag-save") {
		c.change(o, Write, File)
	}
	if p.has("O", "remote-name", "remote-name-all", "J") || c.name == "aria2c" {
		c.fetched(append(p.operands, p.values("url")...), dir)
	}
	c.st.puts(unknown)
}

// fetched are files that are named as the last part of their address.
func (c *call) fetched(urls []Text, dir Text) {
	if dir == "" {
		dir = "."
	}
	for _, u := range urls {
		s := string(u)
		if i := strings.IndexAny(s, "?#"); i >= 0 {
			s = s[:i]
		}
		if i := strings.IndexByte(s, One); i >= 0 { // an unquoted "?"
			s = s[:i]
		}
		name := Text(s).Base()
		if name == "" || name.Unknown() {
			name = Text([]byte{StarDot})
		}
		c.change(join(dir, name), Write, File)
	}
}

func (c *call) wget() {
	p := parse(c.args, spec{
		short: "O:o:a:i:P:e:t:T:w:Q:U:l:A:R:D:I:X:B:",
		long:  "output-document= output-file= append-output= input-file= directory-prefix= header= post-data= post-file= user-agent= user= password= tries= timeout= execute= no-check-certificate recursive mirror save-cookies= load-cookies= method= body-data= reject= accept= domains= level=",
	})
	c.changes(p.values("o", "output-file", "a", "append-output", "save-cookies"), Write, File)
	dir := p.value("P", "directory-prefix")
	switch o := p.value("O", "output-document"); {
	case o == "-":
	case o != "":
		c.change(o, Write, File)
	case p.has("r", "recursive", "m", "mirror", "i", "input-file"):
		if dir == "" {
			dir = "."
		}
		c.change(dir, Write, Below)
	case !p.has("spider"):
		c.fetched(p.operands, dir)
	}
	c.st.puts(unknown)
}
