package decide

import (
	"encoding/json"
	"testing"

	"github.com/agenthooks/hookctl/gate"
)

// The work of every day, some of it with protected names in its words: nothing of it
// is denied or asked about.
func TestEverydayLines(t *testing.T) {
	unix().lines(t, "silence", []string{
		`npm test`, `npm ci && npm run build`, `npm run lint -- --fix`, `npx tsc --noEmit`, `npx husky init`, `npx husky install`, `npm pkg set scripts.prepare=husky`, `npm install --save-dev husky && npx husky init && echo "npm test" > .husky/pre-commit`, `pnpm i --frozen-lockfile`, `yarn workspace a build`, `npx eslint --fix .`, `npx prettier --write .`, `npx prettier --write "src/**/*.ts"`, `pre-commit install`, `pre-commit run --all-files`, `lefthook install`, `npx playwright test --reporter=line`,
		`go build ./... && go test ./...`, `go test -run TestX -v ./gate 2>&1 | tail -20`, `gofmt -w .`, `gofmt -l . | head`, `golangci-lint run --fix ./...`, `go mod tidy`, `GOOS=windows go vet ./...`, `go run . > out.txt 2>&1`, `go generate ./... && git diff --exit-code`, `CGO_ENABLED=0 go build -o bin/app ./cmd/app`, `make -j8 all`, `make clean test`, `cmake -B build -S . && cmake --build build`, `cargo build --release`, `cargo fmt && cargo clippy -- -D warnings`, `mvn -q -DskipTests package`, `./gradlew build`, `bundle exec rspec`, `dotnet test`, `swift build`, `bazel test //...`,
		`python3 -m pytest -q`, `python3 -m venv .venv && . .venv/bin/activate && pip install -r requirements.txt`, `source .venv/bin/activate`, `pip install -e '.[dev]'`, `uv sync && uv run pytest`, `python3 manage.py migrate`, `python3 scripts/gen.py > docs/api.md`, `python3 -c "import json,sys; print(json.load(open('.claude/settings.json'))['hooks'])"`, "python3 - <<'E'\nimport json\nd = json.load(open('.claude/settings.json'))\nopen('/tmp/out.json', 'w').write(json.dumps(d))\nE", `python3 -c "import os; print(os.environ['HOME'], os.listdir('.claude'))"`, `python3 -c "
import re
s = open('README.md').read()
s = s.replace('settings', 'options')
open('README.md', 'w').write(s)"`,
		`node -e "console.log(require('./package.json').version)"`, `node -e 'const s = require("fs").readFileSync(".claude/settings.json", "utf8"); console.log(JSON.parse(s).hooks)'`, `node -p "process.version"`, `ruby -e 'puts File.read(".claude/settings.json")'`, `perl -ne 'print if /hooks/' ~/.claude/settings.json`, `perl -pi -e 's/a/b/' src/*.go`, `awk -F, '{print $2}' data.csv > col.txt`, `awk '{s+=$1} END {print s}' x`,
		`cat ~/.claude/settings.json`, `jq .hooks ~/.claude/settings.json`, `jq . .claude/settings.json > /tmp/s.json`, `grep -rn "settings.json" .`, `grep -c hooks ~/.claude/settings.json || true`, `rg 'echo x > ~/.claude/settings.json' docs`, `ls -la ~/.claude ~/.hookctl .git/hooks`, `diff ~/.claude/settings.json .claude/settings.json`, `cp ~/.claude/settings.json /tmp/backup.json`, `cp .claude/settings.json docs/example.json`, `tar czf /tmp/b.tgz ~/.claude`, `rsync -a ~/.claude/ /tmp/claude-backup/`, `zip -r /tmp/c.zip .claude`, `stat -c %y ~/.claude/settings.json`, `sha256sum ~/.hookctl/config.yaml`, `wc -l .claude/settings.json`, `cat .git/hooks/pre-commit`, `cp .git/hooks/pre-commit /tmp/`, `head -5 ~/.codex/config.toml`, `test -f .claude/settings.json && echo yes`, `[ -d ~/.hookctl ] || echo "no hookctl"`, `find . -name settings.json`, `find . -name '*.orig' -delete`, `find . -type f -name '*.go' | xargs wc -l`, `find . -name node_modules -prune -o -name '*.ts' -print`, `find . -name '*.pyc' -exec rm {} +`, `find . -type d -name __pycache__ -exec rm -rf {} +`, `grep -rl old src | xargs sed -i 's/old/new/g'`, `git grep -l foo | xargs sed -i s/foo/bar/`, `sed -i 's/settings.json/options.json/' README.md`, `sed -n '1,40p' .claude/settings.json`, `open .`, `code .`,
		`git status --short`, `git commit -m "Do not edit ~/.claude/settings.json"`, `git commit -m 'never run git commit --no-verify or git push --force'`, "git commit -F - <<'E'\nRefuse git push --force\n\nrm -rf ~/.hookctl is denied now; echo x > ~/.claude/settings.json too.\nE", "git commit -m \"$(cat <<'EOF'\nGuard hookctl pause\n\nAlso git reset --hard and git commit -n.\nEOF\n)\"", `git commit -am "fix: -n is a flag"`, `git commit -m "x" -- src/a.go`, `git commit --amend --no-edit`, `git commit --fixup HEAD~1`, `git commit -vS -m x`, `git add -A && git commit -m "x" && git push -u origin feature/x`, `git push`, `git push origin HEAD`, `git push origin feature`, `git push --tags`, `git push origin v1.2.3`, `git push -n origin main`, `git push --dry-run --force origin main`, `git push origin main:backup-main`, `git push origin "$(git branch --show-current)"`, `git fetch origin main:main`, `git pull --rebase origin main`, `git merge --no-ff main`, `git merge -n feature`, `git rebase -i --autosquash main`, `git rebase -n main`, `git cherry-pick -n abc`, `git reset HEAD~1`, `git reset --soft HEAD~1`, `git checkout -b x main`, `git checkout main`, `git checkout -- src/a.go`, `git switch -c y`, `git restore src/a.go`, `git restore --staged .`, `git stash && git pull && git stash pop`, `git stash drop`, `git clean -nd`, `git log --grep='--no-verify' -n 5`, `git log -n 3`, `git log -S'push --force'`, `git branch -D old`, `git tag -f v1`, `git tag -n`, `git config user.name x`, `git config --get core.hooksPath`, `git config core.hooksPath`, `git config --list | grep hooks`, `git config alias.st status`, `git config alias.ci commit`, `git -c user.name=a -c user.email=b commit -m x`, `git worktree add ../w -b w`, `git submodule update --init --recursive`, `git apply --check x.patch`, `git format-patch -1 --stdout > /tmp/x.patch`, `git show HEAD:.claude/settings.json`, `git diff -- .claude/settings.json | cat`, `git log -p -- .git/hooks`, `git init -q /tmp/r && cd /tmp/r && git commit --allow-empty -m x`, `git bisect run make test`, `git rebase -x 'make test' main`, `git rev-parse --git-path hooks`, `git remote add up https://x.example/y`,
		`gh pr create --title "Stop git push --force" --body "see ~/.claude/settings.json"`, `gh pr view 12 --json title`, `gh pr merge 12 --squash`, `gh pr checkout 3`, `gh api repos/o/r/pulls/1/comments`, `gh api -X GET repos/o/r/contents/README.md -f ref=main`, `gh api repos/o/r/issues -f title=x -f body=y`, `gh run watch`, `gh release create v1 --notes "x"`, `glab mr list`,
		`docker build -t app .`, `docker run --rm -v "$PWD":/w -w /w golang:1.24 go test ./...`, `docker compose up -d && docker compose logs -f app | head`, `docker exec app sh -c 'rm -rf /tmp/x'`, `kubectl get pods -n app -o json | jq -r '.items[].metadata.name'`, `kubectl apply -f k8s/`, `kubectl exec -it p -- sh -c "cat /etc/hosts"`, `helm upgrade --install a ./chart`, `terraform plan -out=p`, `aws s3 cp s3://b/x .`, `ssh host 'cd /srv && git pull'`, `scp a host:/tmp/`, `curl -s https://x.example/api | jq .`, `curl -fsSL https://x.example/install.sh | sh`, `curl -sL https://x.example/y.tgz | tar xz -C vendor`, `wget -q https://x.example/z.zip && unzip -q z.zip`, `psql -c 'select 1'`, `sqlite3 a.db .tables`,
		`printf '#!/bin/sh\nmake lint\n' > .git/hooks/commit-msg && chmod +x .git/hooks/commit-msg`, `cp scripts/pre-push .git/hooks/pre-push && chmod 755 .git/hooks/pre-push`, `chmod +x .git/hooks/pre-commit`, `mv .git/hooks/pre-push.sample .git/hooks/pre-push`, `rm .git/hooks/*.sample`, `npm uninstall husky`, `rm -rf /tmp/r/.git`, `ls .git/hooks | grep -v sample`, `echo 'npx lint-staged' > .husky/pre-commit`, `sed -i s/a/b/ .husky/pre-commit`, `echo "edit ~/.claude/settings.json by hand" >> README.md`, `echo '{"hooks": {}}' > /tmp/settings.json`, "cat > docs/hooks.md <<'E'\n# Hooks\n\n    rm -rf ~/.hookctl\n    echo x > .claude/settings.json\n\nRun `git commit --no-verify` never.\nE", "cat <<EOF >> notes.md\nhookctl pause 10m is for people\nEOF", "tee docs/a.md > /dev/null <<'E'\ngit push --force origin main\nE", `printf '%s\n' "hookctl uninstall" >> notes.md`, `echo "hookctl pause 10m"`, `# rm ~/.claude/settings.json`, `true # git push --force`, `mkdir -p .claude/commands && echo x > .claude/commands/a.md`, `rm -rf .claude/commands/old`, `cp -r .claude/commands /tmp`, `touch .claude/agents/x.md`, `ls ~/.codex/sessions | tail -1`, `rm -rf node_modules dist && npm i`, `rm -f *.log tmp/*`, `rm -rf "$TMPDIR/x"`, `rm -rf "$X"`, `rm -rf $X/dist`, `mv "$X" "$Y"`, `tar xf x -C "$X"`, `rm -rf "$D/.cache"`, `rm -rf build/ .cache`, `rm -rf ./*.tmp`, `mv a.txt b.txt`, `mv src/*.ts lib/`, `cp -r src/ /tmp/src`, `cp "$SRC" "$DST"`, `ln -s ../x y`, `chmod +x scripts/*.sh && ./scripts/run.sh`, `chmod -R u+w build`, `mkdir -p a/b/c`, `touch "$f"`, `for f in *.md; do echo "$f"; sed -i 's/x/y/' "$f"; done`, `while read -r l; do echo "$l"; done < list.txt > out.txt`, `for i in $(seq 1 5); do curl -s localhost:80$i; done`, `X=$(git rev-parse --show-toplevel) && cd "$X" && make`, `cd "$(git rev-parse --show-toplevel)" && rm -rf dist`, `T=$(mktemp -d) && cp -r . "$T" && cd "$T" && make && rm -rf "$T"`, `export PATH="$HOME/bin:$PATH"; which node`, `kill %1; wait`, `sleep 2; date`, `time make`, `(cd web && npm run build)`, `tmux new-session -d -s x 'npm run dev'`, `nohup npm start > server.log 2>&1 &`, `timeout 60 npm test`, `xargs -n1 echo < list`, `yes | head -3`, `tar xzf x.tgz`, `tar xzf x.tgz --strip-components=1 -C vendor/x`, `unzip -o x.zip -d vendor`, `gunzip -k data.gz`, `patch -p1 < fix.patch`, `ed -s a.txt <<< $'1d\nw'`, `vim -c 'q' x`, `dd if=/dev/zero of=x bs=1M count=1`, `crontab -l`, `ps aux | grep hookctl`, `hookctl status`, `hookctl verify --json`, `hookctl explain --command 'git push --force'`, `hookctl test`, `hookctl sync`, `hookctl sync --check`, `hookctl pause --help`, `hookctl --version && which hookctl`, `hookctl doctor | tee /tmp/d.txt`, `man git-push`, `HUSKY=0 npm ci`, `SKIP=x make test`, `CI=1 npm test`, `brew install jq`, `apt-get install -y jq`, `pip download x`, `sudo systemctl restart nginx`, `xdg-open report.html`, `say "done"`, `osascript -e 'display notification "done"'`,
	})
}

func TestEverydayTools(t *testing.T) {
	for _, tt := range []struct {
		tool  string
		input map[string]any
	}{
		{"Read", map[string]any{"file_path": "/home/u/.claude/settings.json"}},
		{"Write", map[string]any{"file_path": "/home/u/app/docs/settings.json", "content": "see ~/.claude/settings.json"}},
		{"Edit", map[string]any{"file_path": "README.md", "old_string": "rm ~/.claude/settings.json", "new_string": "x"}},
		{"Write", map[string]any{"file_path": ".husky/pre-commit", "content": "npm test"}},
		{"Write", map[string]any{"file_path": ".git/hooks/commit-msg", "content": "#!/bin/sh"}},
		{"Grep", map[string]any{"pattern": "hooks", "path": "/home/u/.claude/settings.json"}},
		{"apply_patch", map[string]any{"input": "*** Begin Patch\n*** Update File: docs/a.md\n@@\n-x\n+echo > .claude/settings.json\n*** End Patch"}},
		{"mcp__files__read_text_file", map[string]any{"path": "/home/u/.claude/settings.json"}},
		{"mcp__github__create_issue", map[string]any{"title": "edit .claude/settings.json", "body": "rm -rf ~/.hookctl"}},
		{"mcp__github__create_or_update_file", map[string]any{"path": "docs/a.md", "content": ".claude/settings.json"}},
		{"mcp__slack__post_message", map[string]any{"text": "rm ~/.claude/settings.json", "to": "team"}},
		{"mcp__db__query", map[string]any{"command": "select 1"}},
		{"mcp__browser__navigate", map[string]any{"url": "https://x.example/.claude/settings.json"}},
		{"WebFetch", map[string]any{"url": "file:///home/u/.claude/settings.json", "prompt": "x"}},
		{"Task", map[string]any{"prompt": "rm ~/.claude/settings.json"}},
		{"TodoWrite", map[string]any{"todos": []any{map[string]any{"content": "edit .claude/settings.json"}}}},
	} {
		if got, why := unix().answers(t, tt.tool, tt.input); got != "silence" {
			t.Errorf("%s %v: %s: %s", tt.tool, tt.input, got, why)
		}
	}
}

// Names that a team protects wherever they are do not stand in the way of deleting
// what is elsewhere.
func TestProtectedAnywhere(t *testing.T) {
	e := unix().engine(t)
	e.Paths.Protect = []string{".env", "secrets/**", "*.pem", "${PROJECT}/config/prod.yaml"}
	for line, want := range map[string]gate.Decision{
		"rm -rf node_modules": gate.Silent, "rm -rf dist build": gate.Silent, "mv src lib": gate.Silent, "rm -rf config": gate.Silent, "chmod -R u+w build": gate.Silent, "cp -r a b": gate.Silent,
		"find . -name '*.tmp' -delete": gate.Silent, "echo x > src/env.go": gate.Silent, "rm *.txt": gate.Silent, "rm -rf src/*": gate.Silent, "rm -rf secrets/*": gate.Block, "rm secrets/a*": gate.Block, "git checkout -- src": gate.Silent, "tar xf x.tar -C vendor": gate.Silent,
		"rm .env": gate.Block, "rm -rf conf": gate.Block, "echo x >> sub/.env": gate.Block, "cp x secrets/": gate.Block, "rm -rf secrets": gate.Block, "rm -rf sub/secrets": gate.Block, "rm sub/a.pem": gate.Block, "rm *.pem": gate.Block, "sed -i s/a/b/ config/prod.yaml": gate.Block, "find . -name '*.pem' -delete": gate.Block,
	} {
		raw, _ := json.Marshal(map[string]string{"command": line})
		v, _ := e.Decide(t.Context(), gate.Event{Kind: gate.PreTool, CWD: "/home/u/app", Tool: gate.Tool{Name: "Bash", Input: raw}})
		if v.Decision != want {
			t.Errorf("%q: %v, want %v: %s", line, v.Decision, want, v.Reason)
		}
	}
}
