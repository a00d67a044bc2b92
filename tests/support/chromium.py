"""Headless Chromium on the files of a folder: loads, queries and photographs pages over the DevTools protocol.

    with Chromium(folder) as chromium:
        page = chromium.open('index.html', width=1440, height=900)
        page.wait('window.ready')
        page.evaluate('document.title')

The protocol runs through a pair of pipes (--remote-debugging-pipe), so Python's standard library suffices.
"""
import base64
import functools
import http.server
import json
import os
import pathlib
import select
import shutil
import subprocess
import tempfile
import threading
import time

LIMIT_S = 600 # for a command, and for a state that is waited for: stops a hang
PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome', 'chrome']


def program():
    """Chromium's path; None if it is not installed."""
    return next((path for name in PROGRAMS if (path := shutil.which(name))), None)


class Quiet(http.server.SimpleHTTPRequestHandler):
    """A minimal file server: the only header is a file's type."""
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, '.wasm': 'application/wasm',
                      '.js': 'text/javascript', '.mjs': 'text/javascript'}

    def log_message(self, *_):
        pass


class Page:
    def __init__(self, chromium, session):
        self.chromium = chromium
        self.session = session
        self.errors = [] # from the console, from scripts, and for files that did not load

    def command(self, method, **parameters):
        return self.chromium.command(method, self.session, **parameters)

    def evaluate(self, expression):
        """The value of an expression, or of the promise that it returns."""
        result = self.command('Runtime.evaluate', expression=expression, awaitPromise=True, returnByValue=True)
        if 'exceptionDetails' in result:
            details = result['exceptionDetails']
            raise RuntimeError(details.get('exception', {}).get('description', details['text']))
        return result['result'].get('value')

    def wait(self, expression):
        """Waits until an expression is true."""
        end = time.monotonic() + LIMIT_S
        while not (value := self.evaluate(expression)):
            if time.monotonic() > end:
                raise TimeoutError(f'{expression} is still {value!r} after {LIMIT_S} s; errors: {self.errors}')
            time.sleep(0.05)

    def frame(self):
        """Waits until the page has drawn another frame."""
        self.evaluate('new Promise(requestAnimationFrame)')

    def watch(self, expression):
        """From now on, checks in every frame whether an expression is true; returns a wait for that, even if it is true
        for only one frame."""
        self.evaluate(f'''void (globalThis.watched = new Promise((found) => (function look() {{
            ({expression}) ? found() : requestAnimationFrame(look);
        }})()))''')
        return lambda: self.evaluate('watched')

    def media(self, **features):
        """Sets media features: media(prefers_color_scheme='dark')."""
        self.command('Emulation.setEmulatedMedia', features=[
            {'name': name.replace('_', '-'), 'value': value} for name, value in features.items()])

    def pointer(self, kind, x, y, button='none'):
        """kind: mousePressed, mouseReleased or mouseMoved."""
        self.command('Input.dispatchMouseEvent', type=kind, x=x, y=y, button=button, clickCount=int(button != 'none'))

    def key(self, key, code=0):
        """Presses and releases a key; a printable key has one character."""
        text = {'text': key} if len(key) == 1 else {}
        self.command('Input.dispatchKeyEvent', type='keyDown', key=key, windowsVirtualKeyCode=code, **text)
        self.command('Input.dispatchKeyEvent', type='keyUp', key=key, windowsVirtualKeyCode=code)

    def picture(self, file):
        pathlib.Path(file).write_bytes(base64.b64decode(self.command('Page.captureScreenshot')['data']))

    def close(self):
        self.command('Page.close')


class Chromium:
    def __init__(self, folder, *options):
        self.folder = str(folder)
        self.options = options
        self.pages = {}
        self.next_id = 0
        self.buffer = b''

    def __enter__(self):
        self.server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), functools.partial(Quiet, directory=self.folder))
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.profile = tempfile.TemporaryDirectory(prefix='gyre-chromium-', ignore_cleanup_errors=True)
        to_browser, self.write_end = os.pipe()
        self.read_end, from_browser = os.pipe()

        sandbox = ['--no-sandbox'] if os.geteuid() == 0 else [] # root cannot have a sandbox
        self.log = tempfile.TemporaryFile()
        self.process = subprocess.Popen( # reads commands from descriptor 3 and writes answers to 4
            ['sh', '-c', f'exec "$@" 3</dev/fd/{to_browser} 4>/dev/fd/{from_browser}', 'sh', program(), '--headless=new',
             '--remote-debugging-pipe', f'--user-data-dir={self.profile.name}', '--no-first-run',
             '--disable-dev-shm-usage', '--hide-scrollbars', '--enable-unsafe-swiftshader', *sandbox, *self.options],
            pass_fds=(to_browser, from_browser), stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        os.close(to_browser)
        os.close(from_browser)
        return self

    def __exit__(self, *_):
        try:
            self.command('Browser.close')
            self.process.wait(LIMIT_S)
        except (OSError, TimeoutError, RuntimeError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.write_end)
        os.close(self.read_end)
        self.server.shutdown()
        self.server.server_close()
        self.profile.cleanup()
        self.log.close()

    def url(self, path):
        return f'http://127.0.0.1:{self.server.server_port}/{path}'

    def receive(self, end):
        """The next message, or None at the time `end`."""
        while b'\0' not in self.buffer:
            if not select.select([self.read_end], [], [], max(0, end - time.monotonic()))[0]:
                return None
            if not (more := os.read(self.read_end, 1 << 16)):
                self.log.seek(0)
                raise OSError('Chromium ended: ' + self.log.read().decode(errors='replace')[-2000:])
            self.buffer += more
        message, _, self.buffer = self.buffer.partition(b'\0')
        return json.loads(message)

    def note(self, event):
        page = self.pages.get(event.get('sessionId'))
        parameters = event.get('params', {})
        if page is None:
            return
        match event.get('method'):
            case 'Runtime.exceptionThrown':
                details = parameters['exceptionDetails']
                page.errors.append(details.get('exception', {}).get('description', details['text']))
            case 'Runtime.consoleAPICalled' if parameters['type'] in ('error', 'assert'):
                page.errors.append(' '.join(str(item.get('value', item.get('description'))) for item in parameters['args']))
            case 'Log.entryAdded' if parameters['entry']['level'] == 'error':
                page.errors.append(parameters['entry']['text'] + ' ' + parameters['entry'].get('url', ''))

    def command(self, method, session=None, **parameters):
        self.next_id += 1
        message = {'id': self.next_id, 'method': method, 'params': parameters}
        os.write(self.write_end, json.dumps({**message, **({'sessionId': session} if session else {})}).encode() + b'\0')
        end = time.monotonic() + LIMIT_S
        while answer := self.receive(end):
            if answer.get('id') == self.next_id:
                if 'error' in answer:
                    raise RuntimeError(f'{method}: {answer["error"]["message"]}')
                return answer['result']
            self.note(answer)
        raise TimeoutError(f'{method}: no answer in {LIMIT_S} s')

    def open(self, path, width=1440, height=900, scale=1, phone=False, **media):
        target = self.command('Target.createTarget', url='about:blank')['targetId']
        session = self.command('Target.attachToTarget', targetId=target, flatten=True)['sessionId']
        page = self.pages[session] = Page(self, session)
        for domain in ('Page', 'Runtime', 'Log'):
            page.command(f'{domain}.enable')
        page.command('Emulation.setDeviceMetricsOverride', width=width, height=height, deviceScaleFactor=scale, mobile=phone)
        page.media(**media)
        page.command('Page.navigate', url=path if '//' in path else self.url(path))
        page.wait('location.href != "about:blank" && document.readyState == "complete"')
        return page
