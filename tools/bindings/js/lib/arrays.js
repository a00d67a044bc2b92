const lengthOf = (arrays) => arrays?.[0]?.length ?? 0;

/** The floats from the first of `count` structures to the last float of the last that is used. */
const strided = (count, strideBytes, components) => (count > 0 ? ((count - 1) * strideBytes) / 4 + components : 0);

/** Calls a kernel whose last parameters are a range of elements. */
const caller =
    (host) =>
    (kernel, begin, end, ...values) => {
        host.range(begin, end);
        host.kernels[kernel](...values, begin, end);
    };

export const arrayKernels = (host) => {
    const call = caller(host);
    return {
        gather(from, strideBytes, to, begin = 0, end = lengthOf(to)) {
            call(
                'gyre_gather',
                begin,
                end,
                host.address(from, strided(end, strideBytes, to.length)),
                strideBytes,
                to.length,
                host.table(to, end),
            );
        },
        scatter(from, to, strideBytes, begin = 0, end = lengthOf(from)) {
            call(
                'gyre_scatter',
                begin,
                end,
                host.table(from, end),
                from.length,
                host.address(to, strided(end, strideBytes, from.length)),
                strideBytes,
            );
        },
        interpolate(before, now, part, out, begin = 0, end = out.length) {
            call(
                'gyre_interpolate',
                begin,
                end,
                host.address(before, end),
                host.address(now, end),
                part,
                host.address(out, end),
            );
        },
        limitLength(vectors, longest, begin = 0, end = lengthOf(vectors)) {
            call('gyre_limit_length', begin, end, host.table(vectors, end), vectors.length, longest);
        },
        turnTargets(target, position, period, begin = 0, end = target.length) {
            call('gyre_turn_targets', begin, end, host.address(target, end), host.address(position, end), period);
        },
        findAwake(awake, indices, begin = 0, end = awake.length) {
            const found = host.scratch(4);
            call(
                'gyre_find_awake',
                begin,
                end,
                host.address(awake, end, Uint8Array),
                host.address(indices, end - begin, Uint32Array),
                found,
            );
            return host.data.getUint32(found, true);
        },
        hash(arrays, begin = 0, end = lengthOf(arrays)) {
            const out = host.scratch(8);
            call('gyre_hash', begin, end, host.table(arrays, end), arrays.length, out);
            return host.data.getBigUint64(out, true);
        },
    };
};

export const rotationKernels = (host) => {
    const call = caller(host);
    /** From `inputs` arrays to `outputs` arrays. */
    const map =
        (kernel, inputs, outputs) =>
        (from, to, begin = 0, end = lengthOf(to)) => {
            call(kernel, begin, end, host.table(from, end, inputs), host.table(to, end, outputs));
        };
    return {
        rotationMatrix: map('gyre_rotation_matrix', 3, 9),
        rotationLeftJacobian: map('gyre_rotation_left_jacobian', 3, 9),
        rotationQuaternion: map('gyre_rotation_quaternion', 3, 4),
        rotationVector: map('gyre_rotation_vector', 4, 3),
        rotationProduct(a, b, out, begin = 0, end = lengthOf(out)) {
            call(
                'gyre_rotation_product',
                begin,
                end,
                host.table(a, end, 4),
                host.table(b, end, 4),
                host.table(out, end, 4),
            );
        },
        rotationBetween(a, b, part, out, begin = 0, end = lengthOf(out)) {
            call(
                'gyre_rotation_between',
                begin,
                end,
                host.table(a, end, 4),
                host.table(b, end, 4),
                part,
                host.table(out, end, 4),
            );
        },
    };
};
