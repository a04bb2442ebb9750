#!/usr/bin/env bash
# The oldest version of each dependency that pyproject.toml allows, and tests with them.
#   scripts/check_lowest.sh [TESTS…]    default: tests/stats tests/metrics
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
export PATH="$work/venv/bin:$PATH" NUMBA_CACHE_DIR="$work/numba"
pip install -q uv
version=$(python -c 'import sys; print("%d.%d" % sys.version_info[:2])')
uv pip compile -q --resolution lowest-direct --python-version "$version" --extra test pyproject.toml -o "$work/lowest.txt"
pip install -q -r "$work/lowest.txt"
pip install -q --no-deps -e .
grep -E '^[a-z].*==' "$work/lowest.txt"
[ $# -gt 0 ] || set -- tests/stats tests/metrics
python -m pytest -q "$@"
