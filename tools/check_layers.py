#!/usr/bin/env python3
"""Refuses an #include in src/ that goes against the layer order.

A folder includes only from itself and from folders above it; groth16 does not see circuit. Includes
are written from src/ ("curve/curve.h"), and cuzk.h is open to all.
Usage: check_layers.py [project root]
"""
import pathlib
import re
import sys

ORDER = ["base", "field", "curve", "hash", "compute", "circuit", "groth16", "iden3", "api", "engine",
         "server", "cmd"]
FORBIDDEN = {("groth16", "circuit")}
INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)')


def check_include(layer, target):
    """Returns why a file of this layer may not include target, or None."""
    if target == "cuzk.h":
        return None
    folder, slash, _ = target.partition("/")
    if not slash or folder not in ORDER:
        return f'"{target}" is not written from src/, as in "base/status.h"'
    if ORDER.index(folder) > ORDER.index(layer):
        return f'"{target}": {folder}/ is below {layer}/ in the layer order'
    if (layer, folder) in FORBIDDEN:
        return f'"{target}": {layer}/ must not see {folder}/'
    return None


def check_file(root, path):
    layer = path.relative_to(root / "src").parts[0]
    if layer not in ORDER:
        return [f"{path.relative_to(root)}: src/{layer}/ is not in the layer order"]
    problems = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        quoted, system = match.groups()
        if system is not None and system.partition("/")[0] not in ORDER and system != "cuzk.h":
            continue
        reason = (check_include(layer, quoted) if quoted is not None
                  else f"<{system}>: our own headers are included in double quotes")
        if reason:
            problems.append(f"{path.relative_to(root)}:{number}: {reason}")
    return problems


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    files = [p for p in sorted((root / "src").rglob("*"))
             if p.suffix in (".c", ".h", ".cu", ".cuh", ".cc")]
    problems = [problem for path in files for problem in check_file(root, path)]
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems or not files else 0


if __name__ == "__main__":
    sys.exit(main())
