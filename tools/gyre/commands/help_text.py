"""Makes the text of `gyre help` from the manual page: a C source with the sections of the page as plain text.

usage: help_text.py PAGE.1 OUTPUT.c

It knows the requests and escapes that the page uses, and fails at any other. Lines have at most 79 columns.
"""

import json
import re
import sys
import textwrap

ESCAPES = {r"\fB": "", r"\fI": "", r"\fR": "", r"\-": "-"}


class Page:
    def __init__(self):
        self.sections = {}  # heading: lines
        self.lines = []  # of the last section
        self.indent = 0
        self.is_literal = False
        self.words = []  # of the last paragraph
        self.tag, self.tag_width = None, 0  # of an indented paragraph; None: it is not indented

    def end_paragraph(self):
        margin, first = " " * self.indent, " " * self.indent
        if self.tag is not None:
            margin = " " * (self.indent + self.tag_width)
            first += self.tag
            if len(first) < len(margin) - 1:
                first = first.ljust(len(margin))
            else:
                self.lines.append(first)
                first = margin
        self.lines += textwrap.wrap(" ".join(self.words), 79, initial_indent=first, subsequent_indent=margin,
                                    break_on_hyphens=False)
        self.words, self.tag = [], None

    def text(self, line):
        line = re.sub(r"\\(f.|.)", lambda escape: ESCAPES[escape.group()], line)
        if self.tag == "":
            self.tag = line
        elif self.is_literal:
            self.lines.append(" " * self.indent + line)
        else:
            self.words.append(line)

    def request(self, name, argument):
        starts_list = name == "TP" and self.tag is None and self.words
        self.end_paragraph()
        if (name in ("SS", "PP") or starts_list) and self.lines[-1] != "":
            self.lines.append("")
        if name == "SH":
            self.lines = self.sections.setdefault(argument, [argument])
            self.indent = 2
        elif name == "SS":
            self.lines.append("  " + argument)
            self.indent = 4
        elif name == "TP":
            self.tag, self.tag_width = "", int(argument)
        elif name in ("EX", "EE"):
            self.is_literal = name == "EX"
        elif name in ("RS", "RE"):
            self.indent += 4 if name == "RS" else -4
        elif name not in ("TH", "PP", '\\"'):
            sys.exit(f"{sys.argv[1]}: the request .{name} is unknown")


def main(page_path, output_path):
    page = Page()
    with open(page_path, encoding="ascii") as file:
        for line in file.read().splitlines():
            request = re.fullmatch(r"\.(\S+) ?(.*)", line)
            if request:
                page.request(*request.groups())
            else:
                page.text(line)
    page.end_paragraph()
    with open(output_path, "w", encoding="ascii") as file:
        file.write('#include "commands/help.h"\n\n#include <stddef.h>\n\nconst struct help_section help_sections[] = {\n')
        for heading, lines in page.sections.items():
            text = "".join(f"         {json.dumps(line)},\n" for line in lines)
            file.write(f'    {{"{heading}",\n     (const char *const[]){{\n{text}         NULL}}}},\n')
        file.write("    {NULL, NULL},\n};\n")


main(*sys.argv[1:])
