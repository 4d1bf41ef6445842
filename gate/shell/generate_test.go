package shell

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// generator makes command lines that change files in more and less obvious ways.
type generator struct {
	r    *rand.Rand
	have map[string]bool
}

func pick[T any](g *generator, of ...T) T { return of[g.r.IntN(len(of))] }

// name is a file, there or not.
func (g *generator) name() string {
	return pick(g, "a", "b.txt", "c.json", "d/x", "d/y.json", "d/e/z", "new", "new.txt", ".dot", "ln", "dln/x", "d/new", "./a", "d/../a", "no/new", "d/e/../x")
}

// path is a file as a shell may be told it.
func (g *generator) path() string {
	n := g.name()
	switch g.r.IntN(16) {
	case 0:
		return "'" + n + "'"
	case 1:
		return `"` + n + `"`
	case 2:
		return n[:1] + `"` + n[1:] + `"`
	case 3:
		return n[:len(n)-1] + "'" + n[len(n)-1:] + "'"
	case 4:
		return `$PWD/` + n
	case 5:
		return pick(g, "~/h", "~/.rc", "$HOME/new", `"$HOME"/h`, "${HOME}/h")
	case 6:
		return pick(g, "*.txt", "d/*.json", "?", "[ab]*", "d/*", ".d*", "{a,new}", "{b,new}.txt", "d/{x,e/z}")
	case 7:
		return `"$(echo ` + n + `)"`
	case 8:
		return "`printf %s " + n + "`"
	case 9:
		return `$'` + n + `'`
	case 10:
		return `sp\ ace`
	case 11:
		return `${UNSET:-` + n + `}`
	}
	return n
}

// one is a path that is one word.
func (g *generator) one() string {
	for {
		if p := g.path(); !strings.ContainsAny(p, "*?[{") || strings.HasPrefix(p, "$") {
			return p
		}
	}
}

func (g *generator) folder() string { return pick(g, "d", "d/e", "d/", "new", "dln", ".", "no", "~") }

// change is a simple command that changes files.
func (g *generator) change() string {
	p, q, d := g.path(), g.one(), g.folder()
	all := []string{
		"echo x > " + q, "echo x >> " + q, "echo x >| " + q, ": > " + q, "> " + q, "ls &> " + q, "ls nope 2> " + q, "cat a > " + q, "cat <<< t > " + q,
		"tee " + p + " < a", "echo x | tee -a " + q + " > /dev/null", "touch " + p, "rm -f " + p, "rm -rf " + d, "rm " + p + " " + q, "unlink " + q,
		"sed -i s/o/0/ " + p, "sed -i.bak 's/b/B/' " + q, "sed -n 'w out' a", "sed -ne '/o/w " + g.name() + "' a", "sed --in-place=.o -e s/x/X/ d/x", "sed -i -e s/a/b/ -e s/o/i/ " + p,
		"mv " + q + " " + g.one(), "mv " + q + " " + d, "mv -t d " + q, "cp a " + q, "cp " + q + " " + d, "cp -r d " + d, "cp -t d " + p, "cp -a d/. " + d, "cp --parents d/x e 2>&1", "cp -rT d " + d,
		"ln -sf a " + q, "ln -s x " + d, "ln -f a " + q, "ln -sfn d " + q, "install -m 600 a " + q, "install -d " + d, "install -D a no/such/" + g.name(),
		"dd if=a of=" + q + " status=none", "truncate -s 1 " + q, "truncate -s0 " + p, "chmod 600 " + p, "chmod -R go-r " + d, "chmod -w " + q, "chmod u+x,g-r a b.txt",
		"mkdir -p " + g.name(), "mkdir " + d, "rmdir " + d, "rmdir d/e", "mkdir -p no/a/b && rmdir -p no/a/b", "shred -u " + q, "shred -n1 a",
		"sort -o " + q + " a", "sort a -o b.txt", "uniq a " + q, "split -l 1 a " + g.name(), "mktemp -p d", "mktemp d/tXXXX", "csplit -s a 2",
		"find . -name '*.json' -delete", "find d -type f -exec rm {} +", "find . -name x -exec sh -c 'echo y > $1' _ {} \\;", "find d -fprint " + q, "find . -maxdepth 1 -name b.txt | xargs rm", "find d -name '*.json' -print0 | xargs -0 touch -d yesterday",
		"echo " + g.name() + " | xargs rm -f", "cat list | xargs touch", "printf '%s\\n' a new | xargs -I{} cp c.json {}.x", "xargs -a list rm", "ls d | xargs -n1 touch",
		"sed '1e touch " + g.name() + "' a", "xargs -a <(echo " + g.name() + ") touch", "exec 5> " + q + "; echo >&5", "cat a | tee >(cat > " + q + ") > /dev/null; sleep 0.1",
	}
	if g.have["perl"] {
		all = append(all, "perl -pi -e s/o/0/ "+p, "perl -i.orig -ne print "+q, `perl -e 'open(my $f, ">", "`+g.name()+`"); print $f 1'`, "perl -lpi -e s/o/0/ "+q, "perl -0pi -e s/o/0/ "+q, `perl -e 'unlink glob "d/*.json"'`, `perl -e 'for ("a", "b.txt") { unlink $_ }'`, `perl -e 'chdir "d"; unlink "x"'`, `perl -e 'unlink "a"; rename "b.txt", "new"'`, `perl -e 'open F, ">>a"; print F 1'`)
	}
	if g.have["python3"] {
		n := g.name()
		all = append(all, `python3 -c "open('`+n+`','w').write('x')"`, `python3 -c "import os; os.remove('`+n+`')"`,
			"python3 - <<'E'\nfrom pathlib import Path\np = Path('d') / 'x'\np.write_text('1')\nE", `python3 -c "import shutil; shutil.copy('a','`+n+`')"`,
			`python3 -c "import os,sys; os.rename(sys.argv[1], 'new')" a`, `python3 -c "import subprocess; subprocess.run(['touch','`+n+`'])"`,
			"python3 <<E\nfor f in ['a', 'b.txt']:\n    with open(f, 'a') as o:\n        o.write('x')\nE", `python3 -c "import os; os.system('rm -f `+n+`')"`,
			`python3 -c "import shutil; shutil.rmtree('d')"`, `python3 -c "import os; os.chdir('d'); os.remove('x')"`, `python3 -c "import os; os.execvp('touch', ['touch', '`+n+`'])"`, `python3 -c "import glob,os; [os.remove(f) for f in glob.glob('d/*.json')]"`, `python3 -c "import os; open(os.environ['HOME']+'/h','w')"`, "python3 - <<'E'\nimport os\nd = os.path.join(os.path.expanduser('~'), 'new')\nos.makedirs(os.path.join(d, 'x'))\nE", `python3 -c "from os import remove as r; r('a')"`, `python3 -c "__import__('os').remove('a')"`, `python3 -c "import os; os.makedirs('no/a'); os.chmod('a',0o600)"`, `python3 -c "import json; json.dump({}, open('`+n+`','w'))"`)
	}
	if g.have["node"] {
		all = append(all, `node -e 'require("fs").writeFileSync("`+g.name()+`","")'`, `node -pe 'require("fs").appendFileSync("`+g.name()+`", "x")'`, `node -e 'process.chdir("d"); require("fs").rmSync("x")'`, `node -e 'import("node:fs").then(f => f.writeFileSync("new", ""))'`, `node -e 'const {unlinkSync: u} = require("fs"); u("a")'`, `node -e 'require("fs").writeFileSync(process.env.HOME + "/h", "")'`, `node -e 'const fs = require("fs"); fs.renameSync("a", "new"); fs.rmSync("d", {recursive: true})'`)
	}
	if g.have["ruby"] {
		all = append(all, `ruby -e 'File.write("`+g.name()+`", "x")'`)
	}
	if g.have["awk"] {
		all = append(all, `awk '{print > "out"}' a`, `awk 'BEGIN { system("touch new") }'`, `awk -v f=new '{print >> f}' a`, `awk 'BEGIN { "touch new" | getline }'`, `awk '{print > ENVIRON["HOME"] "/h"}' a`, `awk '{print > (FILENAME ".out")}' a`, `awk '$1 > 5 {print > "n" $1}' a`)
	}
	if g.have["tar"] {
		all = append(all, "tar cf t.tar d && tar xf t.tar -C "+d, "tar cf "+q+" a", "tar czf new.tgz d --remove-files", "tar cf t.tar a d/x && rm a && tar xf t.tar a")
	}
	if g.have["gzip"] {
		all = append(all, "gzip "+q, "gzip -k a && gunzip -f a.gz", "gzip -c a > "+q, "gzip -r d")
	}
	if g.have["patch"] {
		all = append(all, "patch -p1 < f.diff", "patch b.txt < f.diff", "patch -p1 -o new < f.diff", "patch -p1 <<'E'\n--- a/b.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-b\n+c\nE")
	}
	if g.have["git"] {
		git := "git init -q . && git add -A && git -c user.name=a -c user.email=b commit -qm x; "
		all = append(all, git+"echo y > a; git checkout -- a", git+"rm a; git restore .", git+"git rm -q "+g.name(), git+"git mv b.txt new", git+"touch new && git clean -fdq",
			git+"echo y > a; git stash -q", git+"echo y > d/x; git reset -q --hard", "git apply f.diff", git+"git config --file "+q+" a.b c", git+"git archive -o "+q+" HEAD", git+"echo 1 > a; git diff --output="+q)
	}
	if g.have["rsync"] {
		all = append(all, "rsync -a d/ "+d, "rsync a "+q, "rsync -a --delete d/e/ d")
	}
	if g.have["ed"] {
		all = append(all, "printf '1d\\nw\\nq\\n' | ed -s a", "ed -s a <<< 'w new'")
	}
	if g.have["zip"] && g.have["unzip"] {
		all = append(all, "zip -q n.zip a d/x && unzip -qo n.zip -d "+d)
	}
	if g.have["xxd"] {
		all = append(all, "xxd a "+q)
	}
	return pick(g, all...)
}

// quoted puts code into single quotes.
func quoted(code string) string { return "'" + strings.ReplaceAll(code, "'", `'\''`) + "'" }

// line is a change, or several, wrapped in what shells have.
func (g *generator) line() string {
	s := g.change()
	for range g.r.IntN(3) {
		s = g.wrap(s)
	}
	return s
}

func (g *generator) wrap(s string) string {
	if strings.Contains(s, "$'") { // not every sh reads it as bash does
		return "bash -c " + quoted(s)
	}
	multi := strings.Contains(s, "<<E") || strings.Contains(s, "<<'E'")
	n := g.name()
	all := []string{
		"sh -c " + quoted(s), "bash -c " + quoted(s), "eval " + quoted(s), "echo " + quoted(s) + " | bash", "bash <<< " + quoted(s), "env X=1 bash -c " + quoted(s),
		"F=" + n + "; echo x > $F; " + s, "true && " + s, "false || " + s, "echo start; " + s, "false && rm -rf d; " + s,
		"cat > s.sh <<'S'\n" + s + "\nS\nbash s.sh", "timeout 5 bash -c " + quoted(s), "nice sh -c " + quoted(s), "C=" + quoted(s) + "; eval \"$C\"",
		"cd d && touch q; cd ..; " + s, "(cd d; echo x > r); " + s, "x=$(" + s + "\n)", "trap " + quoted(s) + " EXIT", "nohup sh -c " + quoted(s) + " 2>/dev/null >/dev/null", "find . -maxdepth 0 -exec sh -c " + quoted(s) + " \\;",
		"source <(echo " + quoted(s) + ")", "bash <(printf '%s\\n' " + quoted(s) + ")", "shopt -s expand_aliases\nalias zz=" + quoted(s) + "\nzz", "bash -c 'eval \"$0\"' " + quoted(s), "read -r l <<< 'touch " + n + "'; $l; " + s, "GIT_PAGER=" + quoted(s) + " git --version; " + s,
		"xargs -I{} bash -c " + quoted(s) + " <<< 1", "printf '%s' " + quoted(s) + " > s; . ./s",
	}
	if !multi {
		all = append(all, "("+s+")", "{ "+s+"; }", "if true; then "+s+"; fi", "if [ -f nope ]; then rm -rf *; else "+s+"; fi", "for i in 1 2; do "+s+"; done", "f() { "+s+"; }; f",
			"while read -r l; do "+s+"; break; done < list", "case x in x) "+s+";; *) rm -rf d;; esac", s+" && echo done > "+n, s+"; "+g.change(), "cd d && "+s, "pushd d > /dev/null; "+s+"; popd > /dev/null",
			"mkdir -p k; cd k; "+s, "cd nope 2>/dev/null; "+s, s+" | cat > "+n, "! "+s, "time "+s, "for f in a b.txt; do cp c.json $f.n; done; "+s, "until "+s+"; do break; done",
			"ln -s d L; echo y > L/x; "+s, "mkdir M; cp a b.txt M; cp c.json M; "+s, "rm -rf d; cp a d; "+s, "mkdir -p M/e; mv a M; mv b.txt M/e; "+s, "rm a; mkdir a; cp c.json a; "+s, "ln -s . L; cd L; "+s, "ln a hard; echo 1 > hard; "+s, "ln -s a L; ln -s L M; : > M; "+s, "cp -l a hard; echo 2 >> hard; "+s, "IFS=,; w=touch,"+n+"; $w; IFS=' '; "+s, "x=(q "+n+" new); touch \"${x[@]:1}\" ${x[0]} \"${x[-1]}\"; "+s, "sh -c 'touch \"$0\" \"$1\"' new "+n+"; "+s,
			"while read -r p q; do $p $q; done <<< 'touch "+n+"'; "+s, "V=NEW; touch ${V,,} ${V:1} ${V:0:2} ${V^^}; "+s, "ls "+n+"; touch $_; "+s, "CDPATH=$PWD/d; cd e > /dev/null && touch q2; cd \"$OLDPWD\"; unset CDPATH; "+s, "n=V; V="+n+"; touch ${!n}; "+s, "unset U; : ${U:="+n+"}; touch \"$U\"; "+s, "set -a; V="+n+"; sh -c 'touch $V'; "+s,
			"f() { shift; touch \"${@: -1}\" \"${@:1:1}\"; }; f 1 "+n+" new; "+s, "a[2]="+n+"; touch ${a[2]}; "+s, "mapfile -t l < list; touch \"${l[@]}\"; "+s, "cd d && touch q && cd .. && "+s, "cd nope 2>/dev/null && touch q && rm -rf a; "+s,
			fmt.Sprintf("A=(%s b.txt); touch \"${A[@]}\"; %s", n, s), "set -- "+n+" x; echo 1 > $1; "+s, "export V="+n+"; "+s+"; sh -c 'touch $V'", "f() { echo x > \"$1\"; }; f "+n+"; "+s, s+" & wait", "select x in a; do "+s+"; break; done <<< 1", "[[ -f a ]] && "+s, "while :; do "+s+"; break; done",
			"for ((i=0; i<2; i++)); do "+s+"; done", "shopt -s dotglob; "+s, "g() { local z=$1; echo > $z; }; g d/new; "+s, "read v <<< "+n+"; echo x > $v; "+s, "cd - 2>/dev/null; "+s, "cd d; cd e; cd ../..; "+s, "d=${PWD}; "+s+"; touch $d/x2")
	}
	return pick(g, all...)
}
