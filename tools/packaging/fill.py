"""Writes the package files of a release: those in this folder, with the version, addresses and hashes of its archive
filled in.

usage: tools/packaging/fill.py ARCHIVE URL HOMEPAGE FOLDER
       ARCHIVE: gyre-VERSION.tar.gz, publicly available at URL; HOMEPAGE: the project's home page for packages
"""
import base64
import hashlib
import pathlib
import re
import sys
import tarfile

ECOSYSTEMS = ("conan", "homebrew", "nix", "vcpkg", "wrapdb")

if len(sys.argv) != 5:
    sys.exit(__doc__)
archive, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[4])
with tarfile.open(archive) as files:
    top = archive.name.removesuffix(".tar.gz")
    project = files.extractfile(f"{top}/meson.build").read().decode()
version = re.search(r"version: '([\d.]+)'", project)[1]
if top != f"gyre-{version}":
    sys.exit(f"{archive.name} has Gyre {version} in it")

content = archive.read_bytes()
sha256 = hashlib.sha256(content)
values = {
    "VERSION": version,
    "HOMEPAGE": sys.argv[3],
    "ARCHIVE_URL": sys.argv[2],
    "SHA256": sha256.hexdigest(),
    "SHA256_SRI": "sha256-" + base64.b64encode(sha256.digest()).decode(),
    "SHA512": hashlib.sha512(content).hexdigest(),
}
here = pathlib.Path(__file__).parent
for file in sorted(file for name in ECOSYSTEMS for file in (here / name).rglob("*") if file.is_file()):
    filled = re.sub(r"@([A-Z0-9_]+)@", lambda match: values[match[1]], file.read_text())
    target = folder / file.relative_to(here)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(filled)
