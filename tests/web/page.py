#!/usr/bin/env python3
"""Tests of the page of tools/web, in headless Chromium.

    page.py BUILD_WEB [PICTURES]     the folder made by `sh tools/web.sh build`; PICTURES: a folder for screenshots
"""
import contextlib
import json
import pathlib
import re
import sys

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / 'tests/support'))

import tap
from chromium import Chromium, program

DESKTOP = {'width': 1440, 'height': 900}
PHONE = {'width': 390, 'height': 844, 'scale': 2, 'phone': True}
LIST = ROOT / 'kernels/list.h'
SCENES = ['springs', 'cards', 'bodies', 'turning', 'herd']
FEW = {'springs': 20000, 'bodies': 2000, 'turning': 60, 'herd': 20} # for WebGL in software

# The number of colours in the middle of the canvas, after drawing it once more.
COLOURS = '''(() => {
    const { scene } = gyrePage, { stage } = scene, context = new OffscreenCanvas(200, 200).getContext('2d');
    scene.draw((_, work) => work());
    context.drawImage(stage.canvas, stage.width / 4, stage.height / 4, stage.width / 4, stage.height / 2, 0, 0, 200, 200);
    return new Set(new Uint32Array(context.getImageData(0, 0, 200, 200).data.buffer)).size;
})()'''
NO_SWEEP = 'document.querySelector("#controls input[type=checkbox]").click()' # then only the pointer moves points
AT_HOME = 'gyrePage.scene.springs.position.every((x, i) => x === gyrePage.scene.springs.target[i])'
ASLEEP = 'gyrePage.scene.springs.awake.every((flag) => flag === 0)'


def attempt(name, work):
    """One check: passes unless work() raises; prints what it returns."""
    try:
        told = work()
    except Exception as error: # any error in a page fails only its own test
        tap.check(False, name, f'{type(error).__name__}: {error}')
    else:
        tap.check(True, name)
        if told:
            print(f'# {told}')


def equal(got, wanted):
    if got != wanted:
        raise AssertionError(f'got {got!r}, wanted {wanted!r}')


def holds(condition, what):
    if not condition:
        raise AssertionError(what)


def choose(which, value):
    """Selects `value` in settings control number `which`."""
    return f'''(() => {{
        const select = document.querySelectorAll('#controls select')[{which}];
        select.value = '{value}';
        select.dispatchEvent(new Event('change'));
    }})()'''


class Tests:
    def __init__(self, chromium, folder, pictures):
        self.chromium = chromium
        self.folder = folder
        self.pictures = pictures

    @contextlib.contextmanager
    def page(self, scene, place=DESKTOP, query='', **media):
        """The page, in a folder of a site as on GitHub Pages. It must not log errors."""
        page = self.chromium.open(f'page/index.html?{query}#{scene}', **place,
                                  **{'prefers_color_scheme': 'dark', 'prefers_reduced_motion': 'no-preference', **media})
        try:
            page.wait('Boolean(globalThis.gyrePage)') # a large file
            yield page
            equal(page.errors, [])
        finally:
            page.close()

    def hashes(self):
        with self.page('cards') as page:
            page.wait('document.getElementById("verdict").dataset.equal')
            rows = page.evaluate('[...document.querySelectorAll("#hashes tbody tr")].map((row) => [...row.cells].map('
                                 '(cell) => cell.textContent))')
            native = json.loads((self.folder / 'page/native.json').read_text())
            equal(rows, [[name, value, value] for name, value in native['hashes'].items()])
            equal(page.evaluate('document.getElementById("verdict").value'), 'yes')
            return f'{native["table"]}: {native["hashes"]}'

    def wrong_hash(self):
        with self.page('cards') as page:
            page.wait('document.getElementById("verdict").dataset.equal')
            page.evaluate('''(async () => {
                const { fetch } = globalThis;
                globalThis.fetch = async (file) => {
                    const native = await (await fetch(file)).json();
                    native.hashes.bodies = native.hashes.bodies.replace(/.$/, (digit) => digit === '0' ? '1' : '0');
                    return { json: async () => native };
                };
                await (await import('./hashes.js')).showHashes(gyrePage.gyre);
            })()''')
            equal(page.evaluate('document.getElementById("verdict").value'), 'no')

    def scene(self, scene, renderer):
        count = f'&count={FEW[scene]}' if scene in FEW else ''
        with self.page(scene, query=f'renderer={renderer}{count}') as page:
            page.wait('gyrePage.figures.fps > 0')
            equal(page.evaluate('document.querySelector("nav a[aria-current]").hash'), f'#{scene}')
            equal(page.evaluate('gyrePage.figures.renderer'), renderer)
            if scene != 'cards': # cards are elements of the page
                holds(page.evaluate(COLOURS) > 8, 'nothing drawn')

    def layout(self, scene, place, scheme):
        """Nothing lies outside the window, at this size."""
        with self.page(scene, place, 'renderer=2d', prefers_color_scheme=scheme) as page:
            outside = page.evaluate('''[...document.querySelectorAll('header, #about, #panel, nav a, button, .sides, .wall')]
                .filter((element) => {
                    const { left, right, top, bottom } = element.getBoundingClientRect();
                    return !element.closest('details:not([open])') &&
                        (left < -1 || right > innerWidth + 1 || top < -1 || bottom > innerHeight + 1);
                }).map((element) => element.id || element.className || element.textContent)''')
            equal(outside, [])
            equal(page.evaluate('document.documentElement.dataset.theme'), scheme)
            if self.pictures:
                page.wait('document.getElementById("verdict").dataset.equal')
                if scene == 'cards':
                    page.evaluate('document.querySelector("#controls .actions button").click()')
                    page.wait('gyrePage.scene.springs.position.some((x) => x < 0.5)')
                else:
                    page.wait('performance.now() > 4000') # milliseconds of movement
                page.picture(self.pictures / f'{scene}-{"desktop" if place is DESKTOP else "phone"}-{scheme}.png')

    def sleep(self):
        """points settle, sleep, wake up under the pointer and sleep again"""
        with self.page('springs', query='count=10000') as page:
            page.evaluate(NO_SWEEP)
            page.wait('gyrePage.figures.awake === 0')
            holds(page.evaluate(AT_HOME), 'asleep away from home')
            moved = page.watch(f'gyrePage.scene.awake > 0 && !{AT_HOME}')
            for x in range(300, 700, 20):
                page.pointer('mouseMoved', x, 450)
            moved()
            page.wait(ASLEEP)
            holds(page.evaluate(AT_HOME), 'asleep away from home')

    def wave(self):
        """a press sends a wave to points far from it"""
        with self.page('springs', query='count=10000') as page:
            page.evaluate(NO_SWEEP)
            page.wait('gyrePage.figures.awake === 0')
            arrived = page.watch('''(({ awake, target }, n) => awake.subarray(0, n).some((flag, i) =>
                flag && Math.hypot(target[i] - 550, target[n + i] - 450) > 300))(gyrePage.scene.springs, 10000)''')
            page.pointer('mouseMoved', 550, 450)
            page.pointer('mousePressed', 550, 450, 'left')
            page.pointer('mouseReleased', 550, 450, 'left')
            arrived()

    def count(self):
        """counts and a text can be changed"""
        with self.page('springs', query='count=10000') as page:
            page.evaluate('''(() => {
                const slider = document.querySelector('#controls input[type=range]');
                slider.value = 300;
                slider.dispatchEvent(new Event('change'));
            })()''')
            page.wait('gyrePage.scene.count === 40000')
            before = page.evaluate('Array.from(gyrePage.scene.homeX.subarray(0, 100))')
            page.evaluate('''(() => {
                const input = document.querySelector('#controls input[type=text]');
                input.value = 'Hello / you';
                input.dispatchEvent(new Event('input'));
            })()''')
            holds(page.evaluate('Array.from(gyrePage.scene.homeX.subarray(0, 100))') != before, 'the picture is the same')

    def poles(self):
        """with Moser-Veselov, poles fall and keep their momentum; with explicit Euler, they stand for ever"""
        with self.page('bodies', query='count=2000') as page:
            stand = '[...document.querySelectorAll(".sides p")].map((p) => parseInt(p.textContent))'
            page.wait(f'{stand}[0] < 5')
            equal(page.evaluate(f'{stand}[1]'), 100)
            equal(page.evaluate('[...document.querySelectorAll(".sides p")].map((p) => p.textContent.includes("kept"))'),
                  [True, False])
            page.evaluate(choose(1, 'midpoint'))
            page.wait(f'{stand}[1] < 5')

    def heads(self):
        """heads turn to the pointer: those on its left to the right, those on its right to the left"""
        with self.page('turning', query='count=60') as page:
            page.pointer('mouseMoved', 500, 450)
            page.pointer('mouseMoved', 520, 450)
            # The head's own z axis, in the world, has the x component 2 (x z + y w).
            page.wait(ASLEEP + ''' && (({ springs: { orientation: [x, y, z, w] }, place, stage }) => {
                const [pointer] = gyrePage.scene.cellsOf(520 * stage.scale, 0);
                return x.every((_, i) => Math.sign(x[i] * z[i] + y[i] * w[i]) === Math.sign(pointer - place[3 * i]));
            })(gyrePage.scene)''')

    def turned_cards(self):
        """cards turn over when the pointer passes"""
        with self.page('turning', query='count=60') as page:
            page.pointer('mouseMoved', 10, 10)
            page.evaluate(choose(0, 'cards'))
            for x in range(100, 1000, 30):
                page.pointer('mouseMoved', x, 450)
                page.frame()
            page.wait('gyrePage.scene.sides.some((side) => side === 1)')
            page.wait(ASLEEP + ''' && (({ sides, springs: { orientation: [x, y] } }) =>
                sides.every((side, i) => side === Math.round(x[i] ** 2 + y[i] ** 2)))(gyrePage.scene)''')

    def herd(self):
        """the herd runs to the pointer; at 30 and 144 steps a second Gyre's tails hardly change, and VRM's do"""
        with self.page('herd', query='renderer=2d&count=20') as page:
            page.pointer('mouseMoved', 400, 400)
            page.pointer('mouseMoved', 380, 400)
            page.wait('''(({ animals: { point, now, count }, stage }) => {
                const [x, y] = gyrePage.scene.groundAt(380 * stage.scale, 400 * stage.scale);
                const middle = (axis) => now.filter((_, k) => k % 8 === axis).reduce((sum, v) => sum + v / count, 0);
                return Math.hypot(x - point[0], y - point[1]) < 1e-6 && Math.hypot(x - middle(0), y - middle(1)) < 1;
            })(gyrePage.scene)''')
            apart = {}
            for rate in (60, 30, 144):
                page.evaluate(choose(0, rate))
                page.wait('gyrePage.scene.sums.compared > 20 * 20') # 20 times
                apart[rate] = page.evaluate('gyrePage.scene.sums.squares.map((v) => Math.sqrt(v / gyrePage.scene.sums.compared))')
            holds(max(apart[60]) < 1e-3, f'apart from itself: {apart[60]} rad')
            for rate in (30, 144):
                holds(4 * apart[rate][0] < apart[rate][1], f'at {rate} steps a second: {apart[rate]} rad')
            equal(page.evaluate('[...document.querySelectorAll(".sides h2")].map((h) => h.textContent)'), ['Gyre', 'VRM recurrence'])
            jumped = page.watch('gyrePage.scene.animals.own.some(({ rise }) => rise > 1)')
            page.pointer('mousePressed', 380, 400, 'left')
            page.pointer('mouseReleased', 380, 400, 'left')
            jumped()

    def published(self):
        """all cards get one target at the same time, bouncy ones overshoot it, and all come to rest there"""
        with self.page('cards') as page:
            page.wait(ASLEEP)
            equal(page.evaluate('[...new Set(gyrePage.scene.springs.position)]'), [1])
            page.evaluate('''globalThis.lowest = 0;
                (function look() {
                    lowest = Math.min(lowest, ...gyrePage.scene.springs.position);
                    requestAnimationFrame(look);
                })();
                document.querySelector('#controls .actions button').click()''')
            page.wait('gyrePage.scene.springs.position.some((x) => x < 0.9)')
            page.wait(ASLEEP)
            equal(page.evaluate('[...new Set(gyrePage.scene.springs.position)]'), [0])
            holds(page.evaluate('lowest < -0.3'), 'none went beyond its target')

    def keyboard(self):
        """scenes, pause, theme and pointer from the keyboard"""
        with self.page('springs', query='count=10000') as page:
            for number, scene in [('2', 'cards'), ('3', 'bodies'), ('4', 'turning'), ('5', 'herd'), ('1', 'springs')]:
                page.key(number)
                page.wait(f'document.querySelector("nav a[aria-current]").hash === "#{scene}"')
            page.key(' ', 32)
            equal(page.evaluate('document.getElementById("play").textContent'), 'Play')
            page.key(' ', 32)
            equal(page.evaluate('document.getElementById("play").textContent'), 'Pause')
            page.key('t')
            equal(page.evaluate('document.documentElement.dataset.theme'), 'light')
            page.evaluate(choose(0, 'text'))
            page.evaluate(NO_SWEEP)
            page.wait(ASLEEP)
            page.evaluate('document.getElementById("stage").focus()')
            moved = page.watch('gyrePage.scene.awake > 0')
            for _ in range(8):
                page.key('ArrowLeft', 37)
            moved()

    def reduced_motion(self):
        """nothing moves by itself if the system asks for reduced motion"""
        with self.page('springs', query='count=10000', prefers_reduced_motion='reduce') as page:
            equal(page.evaluate('gyrePage.figures.rate'), 0)
            holds('reduced motion' in page.evaluate('document.getElementById("message").textContent'), 'no message')
            page.evaluate('document.getElementById("play").click()')
            page.wait('gyrePage.figures.rate > 0')

    def named(self):
        """every control has a name for screen readers"""
        with self.page('springs', query='count=10000') as page:
            used = {'button', 'link', 'slider', 'textbox', 'combobox', 'checkbox', 'main', 'navigation', 'complementary'}
            nodes = [node for node in page.command('Accessibility.getFullAXTree')['nodes'] if not node.get('ignored') and
                     node.get('role', {}).get('value') in used]
            holds({node['role']['value'] for node in nodes} >= used - {'textbox'}, 'not all kinds were found')
            equal([node['role']['value'] for node in nodes if not node.get('name', {}).get('value')], [])

    def benchmark(self):
        """the benchmark measures every kernel over arrays of the library's list"""
        page = self.chromium.open('page/bench.html', **PHONE)
        try:
            page.wait('document.getElementById("known").textContent')
            results = json.loads((self.folder / 'page/known.json').read_text())
            told = page.evaluate('document.getElementById("known").textContent')
            holds(all(results['context'][key] in told for key in ('browser', 'cpu', 'code')), told)
            equal(page.evaluate('[...document.querySelectorAll("#rows tr:first-child .known")].map((cell) => Number(cell.textContent))'),
                  next(iter(results['times_ns']['kernels'].values()))['wasm128-portable'])
            equal(page.evaluate('document.documentElement.scrollWidth <= innerWidth'), True)
            if self.pictures:
                for scheme in ('dark', 'light'):
                    page.evaluate(f'void (document.documentElement.dataset.theme = "{scheme}")')
                    page.picture(self.pictures / f'bench-{scheme}.png')
            kernels = page.evaluate('import("./bench.js").then(({ measure }) => measure(undefined, [64]))')
            kernels = kernels['times_ns']['kernels']
            rows = re.findall(r'ROW\((\w+), \w+,\s*\(([^)]*)\)', LIST.read_text().replace("\\\n", "\n")) # name, parameters
            equal(sorted(kernels), sorted(name for name, parameters in rows if re.search(r'size_t (count|end)\b', parameters)))
            holds(all(ns > 0 for times in kernels.values() for column in times.values() for ns in column), 'no time')
            equal(page.errors, [])
        finally:
            page.close()

    def million(self):
        """a million points: measured figures, not limits"""
        with self.page('springs', query='renderer=2d') as page:
            page.wait('gyrePage.figures.elements === 2000000')
            figures = []
            for _ in range(8):
                page.evaluate('void (globalThis.told = gyrePage.figures)')
                page.wait('gyrePage.figures !== told')
                figures.append(page.evaluate('gyrePage.figures'))
            rates = [f['fps'] for f in figures]
            told = (f'canvas 2D: {min(rates):.0f} to {max(rates):.0f} frames/s; step from '
                    f'{min(f["step"] for f in figures):.1f} ms, drawing from {min(f["drawing"] for f in figures):.1f} ms')
        with self.page('springs', query='renderer=webgl') as page:
            page.wait('gyrePage.figures.upload > 0')
            return f'{told}; upload for WebGL2 {page.evaluate("gyrePage.figures.upload"):.1f} ms'


def main():
    if program() is None:
        tap.skip_all('Chromium is not installed')
    folder = pathlib.Path(sys.argv[1])
    pictures = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
    if pictures:
        pictures.mkdir(parents=True, exist_ok=True)
    with Chromium(folder) as chromium:
        tests = Tests(chromium, folder, pictures)
        attempt('the hashes of 120 scripted frames are the native ones', tests.hashes)
        attempt('a hash that differs is reported', tests.wrong_hash)
        for scene in SCENES:
            for renderer in ('2d', 'webgl'):
                attempt(f'{scene} by {renderer}', lambda: tests.scene(scene, renderer))
        for scene in SCENES:
            for place in (DESKTOP, PHONE):
                for scheme in ('dark', 'light'):
                    attempt(f'{scene}, {place["width"]} pixels wide, {scheme}', lambda: tests.layout(scene, place, scheme))
        for test in (tests.sleep, tests.wave, tests.count, tests.poles, tests.heads, tests.turned_cards, tests.herd,
                     tests.published, tests.keyboard, tests.reduced_motion, tests.named, tests.benchmark, tests.million):
            attempt(test.__doc__, test)
    tap.finish()


if __name__ == '__main__':
    main()
