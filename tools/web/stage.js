// The canvas that a scene draws on, with WebGL2 or canvas 2D, and the theme's colours.

const SOFTWARE = /swiftshader|llvmpipe|software|basic render/i;
const MOST_PIXELS = { webgl: 8e6, '2d': 1.4e6 }; // a plotted picture is computed on the CPU, pixel by pixel

/** Whether there is a GPU. Software WebGL takes half a second for what canvas 2D draws in 20 ms. */
export function hasGpu() {
    const gl = new OffscreenCanvas(1, 1).getContext('webgl2', { failIfMajorPerformanceCaveat: true });
    if (!gl) {
        return false;
    }
    const info = gl.getExtension('WEBGL_debug_renderer_info');
    const name = String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
    gl.getExtension('WEBGL_lose_context')?.loseContext();
    return !SOFTWARE.test(name);
}

const rgb = (text) => [1, 3, 5].map((k) => parseInt(text.trim().slice(k, k + 2), 16) / 255);

export class Stage {
    constructor(place, renderer) {
        this.place = place;
        this.use(renderer);
        this.readColours();
    }

    /** Makes a new canvas: one that has a context of one kind cannot get another. */
    use(renderer) {
        this.renderer = renderer;
        this.canvas = document.createElement('canvas');
        this.canvas.setAttribute('aria-hidden', 'true');
        this.place.replaceChildren(this.canvas);
        const kind = renderer === 'webgl' ? 'webgl2' : '2d';
        this.context = this.canvas.getContext(kind, { alpha: false, antialias: true, powerPreference: 'high-performance' });
        if (!this.context) {
            this.use('2d');
        }
        this.resize();
    }

    get gl() {
        return this.renderer === 'webgl' ? this.context : null;
    }

    /** Adapts to the window; returns whether anything changed. */
    resize() {
        const { clientWidth: width, clientHeight: height } = this.place;
        const scale = Math.min(window.devicePixelRatio || 1, 2, Math.sqrt(MOST_PIXELS[this.renderer] / (width * height)));
        const size = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
        if (this.width === size[0] && this.height === size[1] && this.canvas.width === size[0]) {
            return false;
        }
        [this.canvas.width, this.canvas.height] = [this.width, this.height] = size;
        this.scale = scale;
        this.image = null;
        return true;
    }

    readColours() {
        const style = getComputedStyle(document.documentElement), read = (name) => style.getPropertyValue(name);
        this.ramp = read('--ramp').split(',').map(rgb);
        this.ground = rgb(read('--ground'));
        this.accent = rgb(read('--accent'));
        this.other = rgb(read('--other'));
        this.skin = rgb(read('--skin'));
        this.dark = document.documentElement.dataset.theme !== 'light';
    }

    /** The colour at part t of the ramp. */
    rampAt(t) {
        const at = Math.min(Math.max(t, 0), 1) * (this.ramp.length - 1), k = Math.min(Math.floor(at), this.ramp.length - 2);
        return this.ramp[k].map((a, c) => a + (this.ramp[k + 1][c] - a) * (at - k));
    }

    /** Canvas 2D: the pixels of the whole canvas, one Uint32 each, filled with the background colour. */
    pixels() {
        if (!this.image) {
            this.image = this.context.createImageData(this.width, this.height);
            this.words = new Uint32Array(this.image.data.buffer);
        }
        return this.words.fill(packed(this.ground));
    }

    show() {
        this.context.putImageData(this.image, 0, 0);
    }
}

/** A colour as a pixel in memory: red first, whatever the machine's byte order. */
export function packed([r, g, b]) {
    return new Uint32Array(new Uint8ClampedArray([255 * r, 255 * g, 255 * b, 255]).buffer)[0];
}
