const valueOf = (line, t) => line.value + line.slope * (t - line.t);

/**
 * The longest line that starts in the first gate and passes through the gates after it. If no line passes through all
 * of them, it is the one that comes closest to the gate `failed`, which lies above or below it. `lastTouch` is the last
 * gate that it touches, at the end that keeps it from turning towards `failed`.
 *
 * A line through gates can be no steeper than from the low end of any gate to the high end of any later one, and no
 * less steep than from a high end to a later low end. A line exists if a slope satisfies both.
 */
const longestLine = (gates) => {
    let least = { slope: -Infinity };
    let most = { slope: Infinity };
    for (let i = 1; i < gates.length; i++) {
        let [nextLeast, nextMost] = [least, most];
        for (let k = 0; k < i; k++) {
            const time = gates[i].t - gates[k].t;
            const up = (gates[i].low - gates[k].high) / time;
            const down = (gates[i].high - gates[k].low) / time;
            if (up >= nextLeast.slope) {
                nextLeast = { slope: up, t: gates[k].t, value: gates[k].high, lastTouch: i };
            }
            if (down <= nextMost.slope) {
                nextMost = { slope: down, t: gates[k].t, value: gates[k].low, lastTouch: i };
            }
        }
        if (nextLeast.slope > nextMost.slope) {
            const isAbove = nextLeast.slope > most.slope;
            return { ...(isAbove ? most : least), failed: i, isAbove };
        }
        [least, most] = [nextLeast, nextMost];
    }
    return most;
};

/** The gates for the line that continues after one that fails. */
const gatesBehind = (gates, line) => {
    // Where the line leaves the corridor. The edges of the corridor run straight from gate to gate.
    const [a, b] = [gates[line.failed - 1], gates[line.failed]];
    const edge = line.isAbove ? 'low' : 'high';
    const [inside, outside] = [valueOf(line, a.t) - a[edge], b[edge] - valueOf(line, b.t)];
    const part = inside / (inside + outside);
    const exit = {
        t: a.t + part * (b.t - a.t),
        low: a.low + part * (b.low - a.low),
        high: a.high + part * (b.high - a.high),
    };
    exit[edge] = valueOf(line, exit.t);
    // A next line that turns up at a corner on this one is below it before the corner, so the low edge does not matter.
    const before = gates
        .slice(line.lastTouch, line.failed)
        .filter(({ t }) => t < exit.t)
        .map((gate) => (line.isAbove ? { ...gate, low: -Infinity } : { ...gate, high: Infinity }));
    return [...before, exit, ...gates.slice(line.failed)];
};

/**
 * The corners [{ t, value }], ends included, of the smallest number of connected lines that pass through all gates
 * { t, low, high }. Between gates the lines stay in the corridor that connects the gates.
 *
 * Suppose that the longest line leaves the corridor at the bottom. Before that it touched the low edge, then the high
 * edge. So no line from the first gate gets further, or above this line after its last touch: the next line crosses or
 * starts on this line, between the last touch and the exit. The longest line that starts there is again the best.
 * (H. Imai and M. Iri, "An optimal algorithm for approximating a piecewise linear function", Journal of Information
 * Processing 9, 1986)
 */
export const fewestLines = (gates) => {
    const lines = [];
    for (let rest = gates; ;) {
        const line = longestLine(rest);
        lines.push(line);
        if (line.failed === undefined) {
            break;
        }
        rest = gatesBehind(rest, line);
    }
    const corners = lines.slice(1).map((line, i) => {
        const before = lines[i];
        const t = before.t + (valueOf(line, before.t) - before.value) / (before.slope - line.slope);
        return { t, value: valueOf(before, t) };
    });
    return [{ t: gates[0].t, value: gates[0].low }, ...corners, { t: gates.at(-1).t, value: gates.at(-1).low }];
};
