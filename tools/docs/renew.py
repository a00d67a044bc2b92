#!/usr/bin/env python3
"""Renews what pages show of other files: between <!-- COMMAND --> and <!-- end --> stands what COMMAND prints in the
root of the source, with links that begin there.

    tools/docs/renew.py PAGE...           replaces it
    tools/docs/renew.py --check PAGE...   says what is out of date, and ends with 1 if anything is
"""
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PART = re.compile(r'^(<!-- (?P<command>(?!end ).+) -->\n)(?P<shown>.*?)^(?=<!-- end -->$)', re.MULTILINE | re.DOTALL)


def printed_by(command, page):
    run = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, text=True)
    if run.returncode:
        sys.exit(f'{page}: {command}: {run.stderr}')
    from_root = os.path.relpath(ROOT, page.resolve().parent)
    links = (lambda text: text) if from_root == '.' else (lambda text: text.replace('](', f']({from_root}/'))
    return f'\n{links(run.stdout.strip())}\n\n'


def main():
    check = sys.argv[1:2] == ['--check']
    pages = [pathlib.Path(name) for name in sys.argv[2 if check else 1:]]
    if not pages:
        sys.exit(__doc__)
    outdated = False
    for page in pages:
        text = page.read_text()
        if text.count('<!-- end -->') != len(PART.findall(text)):
            sys.exit(f'{page}: each <!-- COMMAND --> needs an <!-- end -->')
        renewed = PART.sub(lambda part: part.group(1) + printed_by(part.group('command'), page), text)
        if renewed != text and check:
            outdated = True
            for part in PART.finditer(text):
                if part.group('shown') != printed_by(part.group('command'), page):
                    print(f'{page}: out of date, run tools/docs/renew.py: {part.group("command")}')
        elif renewed != text:
            page.write_text(renewed)
    sys.exit(outdated)


main()
