#!/usr/bin/env bash
# Builds wheel and sdist, and looks whether they are fit to be published.
#   scripts/check_wheel.sh [DIR]    leaves both files in DIR (default: dist)
# Needs git, and pip's index for the builder and the dependencies. What is installed then runs
# without a network where the machine allows that (unshare), else with proxies that lead nowhere.
set -euo pipefail
cd "$(dirname "$0")/.."
out=${1:-dist}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
say() { printf '== %s\n' "$*"; }

# The time of the last commit stands in both files, so that anybody can build them again.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH

say "build twice; the wheel is made from the sdist"
python3 -m venv "$work/builder"
"$work/builder/bin/pip" install -q build twine
for round in first second; do
  "$work/builder/bin/python" -m build -o "$work/$round" . >"$work/build.log" 2>&1 || { cat "$work/build.log"; exit 1; }
done
for file in "$work"/first/*; do
  cmp "$file" "$work/second/${file##*/}"
done
(cd "$work/first" && sha256sum ./*)

say "metadata and contents"
"$work/builder/bin/twine" check --strict "$work"/first/*
python3 scripts/wheel_contents.py "$work"/first/*

say "install the wheel alone"
python3 -m venv "$work/user"
wheel=$(ls "$work"/first/*.whl)
"$work/user/bin/pip" install -q "${wheel}[en,play]"
cp README.md "$work/readme"
mkdir "$work/empty" "$work/home"

offline() {
  if unshare -rn true 2>/dev/null; then
    unshare -rn sh -c 'ip link set lo up 2>/dev/null || true; exec "$@"' sh "$@"
  else
    https_proxy=http://127.0.0.1:9 http_proxy=http://127.0.0.1:9 no_proxy=127.0.0.1 "$@"
  fi
}
cd "$work/empty"
export HOME=$work/home HYPERBATON_CACHE=$work/cache HF_HUB_OFFLINE=1 BROWSER=true PATH=$work/user/bin:$PATH
unset PYTHONPATH VIRTUAL_ENV

say "without a network: the commands of README"
offline hyperbaton --help >"$work/help"
grep -q wordorder "$work/help"
python -c 'import hyperbaton, sys; sys.exit("site-packages" not in hyperbaton.__file__)'
# "… pip install -e '.[en]' && hyperbaton show … && hyperbaton demo": what stands behind the install
command=$(sed -n "s/^ .*pip install -e '\.\[en\]' && \(.*hyperbaton demo\)$/\1/p" "$work/readme" | sed 's|\.venv/bin/||g')
[ -n "$command" ] || { echo "README's first command was not found"; exit 1; }
echo "$command"
offline sh -ec "$command" >"$work/demo.log" 2>&1 || { tail -20 "$work/demo.log"; exit 1; }
tail -3 "$work/demo.log"
[ -s hyperbaton-demo/wordorder/report.html ] || [ -n "$(find . -name report.html)" ]

say "without a network: the playground"
cat >"$work/visit.py" <<'PY'
import re, subprocess, sys, urllib.request
with subprocess.Popen(["hyperbaton", "play", "--no-open"], stdout=subprocess.PIPE,
                      stderr=subprocess.STDOUT, text=True) as play:
    try:
        link = next(found[0] for line in play.stdout if (found := re.search(r"http://127\S+", line)))
        page = urllib.request.urlopen(link, timeout=60).read().decode()
        sys.exit(None if "<script" in page else "the page is not the playground's")
    finally:
        play.terminate()
PY
offline python "$work/visit.py"

cd - >/dev/null
mkdir -p "$out"
cp "$work"/first/* "$out"
say "fit to be published: $(echo "$out"/hyperbaton-*)"
