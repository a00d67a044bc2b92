// Rotations and points of nodes. Quaternions are arrays x y z w, points are x y z, and matrices the 16 elements of a
// THREE.Matrix4, column by column. Results go to the last parameter, which may be one of the others, and are returned.

const put = (x, y, z, w, q) => {
    q[0] = x;
    q[1] = y;
    q[2] = z;
    q[3] = w;
    return q;
};

const inverseLength = (x, y, z) => 1 / Math.sqrt(x * x + y * y + z * z);

/** The rotation of a matrix, as THREE.Matrix4.decompose finds it: without scales, and a mirror counts as one of x. */
export const rotationOf = (e, q) => {
    const determinant =
        e[0] * (e[5] * e[10] - e[6] * e[9]) + e[4] * (e[2] * e[9] - e[1] * e[10]) + e[8] * (e[1] * e[6] - e[2] * e[5]);
    const sx = (determinant < 0 ? -1 : 1) * inverseLength(e[0], e[1], e[2]);
    const sy = inverseLength(e[4], e[5], e[6]);
    const sz = inverseLength(e[8], e[9], e[10]);
    const [xx, yy, zz] = [e[0] * sx, e[5] * sy, e[10] * sz];
    const [yz, zy] = [e[9] * sz, e[6] * sy]; // row, column
    const [zx, xz] = [e[2] * sx, e[8] * sz];
    const [xy, yx] = [e[4] * sy, e[1] * sx];
    // q times four times its largest component, which does not cancel
    const w = 1 + xx + yy + zz;
    if (w > 1) {
        put(zy - yz, xz - zx, yx - xy, w, q);
    } else if (xx >= yy && xx >= zz) {
        put(1 + xx - yy - zz, yx + xy, xz + zx, zy - yz, q);
    } else if (yy >= zz) {
        put(yx + xy, 1 - xx + yy - zz, zy + yz, xz - zx, q);
    } else {
        put(xz + zx, zy + yz, 1 - xx - yy + zz, yx - xy, q);
    }
    const size = 1 / Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    return put(q[0] * size, q[1] * size, q[2] * size, q[3] * size, q);
};

/** The place in the world of a point x, y, z of the node with this matrix. */
export const placeOf = (e, x, y, z, out) => {
    out[0] = e[0] * x + e[4] * y + e[8] * z + e[12];
    out[1] = e[1] * x + e[5] * y + e[9] * z + e[13];
    out[2] = e[2] * x + e[6] * y + e[10] * z + e[14];
    return out;
};

/** The unit direction in the world of a direction of the node with this matrix. */
export const directionOf = (e, x, y, z, out) => {
    const [a, b, c] = [e[0] * x + e[4] * y + e[8] * z, e[1] * x + e[5] * y + e[9] * z, e[2] * x + e[6] * y + e[10] * z];
    const unit = inverseLength(a, b, c);
    out[0] = a * unit;
    out[1] = b * unit;
    out[2] = c * unit;
    return out;
};

export const inverse = (a, q) => put(-a[0], -a[1], -a[2], a[3], q);

export const product = (a, b, q) =>
    put(
        a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
        a[3] * b[1] + a[1] * b[3] + a[2] * b[0] - a[0] * b[2],
        a[3] * b[2] + a[2] * b[3] + a[0] * b[1] - a[1] * b[0],
        a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
        q,
    );

/** The vector v turned by q. */
export const turned = (q, v, out) => {
    const [x, y, z] = v;
    const tx = 2 * (q[1] * z - q[2] * y);
    const ty = 2 * (q[2] * x - q[0] * z);
    const tz = 2 * (q[0] * y - q[1] * x);
    out[0] = x + q[3] * tx + q[1] * tz - q[2] * ty;
    out[1] = y + q[3] * ty + q[2] * tx - q[0] * tz;
    out[2] = z + q[3] * tz + q[0] * ty - q[1] * tx;
    return out;
};

export const difference = (a, b, out) => {
    out[0] = a[0] - b[0];
    out[1] = a[1] - b[1];
    out[2] = a[2] - b[2];
    return out;
};
