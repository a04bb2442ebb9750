#!/usr/bin/env bash
# Builds the image and runs its demo without a network. Where no engine is, the steps of Dockerfile
# run one by one in a clean root: nothing but the system's /usr and /etc and a Python.
set -euo pipefail
cd "$(dirname "$0")/.."

if docker info >/dev/null 2>&1; then
  work=$(mktemp -d)
  chmod 777 "$work"
  docker build -t hyperbaton .
  docker run --rm --network none -v "$work:/work" hyperbaton demo --limit 2 -l de --no-open --out demo
  docker run --rm --network none hyperbaton play --help >/dev/null
  [ -s "$work/demo/report.html" ]
  echo "the image works"
  exit
fi

if [ "${1:-}" != inside ]; then
  root=$(mktemp -d)
  trap 'rm -rf "$root"' EXIT
  ROOT=$root unshare -rm "$0" inside
  exit
fi

# From here on: a mount namespace of its own, so every mount is gone when this ends.
# shellcheck disable=SC2153 # it comes from the call above
root=$ROOT
mount -t tmpfs -o size=6g none "$root"
python=$(python3 -c 'import sys; print(sys.base_prefix)')
for folder in /usr /etc /dev /proc "$python"; do
  case $folder in /usr | /etc | /dev | /proc) ;; /usr/*) continue ;; esac
  mkdir -p "$root$folder"
  mount --rbind "$folder" "$root$folder"
done
ln -s usr/bin usr/sbin usr/lib usr/lib64 "$root/"
mkdir -m 777 "$root/tmp"
settings=(PATH="$python/bin:/usr/bin:/usr/sbin" HOME=/tmp LANG=C.UTF-8)
for name in PIP_CERT PIP_INDEX_URL HTTPS_PROXY HTTP_PROXY https_proxy http_proxy SSL_CERT_FILE; do
  [ -z "${!name:-}" ] || settings+=("$name=${!name}")
done
command -v "$python/bin/python" >/dev/null || { mkdir "$root/opt"; ln -s "$python/bin/python3" "$root/usr/local/bin/python"; }
folder=/
# shellcheck disable=SC2016 # for the inner shell
inside() { env -i "${settings[@]}" "${net[@]}" chroot "$root" sh -ec 'cd "$1"; shift; exec "$@"' sh "$folder" "$@"; }
net=()

while read -r word rest; do
  case $word in
    FROM) echo "== $word $rest: this system's Python in its place" ;;
    COPY)
      case $rest in
        --from=*) ;; # the second stage goes on in the same root
        ". "*)
          echo "== $word $rest"
          mkdir -p "$root${rest#. }"
          sed -n 's/^!//p' .dockerignore | tar -c --exclude=__pycache__ -T - | tar -x -C "$root${rest#. }" ;;
        *) echo "not understood: $word $rest"; exit 1 ;;
      esac ;;
    ENV) for pair in $rest; do settings+=("${pair/\$PATH/$python/bin:/usr/bin:/usr/sbin}"); done ;;
    RUN) echo "== $word $rest"; inside sh -ec "$rest" ;;
    WORKDIR) folder=$rest ;;
    USER) echo "== $word $rest: not changed here" ;;
    ENTRYPOINT) entry=$(python3 -c 'import json, sys; print(*json.loads(sys.argv[1]))' "$rest") ;;
    CMD) demo=$(python3 -c 'import json, sys; print(*json.loads(sys.argv[1]))' "$rest") ;;
  esac
done < <(grep -v '^#' Dockerfile)
rm -rf "$root/build"
net=(unshare -n)
# shellcheck disable=SC2086 # lists of plain words
inside $entry $demo --limit 2 -l de
inside "$entry" play --help >/dev/null
[ -s "$root$folder/demo/report.html" ]
echo "the steps work"
