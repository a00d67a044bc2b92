#!/usr/bin/env python3
"""Makes picture.jpg, which the project's README shows: the page with a million points, some of which are on their way.

    tools/web/picture.py BUILD_WEB     the folder made by `sh tools/web.sh build`; needs Chromium
"""
import base64
import pathlib
import sys

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / 'tests/support'))

from chromium import Chromium

SIZE = {'width': 1280, 'height': 800}
WAVE = (790, 370) # pixels: where a press sends a wave
BETWEEN_MS = 200 # from a report of the figures to the press; the next report comes half a second after the one before
QUALITY = 72 # of JPEG


def next_report(page):
    page.evaluate('''new Promise((done) => {
        const { figures } = gyrePage;
        (function look() {
            figures !== gyrePage.figures ? done() : requestAnimationFrame(look);
        })();
    })''')


def main():
    with Chromium(pathlib.Path(sys.argv[1])) as chromium:
        page = chromium.open('page/index.html?theme=dark&renderer=2d&sweep=no#springs', **SIZE,
                             prefers_reduced_motion='no-preference')
        page.wait('document.getElementById("verdict").dataset.equal')
        page.pointer('mouseMoved', *WAVE)
        page.wait('globalThis.gyrePage?.figures.awake === 0')
        next_report(page)
        page.evaluate(f'new Promise((done) => setTimeout(done, {BETWEEN_MS}))')
        page.pointer('mousePressed', *WAVE, button='left')
        page.pointer('mouseReleased', *WAVE, button='left')
        next_report(page)
        shot = page.command('Page.captureScreenshot', format='jpeg', quality=QUALITY)['data']
    (HERE / 'picture.jpg').write_bytes(base64.b64decode(shot))


if __name__ == '__main__':
    main()
