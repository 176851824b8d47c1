#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the Go binding: go.py test|race|lint --tree TREE --library FILE --build FOLDER [--sanitize=...]

test: go's own tests, the programs of the README among them. race: the same under the race detector. lint: gofmt and go vet
find nothing. Everything goes into FOLDER and works without a network. Status 77: it cannot be done here, and the output
says why.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

FIRST = (1, 21)  # Debian 12 has 1.19
SKIPPED = 77
PACKAGE = """Name: cede
Description: the library of the build
Version: 0
Libs: -L{library} -lcede
Cflags: -I{include}
"""


def skip(why):
    print(f"skipped: {why}")
    sys.exit(SKIPPED)


def find_go():
    go = shutil.which("go")
    if not go:
        skip("no go on the path")
    said = subprocess.run([go, "env", "GOVERSION"], capture_output=True, text=True, check=False,
                          env={**os.environ, "GOTOOLCHAIN": "local"}).stdout.strip()
    version = re.match(r"go(\d+)\.(\d+)", said)
    if version and tuple(map(int, version.groups())) < FIRST:
        skip(f"Go {'.'.join(map(str, FIRST))} or newer is needed; here is '{said}'")
    if not shutil.which("pkg-config"):
        skip("no pkg-config on the path")
    return go


def environment(arguments):
    """The library that was just built, its header, and no network."""
    library, build = arguments.library.parent, arguments.build
    build.mkdir(parents=True, exist_ok=True)
    (build / "cede.pc").write_text(PACKAGE.format(library=library, include=arguments.tree / "include"))
    searched = {name: ":".join(filter(None, [str(first), os.environ.get(name, "")]))
                for name, first in (("PKG_CONFIG_PATH", build), ("LD_LIBRARY_PATH", library))}
    return {**os.environ, **searched, "CGO_ENABLED": "1", "GOCACHE": str(build / "cache"), "GOTMPDIR": str(build),
            "GOPATH": str(build / "path"), "GOENV": "off", "GOWORK": "off", "GOTOOLCHAIN": "local", "GOPROXY": "off",
            "GOFLAGS": "-mod=readonly -buildvcs=false"}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["test", "race", "lint"])
    parser.add_argument("--tree", type=pathlib.Path, required=True)
    parser.add_argument("--library", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--sanitize", default="")
    arguments = parser.parse_args()
    if arguments.sanitize:
        skip("a library with sanitizers cannot be linked into a program without")
    go, env = find_go(), environment(arguments)
    folders = [arguments.tree / "bindings/go", arguments.tree / "tests/bench/bindings/go"]

    def run(*command, folder=folders[0]):
        if subprocess.run([go, *command], cwd=folder, env=env, stdin=subprocess.DEVNULL, check=False).returncode != 0:
            sys.exit(1)

    if arguments.what == "lint":
        gofmt = shutil.which("gofmt") or str(pathlib.Path(go).resolve().parent / "gofmt")
        untidy = subprocess.run([gofmt, "-l", *map(str, folders)], capture_output=True, text=True, check=True).stdout
        if untidy:
            sys.exit(f"gofmt would change:\n{untidy}")
        for folder in folders:
            run("vet", "./...", folder=folder)
    else:
        # The programs of the README are built by the other one.
        run("test", "-count=1", *(["-race", "-skip=Readme"] if arguments.what == "race" else []), "./...")


main()
