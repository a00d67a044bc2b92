// A perspective camera: it looks from `eye` to `at`, with y or z up as given by `up`.

const minus = (a, b) => a.map((v, k) => v - b[k]);
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (a) => a.map((v) => v / Math.hypot(...a));

export class Camera {
    /** `height`: the tangent of half the vertical field of view. `centre`: where `at` appears, -1 to 1. */
    constructor(eye, at, up, height, width, centre = [0, 0]) {
        const forward = unit(minus(at, eye)), right = unit(cross(forward, up)), above = cross(right, forward);
        this.eye = eye;
        const near = 0.5;
        const row = (axis, scale, shift) => [0, 1, 2].map((k) => axis[k] * scale + forward[k] * shift)
            .concat(-dot(axis, eye) * scale - dot(forward, eye) * shift);
        // Rows of clip space: x, y, z (far away at infinity), w.
        this.rows = [row(right, 1 / width, centre[0]), row(above, 1 / height, centre[1]),
            [...forward, -dot(forward, eye) - 2 * near], [...forward, -dot(forward, eye)]];
    }

    /** For WebGL: column-major. */
    get matrix() {
        return [0, 1, 2, 3].flatMap((column) => this.rows.map((row) => row[column]));
    }

    /** Where a point appears, in pixels, and its distance. */
    project([x, y, z], width, height) {
        const along = (row) => row[0] * x + row[1] * y + row[2] * z + row[3], w = along(this.rows[3]);
        return [(1 + along(this.rows[0]) / w) / 2 * width, (1 - along(this.rows[1]) / w) / 2 * height, w];
    }
}
