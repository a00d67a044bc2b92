// Pictures as positions of points. A picture is drawn on a canvas; its opacity is the density of the points.

const TILE_WIDTH = 128, TILE_HEIGHT = 8; // points are numbered by tiles, so neighbours in memory are close on screen
export const STYLES = 64; // springs with different parameters: with one spring for all, pictures would move rigidly
export const RUN = 64; // consecutive springs of the same style: the kernel is fastest with runs
export const CHUNK = STYLES * RUN;

/** A small generator of random numbers in [0, 1), so that pictures are reproducible. */
export function randomFrom(seed) {
    let state = seed >>> 0;
    return () => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return state / 4294967296;
    };
}

const HALO = 0.012; // opacity, and so density, of the dust around letters
const HALO_WIDTH = 0.2; // of the size of letters

/** Letters, and dust around them. */
function drawText(context, width, height, text) {
    context.shadowColor = '#000';
    context.globalAlpha = HALO;
    drawLetters(context, width, height, text, HALO_WIDTH);
    context.globalAlpha = 1;
    drawLetters(context, width, height, text, 0);
}

/** `blur`: of their shadow, in sizes of letters. */
export function drawLetters(context, width, height, text, blur) {
    const lines = text.split('/').map((line) => line.trim()).filter(Boolean);
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.font = '800 100px system-ui, "Segoe UI", "DejaVu Sans", sans-serif';
    const widest = Math.max(1, ...lines.map((line) => context.measureText(line).width));
    const size = Math.min(93 * width / widest, 0.86 * height / Math.max(1, lines.length));
    context.font = context.font.replace('100px', `${Math.floor(size)}px`);
    context.shadowBlur = blur * size;
    lines.forEach((line, k) => context.fillText(line, 0, (k - (lines.length - 1) / 2) * size * 1.02));
}

function drawGalaxy(context, width, height) {
    const random = randomFrom(7), radius = Math.min(width, height * 1.5) / 2;
    for (let k = 0; k < 26000; k++) {
        const far = Math.pow(random(), 0.62), arm = Math.floor(random() * 3) * 2 * Math.PI / 3;
        const spread = (random() + random() + random() - 1.5) * (0.24 + 0.5 * (1 - far));
        const angle = arm + 5.2 * Math.log(0.12 + far) + spread;
        const size = radius * (0.004 + 0.018 * random() * (1 - 0.6 * far));
        context.globalAlpha = 0.05 + 0.12 * (1 - far);
        context.beginPath();
        context.arc(radius * far * Math.cos(angle), 0.66 * radius * far * Math.sin(angle), size, 0, 7);
        context.fill();
    }
}

function drawKnot(context, width, height) {
    const radius = Math.min(width, height) / 2.05;
    context.lineWidth = radius / 55;
    for (let strand = 0; strand < 24; strand++) {
        context.globalAlpha = 0.85;
        context.beginPath();
        for (let k = 0; k <= 720; k++) {
            const t = k * Math.PI / 360, fold = 0.64 + (0.26 + 0.006 * strand) * Math.cos(5 * t + strand * 0.03);
            context.lineTo(radius * fold * Math.cos(2 * t + strand * 0.035), radius * fold * Math.sin(2 * t + strand * 0.035));
        }
        context.stroke();
    }
}

function drawImage(context, width, height, bitmap) {
    const scale = Math.min(width / bitmap.width, height / bitmap.height);
    context.drawImage(bitmap, -bitmap.width * scale / 2, -bitmap.height * scale / 2, bitmap.width * scale, bitmap.height * scale);
}

/** The density of a picture, per pixel of width x height. `place`: the part of the screen that it may use. */
function densityOf(picture, width, height, place) {
    const canvas = new OffscreenCanvas(width, height), context = canvas.getContext('2d', { willReadFrequently: true });
    context.translate(place.x + place.width / 2, place.y + place.height / 2);
    const draw = { text: drawText, galaxy: drawGalaxy, knot: drawKnot, image: drawImage }[picture.kind];
    draw(context, place.width, place.height, picture.text ?? picture.bitmap);
    const pixels = context.getImageData(0, 0, width, height).data, density = new Float32Array(width * height);
    for (let k = 0; k < density.length; k++) {
        const opacity = pixels[4 * k + 3] / 255;
        density[k] = picture.kind !== 'image' ? opacity : // photographs: dense where they differ from the background
            opacity * Math.abs(picture.ground - (0.3 * pixels[4 * k] + 0.59 * pixels[4 * k + 1] + 0.11 * pixels[4 * k + 2]) / 255);
    }
    return density;
}

/** Writes where n points form a picture to x and y, in pixels. */
export function formPicture(picture, width, height, place, x, y) {
    const density = densityOf(picture, width, height, place), n = x.length, random = randomFrom(1);
    let total = 0;
    for (const value of density) {
        total += value;
    }
    if (!(total > 0)) { // nothing visible: points everywhere
        density.fill(1);
        total = density.length;
    }
    let i = 0, before = 0;
    for (let top = 0; top < height; top += TILE_HEIGHT) {
        for (let left = 0; left < width; left += TILE_WIDTH) {
            for (let row = top; row < Math.min(top + TILE_HEIGHT, height); row++) {
                for (let column = left; column < Math.min(left + TILE_WIDTH, width); column++) {
                    before += density[row * width + column];
                    const end = Math.min(Math.round(before / total * n), n);
                    const spread = Math.min(8, Math.max(1, Math.sqrt(total / n / density[row * width + column]))); // few points
                    for (; i < end; i++) {
                        const place = placeOf(i, n);
                        x[place] = column + 0.5 + spread * (random() - 0.5);
                        y[place] = row + 0.5 + spread * (random() - 0.5);
                    }
                }
            }
        }
    }
    for (; i < n; i++) { // left over from rounding
        const place = placeOf(i, n);
        x[place] = x[placeOf(i - 1, n)];
        y[place] = y[placeOf(i - 1, n)];
    }
}

/** Springs of one style are RUN in a row, but neighbours on screen have all styles: transposes each chunk. */
function placeOf(i, n) {
    const start = i - i % CHUNK, k = i - start;
    return start + CHUNK > n ? i : start + (k % STYLES) * RUN + Math.floor(k / STYLES);
}
