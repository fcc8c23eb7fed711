#!/bin/bash
# Formats all tracked C sources, or with --check says which ones `make format` would change. Tables that
# a generator writes stay as it writes them.
set -euo pipefail
cd "$(dirname "$0")/.."
mode=(-i)
[ "${1:-}" != --check ] || mode=(--dry-run -Werror)
git ls-files '*.c' '*.h' '*.cu' '*.cuh' | while read -r file; do
    [ ! -f "$file" ] || head -3 "$file" | grep -Eq '(Written|Made) by tools/gen_' || echo "$file"
done | xargs clang-format "${mode[@]}"
