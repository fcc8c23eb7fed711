#!/usr/bin/env python3
"""Compiles every file of a build folder as far as clang's warnings go: no code, no objects.

Usage: check_clang.py BUILD [JOBS]. BUILD has been configured for clang, with CUZK_WERROR, and what its
sources include has been generated. Prints what the compiler says; exits with 1 if it refuses a file.
"""

import concurrent.futures
import json
import os
import shlex
import subprocess
import sys


def syntax_command(entry):
    """The command of a file without its outputs."""
    words = shlex.split(entry["command"])
    at = words.index("-o")
    return words[:at] + words[at + 2 :] + ["-fsyntax-only"]


def check(entry):
    return subprocess.run(syntax_command(entry), cwd=entry["directory"], stderr=subprocess.PIPE, text=True)


def main():
    with open(os.path.join(sys.argv[1], "compile_commands.json"), encoding="utf-8") as file:
        entries = json.load(file)
    jobs = int(sys.argv[2]) if len(sys.argv) > 2 else os.cpu_count()
    # Generated sources are not ours.
    entries = [e for e in entries if not e["file"].startswith(os.path.abspath(sys.argv[1]))]
    refused = 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for result in pool.map(check, entries):
            sys.stdout.write(result.stderr)
            refused += result.returncode != 0
    print(f"{len(entries)} files, {refused} refused")
    return 1 if refused or not entries else 0


if __name__ == "__main__":
    sys.exit(main())
