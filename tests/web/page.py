#!/usr/bin/env python3
"""Tests of the page of tools/web, in headless Chromium.

    page.py BUILD_WEB [PICTURES]     the folder made by `sh tools/web.sh build`; PICTURES: a folder for screenshots
"""
import contextlib
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / 'tests/support'))

import tap
from chromium import Chromium, program

DESKTOP = {'width': 1280, 'height': 800}
SMALL = {'width': 1024, 'height': 600}
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
# Stands in for the clipboard, which needs a permission.
CLIPBOARD = '''Object.defineProperty(navigator, "clipboard", { value: {
    writeText: async (text) => { globalThis.copied = text; } } })'''
# Changes every setting by its control.
CHANGE_ALL = '''for (const control of document.querySelectorAll('#controls :is(input, select)')) {
    if (control.type === 'range') {
        control.value = 300;
    } else if (control.type === 'checkbox') {
        control.checked = !control.checked;
    } else if (control.type === 'text') {
        control.value = 'a / é&#?=+%';
    } else if (control.matches('select')) {
        control.selectedIndex = (control.selectedIndex + 1) % control.options.length;
    }
    for (const kind of control.type === 'file' ? [] : ['input', 'change']) {
        control.dispatchEvent(new Event(kind));
    }
}'''
# The contrast of an element's text with its own background, as in WCAG 2.
CONTRAST = '''((element) => {
    const style = getComputedStyle(element), light = (colour) => colour.match(/[\\d.]+/g).slice(0, 3).map((v) => v / 255)
        .map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
        .reduce((sum, v, k) => sum + v * [0.2126, 0.7152, 0.0722][k], 0.05);
    const [a, b] = [light(style.color), light(style.backgroundColor)];
    return style.backgroundColor.startsWith('rgb(') ? Math.max(a, b) / Math.min(a, b) : 0;
})'''
# Parameters of the address that have no effect, and what the page says.
FAULTS = [
    ('count=abc#turning', ['count=abc', 'a number from 12 to 2,000']),
    ('count=5000#turning', ['count=5000', '2,000']),
    ('damping=#turning', ['damping=:', '0.05 to 1.5']),
    ('count=20&count=30#turning', ['count', '2 times']),
    ('kind=hats#turning', ['kind=hats', 'heads, cards']),
    ('theme=blue#cards', ['theme=blue', 'dark, light']),
    ('renderer=svg#cards', ['renderer=svg', 'webgl, 2d']),
    ('follow=1#cards', ['follow=1', 'yes or no']),
    ('colour=red&Count=9#cards', ['“colour”', '“Count”', 'It has follow, theme, renderer']),
    ('rate=50#herd', ['rate=50', '30, 60, 144']),
    ('view=1#bodies', ['view=1', '-0.5 to 0.5']),
    ('count=10000&image=x.png#springs', ['image=x.png', 'chosen in the settings']),
    (f'count=10000&text={"x" * 41}#springs', ['text=xxx', 'at most 40']),
    ('count=10000#nothing', ['“nothing”', 'springs, cards, bodies, turning, herd']),
]
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
                    return { ok: true, json: async () => native };
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
        """Nothing lies outside the window or its column, and what is cut off can be seen to go on, at this size."""
        with self.page(scene, place, 'renderer=2d', prefers_color_scheme=scheme) as page:
            page.wait('document.getElementById("verdict").dataset.equal')
            equal(page.evaluate('document.documentElement.dataset.theme'), scheme)
            if self.pictures:
                self.photograph(page, scene, f'{scene}-{place["width"]}-{scheme}.png')
            for _ in range(2): # with settings and hashes as they are at first, and with the others
                self.measure_layout(page, place)
                page.evaluate('''(() => {
                    const [settings, hashes] = ['settings', 'hashes'].map((id) => document.getElementById(id));
                    (hashes.open ? settings : hashes).open = true;
                })()''')
                page.frame()
            if self.pictures and place is PHONE:
                page.evaluate('document.getElementById("settings").open = true')
                for _ in range(180): # until the scene has come to rest under the settings
                    page.frame()
                page.picture(self.pictures / f'{scene}-{place["width"]}-{scheme}-settings.png')

    def measure_layout(self, page, place):
        outside = page.evaluate('''[...document.querySelectorAll('header, #about, #panel, nav a, button, .sides, .wall')]
            .filter((element) => {
                const { left, right, top, bottom } = element.getBoundingClientRect();
                return !element.closest('details, dialog, [hidden]') &&
                    (left < -1 || right > innerWidth + 1 || top < -1 || bottom > innerHeight + 1);
            }).map((element) => element.id || element.className || element.textContent)''')
        equal(outside, [])
        cut = page.evaluate('''[...document.querySelectorAll('#side *')].filter((element) => element.clientWidth > 0 &&
            element.checkVisibility() && (element.scrollWidth > element.clientWidth + 1 ||
                element.scrollHeight > element.clientHeight + 1) && !element.matches('.scroll, select, input'))
            .map((element) => `${element.tagName} ${element.id} ${element.textContent.slice(0, 40)}`)''')
        equal(cut, [])
        overlap = page.evaluate('''(({ x, y, width, height }, side) => Math.min(x + width, side.right) > Math.max(x, side.left) + 1
            && Math.min(y + height, side.bottom) > Math.max(y, side.top) + 1)(gyrePage.scene.stage.free(),
                document.getElementById('side').getBoundingClientRect())''')
        holds(not overlap, 'panels cover the picture')
        height = page.evaluate('gyrePage.scene.stage.free().height')
        holds(height > 0.25 * place['height'], f'the picture has a height of {height}')

    def photograph(self, page, scene, name):
        if scene == 'cards':
            page.evaluate('document.querySelector("#controls .actions button").click()')
            page.wait('gyrePage.scene.springs.position.some((x) => x < 0.5)')
        else:
            page.wait('performance.now() > 4000') # milliseconds of movement
        page.picture(self.pictures / name)

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

    def settled(self):
        """settled points fill their letters, and nothing else"""
        with self.page('springs', query='renderer=2d&sweep=no') as page:
            page.wait('gyrePage.figures.awake === 0')
            full, beside = page.evaluate('''(async () => {
                const { drawLetters } = await import('./pictures.js'), { scene } = gyrePage, { stage } = scene;
                const { width, height, scale } = stage, free = stage.free();
                const context = new OffscreenCanvas(width, height).getContext('2d');
                context.translate(scale * (free.x + free.width / 2), scale * (free.y + free.height / 2));
                drawLetters(context, scale * free.width, scale * free.height, 'Gyre', 0);
                const ink = context.getImageData(0, 0, width, height).data;
                scene.draw((_, work) => work());
                const shown = stage.context.getImageData(0, 0, width, height).data, ground = stage.ground.map((v) => Math.round(255 * v));
                const inside = [0, 0], outside = [0, 0]; // pixels, and those with a point
                for (let at = 0; at < ink.length; at += 4) {
                    const counts = ink[at + 3] === 255 ? inside : ink[at + 3] === 0 ? outside : [];
                    counts[0]++;
                    counts[1] += ground.some((v, k) => v !== shown[at + k]);
                }
                return [inside[1] / inside[0], outside[1] / outside[0]];
            })()''')
            holds(full > 0.999 and beside < 0.01, f'{full:.3f} of the letters have points, and {beside:.3f} of the rest')
            return f'{full:.4f} of the letters have points, and {beside:.4f} of the rest'

    def words(self):
        """the title says how many points and springs there are, also while the slider moves"""
        with self.page('springs', query='renderer=2d') as page:
            title = 'document.getElementById("title").textContent'
            equal(page.evaluate(title), 'A million points, two springs each')
            page.evaluate('''(() => {
                const slider = document.querySelector('#controls input[type=range]');
                slider.value = 300;
                slider.dispatchEvent(new Event('input'));
            })()''')
            equal(page.evaluate(title), '40,000 points, two springs each')
            equal(page.evaluate('gyrePage.scene.count'), 1000000)
            page.wait('document.getElementById("awake").textContent.endsWith("of 2,000,000 springs")')

    def speed(self):
        """springs a second by the step alone, and in a frame at 60 Hz; not of a few elements"""
        with self.page('springs', query='renderer=2d') as page:
            page.wait('gyrePage.figures.alone > gyrePage.figures.rate')
            equal(page.evaluate('''(() => {
                const { alone } = gyrePage.figures, format = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });
                return ['alone', 'fit'].map((id) => document.getElementById(id).textContent).join() ===
                    [alone, alone / 60].map(format.format).join();
            })()'''), True)
            page.evaluate(NO_SWEEP)
            page.wait('gyrePage.figures.awake === 0 && gyrePage.figures.rate === 0')
            told = page.evaluate('gyrePage.figures.alone')
            for _ in range(3): # springs that sleep and are skipped do not count
                page.evaluate('void (globalThis.told = gyrePage.figures)')
                page.wait('gyrePage.figures !== told')
                equal(page.evaluate('gyrePage.figures.alone'), told)
        with self.page('turning') as page:
            page.wait('!document.getElementById("alone").checkVisibility()')
        return f'{told:.3g} springs a second'

    def turn_overs(self):
        """with Moser-Veselov, handles turn over and come round again, and keep their momentum; not with explicit Euler"""
        with self.page('bodies', query='count=2000') as page:
            page.wait('gyrePage.scene.turned[0] > 2 * 1000') # each, on average
            equal(page.evaluate('gyrePage.scene.turned[1]'), 0)
            texts = '[...document.querySelectorAll(".sides p")].map((p) => p.textContent)'
            page.wait(f'/^turned over [2-9]/.test({texts}[0])')
            left, right = page.evaluate(texts)
            holds(left.endswith(' momentum kept'), left)
            holds(right.startswith('never turned over') and right.endswith('%'), right)
            page.evaluate(choose(1, 'midpoint'))
            page.wait('gyrePage.scene.turned[1] > 1000')

    def panels(self):
        """the right fields end where panels begin, by both ways to draw"""
        for scene in ('bodies', 'herd'):
            for renderer in ('2d', 'webgl'):
                with self.page(scene, query=f'renderer={renderer}&count={FEW[scene]}') as page:
                    colours = page.evaluate('''(() => {
                        const { scene } = gyrePage, { stage } = scene, { right } = stage.free(), at = Math.ceil(right * stage.scale);
                        const context = new OffscreenCanvas(stage.width - at, stage.height).getContext('2d');
                        scene.draw((_, work) => work());
                        context.drawImage(stage.canvas, -at, 0);
                        const { data } = context.getImageData(0, 0, stage.width - at, stage.height);
                        return [[...new Set(new Uint32Array(data.buffer))], right - document.getElementById('side').offsetLeft];
                    })()''')
                    equal([len(colours[0]), colours[1] <= 0], [1, True])

    def links(self):
        """a copied link shows the same: settings, theme and renderer of every scene"""
        values = '''(({ image, ...values }) => values)(gyrePage.scene.values)'''
        for scene in SCENES:
            with self.page(scene, query='renderer=2d') as page:
                page.evaluate(CLIPBOARD)
                before = page.evaluate(values)
                page.evaluate(CHANGE_ALL)
                if scene == 'bodies':
                    for x in (300, 250, 200, 150):
                        page.pointer('mousePressed' if x == 300 else 'mouseMoved', x, 500, 'left')
                        page.frame()
                    page.pointer('mouseReleased', 150, 500, 'left')
                    page.wait('gyrePage.scene.values.view > 0.05')
                page.evaluate('document.getElementById("theme").click()')
                page.evaluate('document.getElementById("link").click()')
                link, wanted = page.evaluate('copied'), page.evaluate(values)
                equal([name for name in wanted if wanted[name] == before[name]], [])
                page.wait(f'location.href === {json.dumps(link)}')
                page.wait('document.getElementById("copied").value === "link copied"')
            other = self.chromium.open(link, **DESKTOP, prefers_color_scheme='dark', prefers_reduced_motion='no-preference')
            try:
                other.wait('Boolean(globalThis.gyrePage)')
                equal(other.evaluate(values), wanted)
                equal(other.evaluate('[document.documentElement.dataset.theme, gyrePage.scene.stage.renderer, '
                                     'document.getElementById("faults").hidden]'), ['light', '2d', True])
                other.evaluate(CLIPBOARD)
                other.evaluate('document.getElementById("link").click()')
                equal(other.evaluate('copied'), link)
                equal(other.errors, [])
            finally:
                other.close()

    def history(self):
        """back and forward show the scenes with the settings that they had"""
        with self.page('turning', query='renderer=2d&count=60') as page:
            page.key('3')
            page.wait('location.hash === "#bodies"')
            equal(page.evaluate('[location.search, gyrePage.scene.values.count]'), ['?renderer=2d', 20000])
            page.evaluate('history.back()')
            page.wait('gyrePage.scene.values.kind === "heads"')
            equal(page.evaluate('[location.search, gyrePage.scene.values.count]'), ['?renderer=2d&count=60', 60])
            page.evaluate('history.forward()')
            page.wait('gyrePage.scene.values.left !== undefined')
            page.evaluate('void (location.hash = "#cards")') # typed
            page.wait('document.querySelector("nav a[aria-current]").hash === "#cards"')

    def faults(self):
        """every wrong parameter is named, with what is expected, in both themes, and the page works"""
        for query, phrases in FAULTS:
            for scheme in ('dark', 'light'):
                name = query.partition('#')[2]
                with self.page(name, query=query.partition('#')[0], prefers_color_scheme=scheme) as page:
                    told = page.evaluate('document.querySelector("#faults ul").innerText')
                    holds(all(phrase in told for phrase in phrases) and 'SIMD' not in told, f'{query}: {told}')
                    contrast = page.evaluate(f'{CONTRAST}(document.getElementById("faults"))')
                    holds(contrast >= 4.5, f'contrast {contrast:.2f}')
                    equal(page.evaluate('Object.values(gyrePage.scene.values).every((value) => value === value)'), True)
                    if self.pictures and query == FAULTS[0][0]:
                        page.picture(self.pictures / f'faults-{scheme}.png')
                    page.evaluate('document.querySelector("#faults button").click()')
                    equal(page.evaluate('document.getElementById("faults").checkVisibility()'), False)

    def image_fault(self):
        """a file that is no image is named"""
        with self.page('springs', query='count=10000') as page:
            page.evaluate('''(() => {
                const input = document.querySelector('#controls input[type=file]'), transfer = new DataTransfer();
                transfer.items.add(new File(['x'], 'x.txt'));
                input.files = transfer.files;
                input.dispatchEvent(new Event('change'));
            })()''')
            page.wait('document.querySelector("#faults ul").innerText === "“x.txt” is not an image that this browser reads."')

    def not_loaded(self):
        """what the browser or the server lacks is named, in both themes"""
        cases = [('WebAssembly.validate = () => false; WebAssembly.compile = async () => { throw new Error("no"); };', [],
                  'no SIMD'),
                 ('delete globalThis.DecompressionStream', [], 'no DecompressionStream'),
                 ('delete globalThis.WebAssembly', [], 'no WebAssembly'), ('', ['*gyre/index.js*'], 'did not load')]
        for script, blocked, phrase in cases:
            for scheme in ('dark', 'light'):
                page = self.chromium.open('page/icon.svg', **DESKTOP, prefers_color_scheme=scheme)
                try:
                    page.command('Page.addScriptToEvaluateOnNewDocument', source=script)
                    page.command('Network.enable')
                    page.command('Network.setBlockedURLs', urls=blocked)
                    page.command('Page.navigate', url=self.chromium.url('page/index.html#cards'))
                    page.wait(f'document.getElementById("message")?.textContent.includes("{phrase}")')
                    contrast = page.evaluate(f'{CONTRAST}(document.getElementById("message"))')
                    holds(contrast >= 4.5, f'contrast {contrast:.2f}')
                    if self.pictures and blocked:
                        page.picture(self.pictures / f'not-loaded-{scheme}.png')
                finally:
                    page.close()

    def programs(self):
        """copied programs have the parameters, compile, run, and print the same in C and in JavaScript"""
        cases = {'springs': ({'count': 12000, 'response': 0.55, 'damping': 0.25}, {}), 'cards': ({}, {}),
                 'bodies': ({'count': 1000}, {'left': 'midpoint', 'right': 'trapezoid'}),
                 'turning': ({'count': 77, 'response': 2, 'damping': 1.2}, {}), 'herd': ({'count': 30, 'rate': 144}, {})}
        equal(list(cases), SCENES)
        told = []
        for scene, (numbers, names) in cases.items():
            query = urllib.parse.urlencode({'renderer': '2d', **numbers, **names})
            with self.page(scene, query=query) as page:
                page.evaluate(CLIPBOARD)
                copies = {}
                for button in ('c', 'javascript'):
                    page.evaluate('void (globalThis.copied = undefined)')
                    page.wait(f'document.getElementById("{button}").click(), globalThis.copied !== undefined')
                    copies[button] = page.evaluate('copied')
                link = page.evaluate('document.getElementById("link").click(), copied')
            equal([text.splitlines()[0] for text in copies.values()], [f'/* {link} */', f'// {link}'])
            for name, value in {**numbers, **names}.items():
                in_c = f'GYRE_BODY_{value.upper()}' if name in names else value
                holds(f'\n#define {name.upper()} {in_c}\n' in copies['c'], copies['c'])
                in_js = f"'{value}'" if name in names else value
                holds(f'\nconst {name} = {in_js};\n' in copies['javascript'], copies['javascript'])
            printed = self.run_programs(copies)
            equal(printed[0], printed[1])
            holds(re.search('hash [0-9a-f]{16}$', printed[0].strip()), printed[0])
            told.append(printed[0].strip())
            if scene == 'cards': # the page has the same springs
                with self.page('cards') as page:
                    equal(printed[0].split()[-1], page.evaluate('''(() => {
                        const { gyre, scene } = gyrePage, n = scene.parameters.length, springs = gyre.springs(n, { target: 1 });
                        const palette = gyre.float32(16 * n).view;
                        scene.parameters.forEach((spring, k) => palette.set(gyre.springMatrixAt(spring, 1 / 60), 16 * k));
                        for (let i = 0; i < 15; i++) {
                            springs.stepPalette(palette, scene.styles.view);
                        }
                        return gyre.hash([springs.position, springs.velocity]).toString(16).padStart(16, '0');
                    })()'''))
        return '; '.join(told)

    def run_programs(self, copies):
        """What a program prints in C and in JavaScript, with the library and the package of the page."""
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / 'program.c').write_text(copies['c'])
            (folder / 'program.mjs').write_text(copies['javascript'])
            (folder / 'node_modules').mkdir()
            (folder / 'node_modules/gyre').symlink_to((self.folder / 'package').resolve())
            subprocess.run(['gcc', '-std=c11', '-pedantic', '-Wall', '-Wextra', '-Werror', '-O2', '-DGYRE_STATIC',
                            f'-I{ROOT / "include"}', 'program.c', (self.folder / 'native/kernels/libgyre.a').resolve(), '-lm',
                            '-o', 'program'], cwd=folder, check=True)
            return [subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout
                    for command in (['./program'], ['node', 'program.mjs'])]

    def by_hand(self):
        """where a browser does not let the page copy, the text is shown"""
        with self.page('cards') as page:
            page.evaluate('''Object.defineProperty(navigator, 'clipboard', { value: undefined })''')
            page.evaluate('document.getElementById("link").click()')
            page.wait('document.getElementById("by-hand").open')
            selected = page.evaluate('''(({ value, selectionStart, selectionEnd }) => value.slice(selectionStart, selectionEnd))(
                document.querySelector('#by-hand textarea'))''')
            holds(selected.endswith('?theme=dark#cards'), selected)
            if self.pictures:
                page.picture(self.pictures / 'by-hand.png')

    def heads(self):
        """heads look ahead until the pointer moves, then to it: those on its left to the right, and the others to the left"""
        with self.page('turning', query='count=60') as page:
            page.wait(ASLEEP)
            equal(page.evaluate('gyrePage.scene.springs.orientation[3].every((w) => w === 1)'), True)
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
            for place in (DESKTOP, SMALL, PHONE):
                for scheme in ('dark', 'light'):
                    attempt(f'{scene}, {place["width"]} pixels wide, {scheme}', lambda: tests.layout(scene, place, scheme))
        for test in (tests.sleep, tests.wave, tests.count, tests.settled, tests.words, tests.speed, tests.turn_overs,
                     tests.panels, tests.links, tests.history, tests.faults, tests.image_fault, tests.not_loaded,
                     tests.by_hand, tests.heads, tests.turned_cards, tests.herd, tests.published, tests.keyboard,
                     tests.reduced_motion, tests.named, tests.benchmark, tests.million):
            attempt(test.__doc__, test)
        if shutil.which('node'):
            attempt(tests.programs.__doc__, tests.programs)
        else:
            tap.skip(tests.programs.__doc__, 'Node is not installed')
    tap.finish()


if __name__ == '__main__':
    main()
