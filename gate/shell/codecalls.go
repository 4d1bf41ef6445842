package shell

import "strings"

// callKind says which of its arguments a call writes.
type callKind int

const (
	noCall   callKind = iota
	first             // the first argument
	both              // the first goes away, the second is written
	second            // the second
	receiver          // what stands before the dot
	opener            // the first, if the mode says so
	runs              // a command line or its words
	reads             // the first is only read
	enters            // the first is the current folder from then on
	evals             // code that runs
	inPlace           // the first, if it says so
)

// kindOf knows the calls of the languages' own libraries that write.
func kindOf(name string) callKind {
	switch name {
	case "writeFile", "writeFileSync", "appendFile", "appendFileSync", "createWriteStream", "unlink", "unlinkSync", "rm", "rmSync", "rmdir",
		"rmdirSync", "truncate", "truncateSync", "chmod", "chmodSync", "lchmod", "chown", "chownSync", "mkdir", "mkdirSync", "remove", "removeSync",
		"rmtree", "makedirs", "removedirs", "file_put_contents", "touch", "utimes", "utimesSync", "outputFile", "outputFileSync", "outputJson",
		"outputJsonSync", "writeJson", "writeJsonSync", "writeJSON", "emptyDir", "emptyDirSync", "ensureFile", "writeTextFile", "writeTextFileSync",
		"binwrite", "write_file", "overwrite_file", "WriteAllText", "WriteAllLines", "WriteAllBytes", "AppendAllText", "AppendAllLines", "Delete", "CreateText", "OpenWrite", "rm_rf", "rm_f", "rm_r", "mkdir_p", "mkpath", "make_path", "remove_tree", "mkfifo", "mknod", "delete", "write", "makepath", "save", "savefig", "savetxt":
		return first
	case "rename", "renameSync", "renames", "move", "mv", "moveSync", "replace", "Move":
		return both
	case "copy", "copyfile", "copy2", "copytree", "copyFile", "copyFileSync", "cp", "cpSync", "symlink", "symlinkSync", "link", "linkSync", "ln_s",
		"ln_sf", "ln", "cp_r", "copy_file", "copySync", "copymode", "copystat", "install", "urlretrieve", "Copy", "extractall", "unpack_archive":
		return second
	case "write_text", "write_bytes", "spew", "spew_utf8", "symlink_to", "hardlink_to", "link_to":
		return receiver
	case "open", "fopen", "openSync", "fdopen", "FileWriter", "sysopen", "FileOutputStream":
		return opener
	case "system", "popen", "exec", "execSync", "execFile", "execFileSync", "spawn", "spawnSync", "run", "call", "check_call", "check_output", "Popen",
		"shell_exec", "passthru", "getoutput", "getstatusoutput", "pty", "capture2", "capture3", "startfile", "execv", "execvp", "execve", "execl", "execlp", "spawnv", "spawnvp", "spawnl", "spawnlp", "posix_spawn", "execute", "do", "Command", "sh":
		return runs
	case "readFileSync", "readFile", "read_text", "read_bytes", "file_get_contents", "readlines", "exists", "existsSync", "isfile", "readTextFile", "read", "stat", "statSync", "require":
		return reads
	}
	switch name {
	case "chdir":
		return enters
	case "eval", "getattr", "instance_eval", "class_eval", "Function", "runInThisContext", "runInNewContext", "create_function":
		return evals
	case "input", "FileInput":
		return inPlace
	}
	return noCall
}

// reachOf is how far a call goes below what it names.
func reachOf(name string) Reach {
	switch name {
	case "rmtree", "rm", "rmSync", "rm_rf", "rm_r", "remove_tree", "move", "moveSync", "mv", "rename", "renameSync", "renames", "removeSync", "emptyDir", "emptyDirSync", "rmdir", "rmdirSync":
		return Tree
	case "copytree", "cp", "cpSync", "cp_r", "copySync", "extractall", "unpack_archive", "copy":
		return Tree
	}
	return File
}

// called looks at the name at i: whether it is a call that writes.
func (r *reader) called(i int) {
	kind := kindOf(r.toks[i].text)
	if r.toks[i].text == "exec" && r.lang == "python" {
		kind = evals
	}
	r.reach = reachOf(r.toks[i].text)
	if kind == noCall {
		return
	}
	from, to, ok := r.arguments(i)
	if !ok {
		return
	}
	args := r.commas(from, to)
	dotted := i > 1 && (r.toks[i-1].text == "." || r.toks[i-1].text == "->")
	switch kind {
	case receiver:
		r.write(r.value(r.begin(i), i-1), Write)
	case opener:
		r.open(i, args, dotted)
	case runs:
		r.runs(i, args)
	case enters:
		if len(args) > 0 {
			r.enter(r.value(args[0][0], args[0][1]))
		}
	case evals:
		r.evaluates(args)
	case inPlace:
		for j := from; j < to; j++ {
			if r.toks[j].text == "inplace" && len(args) > 0 {
				r.write(r.value(args[0][0], args[0][1]), Write)
				break
			}
		}
	case reads:
		if len(args) > 0 {
			r.use(args[0])
		}
		if dotted {
			r.use([2]int{r.begin(i), i})
		}
	case first:
		r.firstOf(i, args, dotted)
	case both:
		if dotted && r.method(i) && len(args) < 2 { // Path("a").rename("b")
			r.write(r.value(r.begin(i), i-1), Move)
		}
		if len(args) == 0 || r.toks[i].text == "replace" && !r.fileReceiver(i) {
			return
		}
		if len(args) > 1 {
			r.write(r.value(args[0][0], args[0][1]), Move)
			args = args[1:]
		}
		r.write(r.value(args[0][0], args[0][1]), Write)
	case second:
		if len(args) > 1 {
			r.write(r.value(args[1][0], args[1][1]), Write)
			r.use(args[0])
		} else if len(args) == 1 && r.toks[i].text == "extractall" {
			r.write(r.value(args[0][0], args[0][1]), Write)
		}
	}
}

// firstOf is a call that writes its first argument, or that of which it is a
// method: unlink of a Path, write of a File.
func (r *reader) firstOf(i int, args [][2]int, dotted bool) {
	kind := Write
	name := r.toks[i].text
	switch {
	case strings.HasPrefix(name, "un") || strings.HasPrefix(name, "rm") || strings.HasPrefix(name, "remove") || name == "delete":
		kind = Delete
	case strings.HasPrefix(name, "chmod") || strings.HasPrefix(name, "chown"):
		kind = Mode
	}
	if (name == "write" || name == "save" || name == "remove" || name == "delete") && !r.fileReceiver(i) {
		return // a stream, a list, a set
	}
	if dotted && r.method(i) {
		r.write(r.value(r.begin(i), i-1), kind)
		return
	}
	if len(args) > 0 {
		n := 1
		if name == "unlink" || kind == Delete && (r.lang == "perl" || r.lang == "ruby") {
			n = len(args)
		}
		if kind == Mode && r.lang != "python" && r.lang != "node" && r.lang != "php" && len(args) > 1 {
			args, n = args[1:], len(args)-1 // chmod 0600, "a"
		}
		for _, a := range args[:n] {
			r.write(r.value(a[0], a[1]), kind)
		}
	}
}

// modules are the names before the dot of functions, not of files.
func module(s string) bool {
	switch s {
	case "os", "fs", "shutil", "File", "FileUtils", "IO", "Deno", "Bun", "promises", "fsp", "fse", "pathlib", "Dir", "Files", "io", "codecs", "sp", "subprocess", "np", "Pathname", "FileSystem", "Fs", "file", "Directory":
		return true
	}
	return false
}

// method reports whether what stands before the dot is a file and no module.
func (r *reader) method(i int) bool {
	t := r.toks[i-2]
	if r.lang == "node" {
		return false // a module by whatever name
	}
	return t.text == ")" && !r.requires(i) || t.kind == 'n' && !module(t.text)
}

// requires reports whether a module is called for before the dot: require("fs").
func (r *reader) requires(i int) bool {
	for j := i - 2; j >= 0 && j > i-8; j-- {
		if r.toks[j].text == "require" || r.toks[j].text == "__import__" || r.toks[j].text == "import" {
			return true
		}
	}
	return false
}

// fileReceiver reports whether a method of a common name is one of files.
func (r *reader) fileReceiver(i int) bool {
	if i < 2 || r.toks[i-1].text != "." && r.toks[i-1].text != "::" {
		return i == 0 || r.lang == "perl" && r.toks[i].text != "write"
	}
	t := r.toks[i-2]
	if module(t.text) {
		return true
	}
	for j := r.begin(i); j < i; j++ {
		if r.toks[j].text == "Path" || r.toks[j].text == "require" || r.toks[j].text == "__import__" || r.toks[j].text == "import_module" {
			return true
		}
	}
	return false
}

// open is a call that writes when its mode says so.
func (r *reader) open(i int, args [][2]int, dotted bool) {
	if len(args) == 0 {
		return
	}
	file := args[0]
	if r.lang == "perl" { // open(my $f, ">", "a"), open(F, ">a")
		r.perlOpen(args)
		return
	}
	if dotted && r.method(i) && r.toks[i-2].text != "gzip" && r.toks[i-2].text != "codecs" && r.toks[i-2].text != "io" { // Path("a").open("w")
		if r.writes(args[0]) {
			r.write(r.value(r.begin(i), i-1), Write)
		}
		return
	}
	for _, a := range args[1:] {
		if r.writes(a) {
			r.write(r.value(file[0], file[1]), Write)
			return
		}
	}
	if r.toks[i].text == "FileWriter" || r.toks[i].text == "FileOutputStream" {
		r.write(r.value(file[0], file[1]), Write)
		return
	}
	r.use(file)
}

// writes reports whether an argument is a mode that writes.
func (r *reader) writes(a [2]int) bool {
	for j := a[0]; j < a[1]; j++ {
		t := r.toks[j]
		if t.kind == 's' && len(t.text) < 5 && strings.ContainsAny(t.text, "wax+") && strings.Trim(t.text, "rwaxbt+sU") == "" {
			return true
		}
		if t.kind == 'n' && (strings.Contains(t.text, "O_W") || strings.Contains(t.text, "O_RDWR") || strings.Contains(t.text, "O_CREAT") || strings.Contains(t.text, "O_TRUNC") || strings.Contains(t.text, "O_APPEND")) {
			return true
		}
	}
	return false
}

func (r *reader) perlOpen(args [][2]int) {
	if len(args) < 2 {
		return
	}
	mode := ""
	for j := args[1][0]; j < args[1][1]; j++ {
		if r.toks[j].kind == 's' {
			mode = r.toks[j].text
			break
		}
	}
	switch {
	case strings.HasPrefix(mode, "|") || strings.HasSuffix(mode, "|"):
		r.c.shell(Text(strings.Trim(mode, "|-")), nil)
		return
	case !strings.Contains(mode, ">") && !strings.HasPrefix(mode, "+"):
		return
	case len(args) > 2:
		r.write(r.value(args[2][0], args[2][1]), Write)
	default:
		r.write([]Text{Text(strings.TrimSpace(strings.TrimLeft(mode, "+>")))}, Write)
	}
}

// runs follows a command that the program starts.
func (r *reader) runs(i int, args [][2]int) {
	if len(args) == 0 {
		return
	}
	if name := r.toks[i].text; (name == "do" || name == "sh" || name == "call" || name == "run" || name == "execute") && i+1 < len(r.toks) && r.toks[i+1].text != "(" {
		return
	}
	var words []Text
	list := false
	for n, a := range args {
		if n > 0 && a[0] < len(r.toks) && a[0]+1 < len(r.toks) && r.toks[a[0]+1].text == "=" {
			continue // a named argument
		}
		for j := a[0]; j < a[1]; j++ {
			t := r.toks[j]
			switch {
			case t.text == "[" && t.kind == 'p' && (n == 0 || n == 1):
				list = true
			case t.kind == 's':
				words = append(words, Text(t.text))
				r.used[j] = true
			case r.bound[t.text] != nil:
				words = append(words, r.bound[t.text][0])
			}
		}
	}
	if name := r.toks[i].text; len(words) > 1 && (strings.HasPrefix(name, "execv") || strings.HasPrefix(name, "execl") || strings.HasPrefix(name, "spawnv") || strings.HasPrefix(name, "spawnl") || name == "posix_spawn") {
		words, list = words[1:], true // the program comes twice
	}
	switch {
	case len(words) == 0:
	case list || len(args) > 1 && len(words) > 1 && !strings.Contains(string(words[0]), " "):
		r.c.again(r.c.st.fork(), words, nil)
	default:
		r.c.shell(words[0], nil)
	}
}

// write notes the files that a call writes.
func (r *reader) write(paths []Text, k Kind) {
	told := false
	for _, p := range paths {
		if p == unknown || p == "" {
			continue
		}
		told = true
		r.c.change(p, k, r.reach)
	}
	if !told {
		r.asked = true
	}
}

// use marks the strings of an argument as only read.
func (r *reader) use(a [2]int) {
	for j := a[0]; j < a[1] && j < len(r.toks); j++ {
		r.used[j] = true
	}
}

// arguments are the tokens of a call's arguments. Without brackets, as in Perl
// and Ruby, they go on to the end of the statement.
func (r *reader) arguments(i int) (from, to int, ok bool) {
	if i+1 >= len(r.toks) {
		return i + 1, i + 1, r.lang == "ruby" || r.lang == "perl"
	}
	if r.toks[i+1].text == "(" && r.toks[i+1].kind == 'p' {
		return i + 2, r.close(i + 1), true
	}
	if r.lang != "perl" && r.lang != "ruby" && r.lang != "awk" || r.toks[i+1].nl {
		return 0, 0, false
	}
	return i + 1, r.end(i + 1), true
}

// commas cuts arguments apart.
func (r *reader) commas(from, to int) (args [][2]int) {
	depth, start := 0, from
	to = min(to, len(r.toks))
	for j := from; j < to; j++ {
		if r.toks[j].kind != 'p' {
			continue
		}
		switch r.toks[j].text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		case ",":
			if depth == 0 {
				args = append(args, [2]int{start, j})
				start = j + 1
			}
		}
	}
	if start < to {
		args = append(args, [2]int{start, to})
	}
	return args
}
