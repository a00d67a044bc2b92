/** Elementary functions of arrays, all as long as the first. */
export const mathKernels = (host) => {
    const map =
        (kernel) =>
        (...arrays) => {
            host.kernels[kernel](...arrays.map((array) => host.address(array, arrays[0].length)), arrays[0].length);
        };
    return {
        exp: map('gyre_exp'),
        expm1: map('gyre_expm1'),
        log: map('gyre_log'),
        sin: map('gyre_sin'),
        cos: map('gyre_cos'),
        sincos: map('gyre_sincos'),
    };
};
