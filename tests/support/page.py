"""Parses the Markdown pages of the project, for the tests that follow them."""
import re
import subprocess
import textwrap


def files_of(source):
    """The project's files in this folder, as paths relative to it."""
    listed = subprocess.run(["git", "-C", source, "ls-files", "--cached", "--others", "--exclude-standard"],
                            capture_output=True, text=True)
    files = listed.stdout.split("\n")[:-1] if listed.returncode == 0 else [
        path.relative_to(source).as_posix() for path in source.rglob("*")
        if path.is_file() and not path.relative_to(source).parts[0].startswith(("build", "."))
        and path.relative_to(source).parts[:2] != ("subprojects", "simde")]
    return [file for file in files if (source / file).is_file()]


class Block:
    def __init__(self, page, line, section, language, text, name):
        self.page, self.line, self.section = page, line, section
        self.language, self.text, self.name = language, text, name
        self.expected = None  # the text block after it

    def __str__(self):
        return f"{self.page}:{self.line}"


def blocks_of(page, text):
    """The blocks between fences and, as sh, indented blocks of four spaces that look like commands."""
    lines, blocks, prose, i = text.splitlines(), [], [], 0
    previous, previous_end = None, None
    while i < len(lines):
        fence = re.match(r"( *)```(\S*)\s*$", lines[i])
        if not fence:
            prose.append(lines[i])
            i += 1
            continue
        end = next((k for k in range(i + 1, len(lines)) if lines[k].strip() == "```"), len(lines))
        inside = textwrap.dedent("\n".join(lines[i + 1:end]) + "\n")
        before = next((line for line in reversed(lines[:i]) if line.strip()), "")
        name = re.search(r"`([\w./-]+)`:$", before)
        section = next((line[3:] for line in reversed(prose) if line.startswith("## ")), "")
        block = Block(page, i + 1, section, fence.group(2), inside, name and name.group(1))
        if block.language == "text" and previous is not None and not "".join(lines[previous_end:i]).strip():
            previous.expected = inside
        blocks.append(block)
        previous, previous_end = block, end + 1
        prose += [""] * (end + 1 - i)
        i = end + 1
    for i, line in enumerate(prose):
        if re.match(r"    (sh |python3 |meson |ninja |gyre |build\S*/)", line):
            blocks.append(Block(page, i + 1, "", "sh", line[4:] + "\n", None))
    return blocks, prose


def same_output(printed, expected):
    pattern = "".join(r"(.*\n)*" if line.strip() == "..." else re.escape(line.rstrip()) + r" *\n"
                      for line in expected.splitlines())
    return re.fullmatch(pattern, printed) is not None
