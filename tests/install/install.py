#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Installs the build into a temporary root and uses it as a stranger would: pkg-config and find_package, from C."""
import argparse
import os
import re
import shlex
import subprocess
import sys
import tempfile

# What the library is made of; a consumer must not notice.
INGREDIENTS = re.compile(r"boost|tbb|hwloc|stdc\+\+", re.IGNORECASE)


def run(*command, **environment):
    result = subprocess.run(command, env={**os.environ, **environment}, stdin=subprocess.DEVNULL, capture_output=True,
                            text=True, check=False)
    if result.returncode != 0:
        sys.exit(f"{shlex.join(command)}\nended with status {result.returncode}\n{result.stdout}{result.stderr}")
    return result.stdout


def expect(claim, detail):
    if not claim:
        sys.exit(detail)


def dynamic(path, tag):
    """Names under a tag of the dynamic section, e.g. NEEDED."""
    return re.findall(rf"\({tag}\).*\[(.*)\]", run("readelf", "--dynamic", "--wide", path, LC_ALL="C"))


def check_files(usr, lib, options):
    for path in ("include/cede/cede.h", "bin/cede", "share/man/man1/cede.1", "share/man/man3/libcede.3",
                 "share/man/man5/cede-cluster.5", "share/man/man5/cede-policy.5", "share/man/man5/cede-plan.5",
                 "share/man/man5/cede-scenario.5", "share/man/man8/cede-slurm.8",
                 "share/bash-completion/completions/cede", "share/zsh/site-functions/_cede"):
        expect(os.path.isfile(os.path.join(usr, path)), f"'{path}' was not installed")
    for path in ("libcede.so", "libcede.so.0", "pkgconfig/cede.pc", "cmake/cede/cedeConfig.cmake"):
        expect(os.path.isfile(os.path.join(lib, path)), f"'{path}' was not installed in the library folder")
    soname = dynamic(os.path.join(lib, "libcede.so"), "SONAME")
    expect(soname == ["libcede.so.0"], f"the SONAME is {soname}")
    for folder, _, names in os.walk(os.path.join(usr, "include")):
        expect(set(names) <= {"cede.h", "cede.hpp", "answers.hpp"}, f"private headers in '{folder}': {names}")
    for name in os.listdir(os.path.join(lib, "cmake/cede")):
        with open(os.path.join(lib, "cmake/cede", name), encoding="utf-8") as file:
            leak = INGREDIENTS.search(file.read())
        expect(not leak, f"'{name}' mentions '{leak.group() if leak else None}'")
    told = run(os.path.join(usr, "bin/cede"), "--version", LD_LIBRARY_PATH=lib)
    expect(options.version in told, f"'cede --version' prints '{told}'")


def check_consumer(program, lib, options):
    told = run(program, LD_LIBRARY_PATH=lib)
    expect(told == options.version + "\n", f"'{program}' prints '{told}'")
    needed = dynamic(program, "NEEDED")
    expect("libcede.so.0" in needed, f"'{program}' does not need libcede.so.0: {needed}")
    leaks = [name for name in needed if INGREDIENTS.search(name)]
    # The sanitizers' run time is C++ and comes with the flags, not with the library.
    expect(options.sanitize or not leaks, f"'{program}' needs {leaks}")


def check_pkg_config(root, lib, work, options):
    places = {"PKG_CONFIG_LIBDIR": os.path.join(lib, "pkgconfig"), "PKG_CONFIG_SYSROOT_DIR": root, "PKG_CONFIG_PATH": ""}
    version = run("pkg-config", "--modversion", "cede", **places).strip()
    expect(version == options.version, f"cede.pc is of version '{version}'")
    for static in ((), ("--static",)):
        libs = run("pkg-config", *static, "--libs-only-l", "--libs-only-other", "cede", **places).split()
        expect(libs == ["-lcede"], f"pkg-config {' '.join(static)} --libs gives {libs}")
    flags = run("pkg-config", "--cflags", "--libs", "cede", **places).split()
    program = os.path.join(work, "by_pkg_config")
    run(options.cc, "-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "-o", program,
        os.path.join(options.consumer, "consumer.c"), *flags, *sanitizers(options))
    check_consumer(program, lib, options)


def check_find_package(usr, lib, work, options):
    build = os.path.join(work, "consumer")
    run(options.cmake, "-S", options.consumer, "-B", build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={usr}",
        f"-DCMAKE_C_COMPILER={options.cc}", f"-DCMAKE_C_FLAGS={' '.join(sanitizers(options))}")
    run(options.cmake, "--build", build)
    check_consumer(os.path.join(build, "consumer"), lib, options)


def sanitizers(options):
    return [f"-fsanitize={options.sanitize}"] if options.sanitize else []


def main():
    parser = argparse.ArgumentParser()
    for name in ("build", "consumer", "prefix", "libdir", "version", "cmake", "cc"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--sanitize", default="")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        # As a package is made: files under a root, paths inside them as if that root were /.
        root = os.path.join(work, "root")
        run(options.cmake, "--install", options.build, DESTDIR=root)
        usr = os.path.join(root, options.prefix.lstrip("/"))
        lib = os.path.join(usr, options.libdir)
        check_files(usr, lib, options)
        check_pkg_config(root, lib, work, options)
        check_find_package(usr, lib, work, options)


main()
