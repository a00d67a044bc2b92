"""Runs a WebAssembly test program in a JavaScript engine and prints its output.

usage: engine.py node|jsc|chromium|firefox-esr PROGRAM [must-fail]

For a browser this script serves a page that runs the program with wasi.js and posts its output and exit code.
"""
import http.server
import json
import os
import pathlib
import queue
import subprocess
import sys
import tempfile
import threading

WASI = pathlib.Path(__file__).with_name("wasi.js")
PAGE = b"""<!doctype html><script src="wasi.js"></script><script>
let text = "";
fetch("program").then((got) => got.arrayBuffer())
    .then((program) => run(program, [], (bytes) => { text += String.fromCharCode(...bytes); }))
    .catch((e) => { text += `Bail out! ${e}\\n`; return 1; })
    .then((code) => fetch("end", { method: "POST", body: JSON.stringify({ code, text }) }));
</script>"""


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        kind, body = self.server.files.get(self.path, ("text/plain", b""))
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        self.server.ends.put(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_):
        pass


def browser_command(browser, profile, address):
    if browser == "chromium": # --no-sandbox: needed as root and in containers
        return [browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                f"--user-data-dir={profile}", address]
    return [browser, "--headless", "--no-remote", "--profile", profile, address]


def in_browser(browser, program):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.ends = queue.Queue()
    server.files = {"/": ("text/html", PAGE), "/wasi.js": ("text/javascript", WASI.read_bytes()),
                    "/program": ("application/wasm", pathlib.Path(program).read_bytes())}
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = browser_command(browser, profile, f"http://127.0.0.1:{server.server_port}/")
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              env={**os.environ, "HOME": profile}) as process:
            threading.Thread(target=lambda: (process.wait(), server.ends.put(b"null")), daemon=True).start()
            end = json.loads(server.ends.get())
            process.terminate()
    if end is None:
        sys.exit(f"Bail out! {browser} ended without an answer")
    print(end["text"], end="")
    return end["code"]


def main():
    engine, program, *must_fail = sys.argv[1:]
    if engine in ("chromium", "firefox-esr"):
        sys.exit(in_browser(engine, program))
    command = [engine, WASI, *(["--"] if engine == "jsc" else []), program]
    if must_fail:
        run = subprocess.run(command, capture_output=True, text=True)
        failed = run.returncode == 1 and ", wanted " in run.stdout
        print(f"1..1\n{'ok' if failed else 'not ok'} 1 - fails", *run.stdout.splitlines(), sep="\n# ")
    else:
        sys.exit(subprocess.run(command).returncode)


main()
