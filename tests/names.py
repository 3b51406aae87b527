#!/usr/bin/env python3
# tests/names.py PROGRAM - what the pages name is there: files of the tree, commands, and options of those commands.
import glob
import os
import re
import subprocess
import sys

program = os.path.abspath(sys.argv[1])
os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
pages = ["README.md", "src/kcore/kit/README.md"] + sorted(glob.glob("doc/**/*.md", recursive=True))
places = ["", "src/", "tests/", "src/kcore/kit/"]
ours = "|".join(sorted(os.path.basename(d) for place in ["./", "src/", "tests/"]
                       for d in glob.glob(place + "*") if os.path.isdir(d) and not d.startswith("./build")))
path = re.compile(r"(?<![\w./*<~-])((?:%s)/[\w./*-]*[\w*])" % ours)


def there(name):
    return any(glob.glob(place + name + end) for place in places for end in ("", ".c", ".h"))


def asked(*args):
    return subprocess.run([program, *args], capture_output=True, text=True, check=True).stdout


def code(text):
    yield from (span.replace("\n", " ") for span in re.findall(r"`([^`]+)`", re.sub(r"```.*?```", "", text, flags=re.S)))
    for block in re.findall(r"```.*?\n(.*?)```", text, re.S):
        yield from block.replace("\\\n", " ").splitlines()


helps = {name: asked(name, "--help") for name in re.findall(r"^  ([a-z-]+) ", asked("help"), re.M)}
wrong, seen = [], 0
for page in pages:
    text = open(page).read()
    for name in path.findall(text):
        tells = "." in os.path.basename(name) or name.startswith(("tests/", "golden/", "bench/"))
        seen += tells
        if tells and "NAME" not in name and not there(name) and not there(os.path.dirname(page) + "/" + name):
            wrong.append(f"{page}: there is no {name}")
    for span in code(text):
        for command, rest in re.findall(r"(?<![\w/-])schedproof ([a-z][a-z-]*)([^|;#]*)", span):
            seen += 1
            if command not in helps:
                wrong.append(f"{page}: there is no command {command}")
                continue
            for option in re.findall(r"(?<=\s)--[a-z][a-z-]*", rest.split(" -- ")[0]):
                if option != "--help" and not re.search(option + r"\b(?!-)", helps[command]):
                    wrong.append(f"{page}: {command} has no {option}")
print("\n".join(wrong) if wrong else f"{seen} names in {len(pages)} pages")
sys.exit(1 if wrong else 0)
