// Spring bones as VRMC_springBone 1.0 describes them, and as most characters on the web move them: the last two places
// of each tail give its next one, which is then pulled to the bone's length.

export class Recurrence {
    /**
     * Bones with the roots and the palette of Gyre's `chains`, whose level l has entry l. `joints` are VRM's parameters of
     * each level: stiffness, dragForce and gravityPower; gravity is along -z.
     */
    constructor(gyre, chains, joints) {
        const bones = chains.bones, count = chains.tail[0].length;
        this.chains = chains;
        this.joints = joints.map((joint, k) => {
            const [rx, ry, rz, rw] = bones[k].rest, length = Math.hypot(...bones[k].tail);
            const [ax, ay, az] = Array.from(bones[k].tail, (v) => v / length);
            return { ...joint, rx, ry, rz, rw, ax, ay, az, length };
        });
        this.block = gyre.float32(10 * count);
        const arrays = Array.from({ length: 10 }, (_, k) => this.block.view.subarray(k * count, (k + 1) * count));
        [this.tail, this.before, this.orientation] = [arrays.slice(0, 3), arrays.slice(3, 6), arrays.slice(6)];
        this.reset();
    }

    free() {
        this.block.free();
    }

    /** Places the bones where Gyre's are, at rest. */
    reset() {
        const { tail, before, orientation, chains } = this;
        [tail, before].forEach((arrays) => arrays.forEach((array, k) => array.set(chains.tail[k])));
        orientation.forEach((array, k) => array.set(chains.orientation[k]));
    }

    step(dt) {
        const { levelBegin, position, parent } = this.chains;
        for (let level = 0; level + 1 < levelBegin.length; level++) { // parents first
            const begin = levelBegin[level], end = levelBegin[level + 1], joint = this.joints[level];
            if (level === 0) {
                this.stepBones(dt, joint, begin, end, position, parent, 0);
            } else {
                this.stepBones(dt, joint, begin, end, this.tail, this.orientation, levelBegin[level - 1]);
            }
        }
    }

    /** Bones of a level, whose heads and parents' orientations are elements of the arrays given, from `from` on. */
    stepBones(dt, joint, begin, end, [headX, headY, headZ], [parentX, parentY, parentZ, parentW], from) {
        const { stiffness, dragForce, gravityPower, rx, ry, rz, rw, ax, ay, az, length } = joint;
        const keep = 1 - dragForce, pull = dt * stiffness, fall = dt * gravityPower;
        const [tailX, tailY, tailZ] = this.tail, [beforeX, beforeY, beforeZ] = this.before;
        const [turnX, turnY, turnZ, turnW] = this.orientation;
        for (let i = begin; i < end; i++) {
            const p = from + i - begin, px = parentX[p], py = parentY[p], pz = parentZ[p], pw = parentW[p];
            const hx = headX[p], hy = headY[p], hz = headZ[p];
            // The rest orientation in the world, q = parent * rest, and the bone's direction in it.
            const qx = pw * rx + px * rw + py * rz - pz * ry, qy = pw * ry - px * rz + py * rw + pz * rx;
            const qz = pw * rz + px * ry - py * rx + pz * rw, qw = pw * rw - px * rx - py * ry - pz * rz;
            const tx = qy * az - qz * ay + qw * ax, ty = qz * ax - qx * az + qw * ay, tz = qx * ay - qy * ax + qw * az;
            const ux = ax + 2 * (qy * tz - qz * ty), uy = ay + 2 * (qz * tx - qx * tz), uz = az + 2 * (qx * ty - qy * tx);
            // Inertia, stiffness and gravity move the tail; then the bone gets its length back.
            const x = tailX[i], y = tailY[i], z = tailZ[i];
            const nx = x + (x - beforeX[i]) * keep + pull * ux - hx;
            const ny = y + (y - beforeY[i]) * keep + pull * uy - hy;
            const nz = z + (z - beforeZ[i]) * keep + pull * uz - fall - hz;
            const scale = 1 / Math.sqrt(nx * nx + ny * ny + nz * nz), ex = nx * scale, ey = ny * scale, ez = nz * scale;
            beforeX[i] = x;
            beforeY[i] = y;
            beforeZ[i] = z;
            tailX[i] = hx + length * ex;
            tailY[i] = hy + length * ey;
            tailZ[i] = hz + length * ez;
            // Orientation: the shortest rotation (u x e, 1 + u.e) from the rest direction to the new one, after q.
            const sx = uy * ez - uz * ey, sy = uz * ex - ux * ez, sz = ux * ey - uy * ex;
            const sw = Math.max(1 + ux * ex + uy * ey + uz * ez, 1e-6);
            const unit = 1 / Math.sqrt(sx * sx + sy * sy + sz * sz + sw * sw);
            turnX[i] = unit * (sw * qx + sx * qw + sy * qz - sz * qy);
            turnY[i] = unit * (sw * qy - sx * qz + sy * qw + sz * qx);
            turnZ[i] = unit * (sw * qz + sx * qy - sy * qx + sz * qw);
            turnW[i] = unit * (sw * qw - sx * qx - sy * qy - sz * qz);
        }
    }
}
