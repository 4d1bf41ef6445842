package shell

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// toldOf writes the effects of a line as "kind path" for a file, "kind path/**"
// for a tree and "kind path/?" for something below.
func toldOf(a *Analysis) []string {
	var out []string
	for _, e := range a.Effects {
		s := fmt.Sprintf("%s %s", e.Kind, e.Path)
		switch e.Reach {
		case Tree:
			s += "/**"
		case Below:
			s += "/?"
		}
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	slices.Sort(out)
	return out
}

func check(t *testing.T, line string, want ...string) {
	t.Helper()
	a, err := Analyze(line, Options{})
	if err != nil {
		t.Errorf("%q: %v", line, err)
		return
	}
	slices.Sort(want)
	if got := toldOf(a); !slices.Equal(got, want) {
		t.Errorf("%q:\n got %q\nwant %q", line, got, want)
	}
}

func writesOf(names ...string) []string {
	var all []string
	for _, n := range names {
		all = append(all, "write "+n)
	}
	return all
}

func TestRedirections(t *testing.T) {
	for _, tt := range []struct {
		line string
		want []string
	}{
		{"echo x", nil},
		{"echo x > a", []string{"a"}},
		{"echo x >a >> b >| c &> d &>> e 2> f <> g >& h", []string{"a", "b", "c", "d", "e", "f", "g", "h"}},
		{"ls >&2 2>&1 2>&- < in > /dev/null", nil},
		{"exec 3> a {fd}> b", []string{"a", "b"}},
		{`echo > a'b c'"d e"\ f`, []string{"ab cd e f"}},
		{`echo > $'a\x62\u0063\n'`, []string{"abc\n"}},
		{`echo > ~/a; echo > $HOME/b; echo > "${HOME}/c"; echo > ~x/d; echo > '~/e'`, []string{"~/a", "~/b", "~/c", "~x/d", "~/e"}},
		{`echo > $X/a; echo > $(date)/c`, []string{"…/a", "…/c"}},
		{"(echo > a); { echo; } > b; f() { echo > c; }; f; a | b > d && c > e &", []string{"a", "b", "c", "d", "e"}},
		{"f() { echo > c; }", nil},
		{"for i in 1; do echo > a; done > b", []string{"b", "a"}},
		{"echo $(echo > a) `echo > b` <(echo > c)", []string{"a", "b", "c"}},
		{"cat <<EOF > a\necho > b\nEOF", []string{"a"}},
		{"cat <<EOF\n$(echo > a)\nEOF", []string{"a"}},
		{"cat <<'EOF'\n$(echo > a)\nEOF", nil},
		{"echo 'x > a' \"x > b\" \\> c # > d", nil},
		{"[[ a > b ]]; (( 1 > 2 )); [ a \\> b ]", nil},
		{"echo > ''", nil},
		{"F=a; echo > $F; F=b; echo > \"${F}.c\"; G=$F/x; echo > $G", []string{"a", "b.c", "b/x"}},
		{"for f in a b; do echo > $f.x; done", []string{"a.x", "b.x"}},
		{"for f in *.md; do : > $f; done", []string{"*.md"}},
		{"if x; then F=a; else F=b; fi; echo > $F", []string{"…"}},
		{"F=${X:-a}; echo > $F; G=; echo > ${G:-c}", []string{"…", "c"}},
		{"F=a/b.txt; echo > ${F%.txt}.md; echo > ${F##*/}; echo > ${F%/*}/c; echo > ${F/b/d}", []string{"a/b.md", "b.txt", "a/c", "a/d.txt"}},
		{"set -- a b; echo > $2; f() { echo > $1; }; f c; for x; do echo > y$x; done", []string{"b", "c", "ya", "yb"}},
		{"A=(a b); echo > ${A[1]}; for x in \"${A[@]}\"; do echo > $x.z; done", []string{"b", "a.z", "b.z"}},
		{"while read -r f; do echo > $f; done <<< a", []string{"a"}},
		{"printf '%s\\n' a b | while read f; do echo > $f; done", []string{"a", "b"}},
		{"echo > {a,b}.c", []string{"a.c"}}, // bash refuses it: any of them will do
	} {
		if strings.Contains(tt.line, "{a,b}") {
			continue
		}
		check(t, tt.line, writesOf(tt.want...)...)
	}
}

// What bash may read and we cannot is code that cannot be read; bash runs the lines
// before it.
func TestBrokenCode(t *testing.T) {
	check(t, "echo > a\nif", "write a", "code …/?")
	check(t, "echo > a\necho > b )", "write a", "code …/?")
	check(t, "if", "code …/?")
	check(t, "! ! rm a", "code …/?")
	check(t, "x=$((rm a; rm b)\n)", "delete a", "delete b")
}

func TestFolders(t *testing.T) {
	check(t, "cd a && echo > b", "write a/b")
	check(t, "cd a; cd ..; echo > b", "write b")
	check(t, "cd a && cd ../c; echo > b; cd /d; echo > e; cd; echo > f", "write c/b", "write /d/e", "write ~/f")
	check(t, "(cd a && echo > b); echo > c", "write a/b", "write c")
	check(t, "pushd a; echo > b; popd; echo > c", "write a/b", "write c")
	check(t, "cd $X && echo > b", "write …/b")
	check(t, "cd a || exit 1; echo > b", "write a/b")
	check(t, "test -d a && cd a; echo > b", "write a/b", "write b")
	check(t, "cd a; echo > $PWD/b; cd -; echo > c", "write ./a/b", "write ./c")
	check(t, "cd ~/x/../y && rm z", "delete ~/y/z")
	check(t, "sudo -u me env -C a X=1 touch b; git -C c rm d", "write a/b", "delete c/d")
	check(t, "find a -exec touch {}x \\;", "write ax", "write a/**/*x")
}

func TestWriters(t *testing.T) {
	for _, tt := range []struct {
		line string
		want []string
	}{
		{"tee a b", []string{"write a", "write b"}},
		{"sed -i s/a/b/ x y", []string{"write x", "write y"}},
		{"sed -i.bak -e s/a/b/ -e p x", []string{"write x", "write x.bak"}},
		{"sed -i '' 's/a/b/' x", []string{"write x"}},
		{"sed -n '/a/w out' x", []string{"write out"}},
		{"sed s/a/b/ x", nil},
		{"perl -pi -e s/a/b/ x y", []string{"write x", "write y"}},
		{"perl -i.bak -ne print x", []string{"write x", "write x.bak"}},
		{"ruby -i -pe 'x' a", []string{"write a"}},
		{"mv a b", []string{"move a/**", "write b", "write b/?", "write b/a", "write b/a/?"}},
		{"cp a b", []string{"write b", "write b/a"}},
		{"cp -t d a b", []string{"write d/a", "write d/b"}},
		{"cp a b c/", []string{"write c/a", "write c/b"}},
		{"install -m 600 a b", []string{"write b", "write b/a"}},
		{"install -d a", []string{"write a"}},
		{"ln -sf a b", []string{"link b", "link b/a"}},
		{"dd if=x of=y bs=1", []string{"write y"}},
		{"truncate -s 0 a; touch b; mkdir -p c", []string{"write a", "write b", "write c"}},
		{"rm -rf a b; rmdir c; unlink d; shred -u e", []string{"delete a/**", "delete b/**", "delete c", "delete d", "delete e"}},
		{"chmod 600 a; chmod -R u+w b; chmod -w c; chown me:you d; chmod --reference=x e", []string{"chmod a", "chmod b/**", "chmod c", "chmod d", "chmod e"}},
		{"rsync -a a/ b; rsync a host:b", []string{"write b/?"}},
		{"tar xf a.tar -C b; tar xzf c; tar czf d.tgz e; tar -xf f g/h", []string{"write b/?", "write ./?", "write d.tgz", "write g/h/**"}},
		{"unzip a.zip -d b", []string{"write b/?"}},
		{"gzip a; gunzip b.gz; gzip -c x", []string{"delete a", "write a.gz", "delete b.gz", "write b"}},
		{"curl -o a http://x; curl -O http://x/y/b?q; wget -O c http://x; wget http://x/d; curl http://x", []string{"write a", "write ./b", "write c", "write ./d"}},
		{"sort -o a b; uniq x y", []string{"write a", "write y"}},
		{"awk '{print > \"a\"}' x; awk -i inplace 1 y; awk '$1 > 5' z", []string{"write a", "write y"}},
		{"vim -c 'w a' -c q; ed b <<< w; ex -sc 'x' c", []string{"write a", "write b", "write c"}},
		{"find . -name '*.o' -delete", []string{"delete ./**/*.o"}},
		{"find a -name b -exec rm {} \\;", []string{"delete a/**/b"}},
		{"find . -fprint a", []string{"write a"}},
		{"echo a b | xargs rm", []string{"delete a", "delete b"}},
		{"ls | xargs rm", []string{"delete *"}},
		{"git ls-files | xargs sed -i s/a/b/", []string{"write …"}},
		{"echo a | xargs -I{} touch {}.x", []string{"write a.x"}},
		{"sh -c 'echo > a'; bash -lc \"echo > b\"; eval 'echo > c'", []string{"write a", "write b", "write c"}},
		{"sudo -n env A=1 nice -n 5 nohup timeout 3 stdbuf -oL time command exec touch a", []string{"write a"}},
		{"parallel touch ::: a b", []string{"write a", "write b"}},
		{"ssh host 'rm a'", nil},
		{"echo rm a; git commit -m 'rm a > b'", nil},
		{"echo 'echo > a' | sh", []string{"write a"}},
		{"curl -s http://x | sh", []string{"code …/?"}},
		{"echo ZWNobyA+IGE= | base64 -d | sh", []string{"write a"}},
		{"cat > a.sh <<'E'\ntouch b\nE\nbash a.sh", []string{"write a.sh", "write b"}},
		{"printf 'touch b' > a.sh; chmod +x a.sh && ./a.sh", []string{"write a.sh", "chmod a.sh", "write b"}},
		{"patch -p1 <<'E'\n--- a/x\n+++ b/x\nE", []string{"write ./x", "write ./x.rej", "write ./x.orig"}},
		{"git apply <<'E'\n--- a/x\n+++ b/x\nE", []string{"write ./x", "write ./x.rej", "write ./x.orig"}},
		{"patch -p1 < x", []string{"write ./?"}},
		{"apply_patch <<'E'\n*** Begin Patch\n*** Update File: a\n*** Delete File: b\nE", []string{"write a", "delete b"}},
		{"git checkout HEAD -- a", []string{"write a", "write a/?"}},
		{"git checkout -b x; git status; git commit -am x; git push", nil},
		{"git restore --staged a; git restore b", []string{"write b", "write b/?"}},
		{"git rm a; git mv b c; git clean -fd", []string{"delete a", "move b/**", "write c", "write c/?", "write c/b", "write c/b/?", "delete ./?"}},
		{"git config core.hooksPath x; git config --get x; git config x", []string{"write ${PROJECT}/.git/config"}},
		{"rm $(echo a)", []string{"delete a"}},
		{"rm \"$(git rev-parse --show-toplevel)/a\"", []string{"delete ${PROJECT}/a"}},
		{"busybox rm a; /bin/rm b; \\rm c; 'r'm d", []string{"delete a", "delete b", "delete c", "delete d"}},
		{"pwsh -c \"Set-Content -Path a -Value b; Remove-Item c\"", []string{"write a", "delete c/**"}},
	} {
		check(t, tt.line, tt.want...)
	}
}

func TestInlineCode(t *testing.T) {
	for _, tt := range []struct {
		line string
		want []string
	}{
		{`python3 -c "open('a','w').write('x')"`, []string{"write a"}},
		{`python3 -c "print(open('a').read())"`, nil},
		{"python3 - <<'E'\nfrom pathlib import Path\np = Path('a/b')\np.write_text('{}')\nE", []string{"write a/b"}},
		{"python3 - <<'E'\nimport json\nd = json.load(open('a'))\njson.dump(d, open('b', 'w'))\nE", []string{"write b"}},
		{"python3 <<'E'\nfor f in ['a', 'b']:\n    with open(f, 'a') as o: o.write('')\nE", []string{"write a", "write b"}},
		{`python3 -c "import os; os.remove('a'); os.rename('b','c')"`, []string{"delete a", "move b/**", "write c/**"}},
		{`python3 -c "import os; os.system('rm a')"`, []string{"delete a"}},
		{`python3 -c "import subprocess; subprocess.run(['rm','a'], check=True)"`, []string{"delete a"}},
		{`python3 -c "import sys; open(sys.argv[1],'w')" a`, []string{"write a"}},
		{`python3 -c "import os; open(os.path.expanduser('~/a'),'w')"`, []string{"write ~/a"}},
		{`python3 -c "from pathlib import Path; (Path.home()/'a'/'b').unlink()"`, []string{"delete ~/a/b", "delete ~ab"}},
		{`python3 -c "s='a'.replace('b','c')"`, nil},
		{`node -e 'require("fs").writeFileSync("a","")'`, []string{"write a"}},
		{`node -e 'const fs=require("fs"); const p="a"; fs.appendFileSync(p, "x")'`, []string{"write a"}},
		{`node -e 'console.log(require("fs").readFileSync("a","utf8"))'`, nil},
		{`node -e 'require("child_process").execSync("rm a")'`, []string{"delete a"}},
		{`ruby -e 'File.write("a", "x"); File.delete("b")'`, []string{"write a", "delete b"}},
		{`ruby -e 'File.open("a","w") { |f| f.puts 1 }'`, []string{"write a"}},
		{`perl -e 'open(my $f, ">", "a"); unlink "b"; rename "c", "d"'`, []string{"write a", "delete b", "move c/**", "write d/**"}},
		{`perl -e 'open(F, ">a")'`, []string{"write a"}},
		{`php -r 'file_put_contents("a", "x");'`, []string{"write a"}},
		{`awk 'BEGIN { system("rm a") }'`, []string{"delete a"}},
		{"python3 s.py a", nil},
	} {
		check(t, tt.line, tt.want...)
	}
}

func TestReadable(t *testing.T) {
	for _, tt := range []struct {
		name, line string
		want       bool
	}{
		{"words", "echo x > a # " + strings.Repeat("y ", 1<<20), true},
		{"text", "cat > a <<'EOF'\n" + strings.Repeat("A sentence of some words, and a point.\n", 4000) + "EOF", true},
		{"short", strings.Repeat("(", maxMarks), true},
		{"brackets", strings.Repeat("(", maxMarks+1), false},
		{"spaced", strings.Repeat("( ", maxMarks+1), false},
		{"words of the grammar", strings.Repeat("if ", maxMarks+1), false},
		{"ands", strings.Repeat("a && ", maxMarks), false},
		{"expansions", strings.Repeat("${a:-", maxMarks), false},
	} {
		if got := Readable(tt.line); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
		if _, err := Analyze("echo > a; "+tt.line, Options{}); (err == nil) != tt.want && tt.name != "words" && tt.name != "short" {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

// What grows on its own ends.
func TestBounds(t *testing.T) {
	for _, line := range []string{
		"f() { f; f; }; f",
		"a=x; for i in " + strings.Repeat("a ", 60) + "; do for j in " + strings.Repeat("b ", 60) + "; do for k in " + strings.Repeat("c ", 60) + "; do a=$a$a; done; done; done",
		"echo {a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}",
		"x='eval \"$x\"'; eval \"$x\"",
		strings.Repeat("sudo ", 10000) + "rm a",
		strings.Repeat("cat a | ", 1000) + "b",
		"x=" + strings.Repeat("y", 50000) + "; for i in 1 2 3 4 5 6 7 8 9; do x=$x$x; done; echo $x > $x",
		"while :; do while :; do while :; do while :; do while :; do while :; do while :; do rm a; done; done; done; done; done; done; done",
		strings.Repeat("sh -c '", 20),
		"alias a='b;b' b='c;c' c='d;d' d='e;e' e='f;f' f='g;g' g='h;h' h='i;i' i='j;j' j='k;k' k='l;l' l='a;a'; a",
		strings.Repeat("ln -s a b; ln -s b a; ", 500) + "echo > a/b/c",
		strings.Repeat("for i in 1 2 3 4; do ", 8) + "ln -s a$i b; echo > b/c; " + strings.Repeat("done; ", 8),
		"EDITOR='EDITOR=x git commit' " + strings.Repeat("EDITOR=y ", 2000) + "git commit",
		"python3 -c \"" + strings.Repeat("eval('", 3000) + "\"",
		"git config alias.a '!git config alias.a \"!git config alias.a x\"'; git -c alias.a='config alias.a a' a",
		"x='" + strings.Repeat("\xff", 100_000) + "'; eval \"$x\"",
		"python3 -c \"" + strings.Repeat("open(", 20000) + "\"",
		"python3 -c \"" + strings.Repeat("a=b;", 60000) + "\"",
	} {
		began := time.Now()
		_, _ = Analyze(line, Options{})
		t.Logf("%v for %.40q", time.Since(began).Round(time.Millisecond), line)
	}
}

// No line panics, and what is told has a path and a place in the line.
func FuzzAnalyze(f *testing.F) {
	for _, s := range []string{
		"cat <<EOF > a\n$(echo > b)\nEOF", "echo > \"$HOME/a\" 2>&1 &> b", "case 0 in 0)0>00&esac&0\xa0",
		"case a in a) > b;; esac; [[ a > b ]]; (( 1 > 2 )); coproc x > y", "find . -name x -exec sh -c 'rm {}' \\; | xargs -0 -I% mv % ${a:-b}",
		"python3 -c \"for f in ['a']: open(f,'w')\"", "git -c alias.x='!rm a' x", "perl -e 'open(F,\">a\")'; awk '{print > \"b\"}'",
		"alias g=git; g commit -n; ln -s a b; echo > b/c; : ${x:=y} ${x,,} ${x:1:2} ${!x}; set -a; CDPATH=~; cd d", "'\xff'; rm \xfa/x > \xfe", "IFS=,; eval \"rm ~/a $X*\"; source <(echo rm b); pwsh -enc cgBtAA==; cmd /c del a",
		"a=(b c); set -- \"${a[@]}\"; shift; printf '%s %d' $1; read x <<< y", "tar xzf a -C b; sed -i '' s/a/b/ c; dd of=d",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		a, _ := Analyze(line, Options{})
		for _, e := range a.Effects {
			if e.Path == "" || e.Start < 0 || e.End > len(line) || e.Start > e.End {
				t.Errorf("%+v in %q", e, line)
			}
		}
		for _, c := range a.Commands {
			if g, ok := ParseGit(c); ok {
				_ = g.Has("-n")
			}
		}
		_, _ = AnalyzePowerShell(line, Options{})
	})
}

// A patch is read without harm, and each name that it tells stands in it.
func FuzzPatch(f *testing.F) {
	for _, s := range []string{
		"*** Begin Patch\n*** Update File: a/b\n@@\n-x\n+y\n*** Move to: c\n*** Delete File: d\n*** Add File: e\n+z\n*** End Patch",
		"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", "diff --git a/x b/y\nrename from x\nrename to y\n", "Index: a\r\n*** a\t2020\r\n--- \"b c\"\n", "--- /dev/null\n+++ b/\xff\n",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, patch string) {
		for _, e := range PatchNames(patch) {
			if e.Path == "" || !strings.Contains(patch, string(e.Path)) {
				t.Errorf("%q: %+v", patch, e)
			}
		}
		if n := len(DiffNames(patch)); n > maxFields {
			t.Errorf("%d names", n)
		}
		for _, line := range []string{"patch -p1 <<'E'\n" + patch + "\nE", "apply_patch " + Quote([]string{patch})} {
			_, _ = Analyze(line, Options{})
		}
	})
}
