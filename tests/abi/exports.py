#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the shared library shows to the outside, against the export list and the header.

usage: exports.py LIBRARY MAP HEADER NM READELF
"""
import re
import subprocess
import sys

SONAME = "libcede.so.0"
NODE = "CEDE_0"

# What the library may be linked with; the sanitizers' runtimes come with a sanitized build only.
NEEDED = re.compile(r"^(libboost_json|libtbb|libhwloc|libstdc\+\+|libm|libgcc_s|libc|ld-linux[-\w]*"
                    r"|libasan|libubsan|libtsan)\.so[.\d]*$")

# Rule 5: nothing exits, prints or reads clock, environment, files or random numbers.
FORBIDDEN = re.compile(
    r"^(_?exit|_Exit|quick_exit|(v?f?printf|v?dprintf|__v?f?printf_chk)"
    r"|puts|putchar|fputs|fputc|fwrite|perror|syslog"
    r"|(secure_)?getenv|setenv|putenv|time|clock|gettimeofday|clock_gettime|timespec_get"
    r"|s?rand(om)?(_r)?|[dl]rand48|getrandom|getentropy|arc4random\w*"
    r"|f?open(at)?(64)?|fdopen|popen|mmap(64)?|read|write|system|fork|exec\w+|signal|sigaction|setlocale"
    r"|_ZSt4(cout|cerr|clog)|_ZNSt6chrono3_V21[23]\w+_clock3nowEv|_ZNSt13random_device\w*"
    r"|_ZNSt\d+basic_i?o?f(ilebuf|stream)\w*)$")


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def listed_in_map(path):
    with open(path, encoding="ascii") as file:
        text = re.sub(r"/\*.*?\*/|#.*", "", file.read(), flags=re.S)
    nodes = re.findall(r"(\w+)\s*\{(.*?)\}\s*\w*\s*;", text, re.S)
    if [name for name, _ in nodes] != [NODE]:
        sys.exit(f"{path} has the nodes {[name for name, _ in nodes]}; expected {NODE} alone")
    exported, hidden = nodes[0][1].split("local:")
    if hidden.split() != ["*;"]:
        sys.exit(f"{path} does not hide everything else")
    return [name.strip() for name in exported.replace("global:", "").split(";") if name.strip()]


def declared_in_header(path):
    with open(path, encoding="ascii") as file:
        text = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
    text = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#"))
    # Every function must be marked: one that is not would be declared and hidden.
    functions = re.findall(r"([^;{}]*?)\b(cede_\w+)\s*\([^;{}]*\)\s*;", text)
    unmarked = [name for before, name in functions if "CEDE_API" not in before and "typedef" not in before]
    if unmarked:
        sys.exit(f"declared without CEDE_API: {', '.join(unmarked)}")
    return [name for before, name in functions if "CEDE_API" in before]


def exported_by(nm, library):
    symbols = []
    for line in run(nm, "-D", "--defined-only", "--with-symbol-versions", library).splitlines():
        kind, name = line.split()[-2:]
        if kind == "A" and name.split("@")[0] == NODE:
            continue  # the node's own mark
        symbols.append((kind, name))
    return symbols


def compare(what, found, expected):
    problems = []
    for name in sorted({n for n in found if found.count(n) > 1}):
        problems.append(f"{what}: {name} is there twice")
    if extra := sorted(set(found) - set(expected)):
        problems.append(f"{what}: not in the list: {', '.join(extra)}")
    if missing := sorted(set(expected) - set(found)):
        problems.append(f"{what}: missing: {', '.join(missing)}")
    return problems


def main():
    library, map_path, header, nm, readelf = sys.argv[1:6]
    listed = listed_in_map(map_path)
    problems = compare("header", declared_in_header(header), listed)

    symbols = exported_by(nm, library)
    problems += compare("library", [name.split("@")[0] for _, name in symbols], listed)
    for kind, name in symbols:
        if kind != "T":
            problems.append(f"library: {name} is of kind {kind}; only functions are exported")
        if not name.endswith(f"@@{NODE}"):
            problems.append(f"library: {name} is not in node {NODE}")

    dynamic = run(readelf, "-d", "-W", library)
    soname = re.findall(r"\(SONAME\).*\[(.*?)\]", dynamic)
    if soname != [SONAME]:
        problems.append(f"SONAME is {soname}; expected {SONAME}")
    if not re.search(r"\(FLAGS_1\).*\bNODELETE\b", dynamic):
        problems.append("not linked with -z nodelete")
    if re.search(r"\((RPATH|TEXTREL)\)", dynamic):
        problems.append("has an RPATH or text relocations")
    needed = re.findall(r"\(NEEDED\).*\[(.*?)\]", dynamic)
    print("needed: " + ", ".join(needed))
    problems += [f"needs {name}, which is no dependency of ours" for name in needed if not NEEDED.match(name)]

    imports = run(nm, "-D", "--undefined-only", library).splitlines()
    wanted = [line.split()[-1].split("@")[0] for line in imports]
    problems += [f"imports {name}, which rule 5 forbids" for name in wanted if FORBIDDEN.match(name)]

    print(f"{len(symbols)} functions exported, {len(wanted)} symbols imported")
    if problems:
        sys.exit("\n".join(problems))


if __name__ == "__main__":
    main()
