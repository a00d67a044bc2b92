import type {
    BodiesCalls,
    FlingsCalls,
    OrientationSpringsCalls,
    OtherFunctions,
    ParticlesCalls,
    SpringsCalls,
    UiFunctions,
} from './functions.js';

/** A spring: see gyre/spring.h. */
export interface Spring {
    /** rad/s, of the undamped spring, at least 0; 0 is free motion. */
    angularFrequency: number;
    /** At least 0: below 1 underdamped, 1 critical, above 1 overdamped. */
    dampingRatio: number;
    /** In [0, 1]: the part of a moving target's velocity that damping is measured against. 0 if it is left out. */
    follow?: number;
}

/**
 * What a time step does to springs, 12 floats: pos_pos, pos_vel, vel_pos, vel_vel, pos_ramp, vel_ramp, and the low part
 * of each. An array of its own, outside of Gyre's memory: there is nothing to free.
 */
export type SpringMatrix = Float32Array;

/** What a time step does to particles, 8 floats: pos_vel, vel_vel, pos_acc, vel_acc, and the low part of each. */
export type ParticleMatrix = Float32Array;

/** x, y, z */
export type Vectors<A = Float32Array> = readonly [A, A, A];
/** x, y, z, w */
export type Quaternions<A = Float32Array> = readonly [A, A, A, A];
/** Row by row: [3 * row + column]. */
export type Matrices = readonly [
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
];

/** What an array of a batch starts with: true for zeros, a number for all elements, or a number for each. */
export type Start = true | number | ArrayLike<number>;
/** The same for the arrays of a vector or a quaternion: one start for each component, or the same for all. */
export type Starts = true | number | readonly (number | ArrayLike<number>)[];

type Absent = false | null | undefined;
/** The arrays that a batch has unless their values say false, */
type Made<Values, Names extends string, A> = {
    readonly [Name in Names]: Values extends { readonly [N in Name]: Absent } ? null : A;
};
/** and those that it has only where there are values. */
type Asked<Values, Names extends string, A> = {
    readonly [Name in Names]: Name extends keyof Values ? (Values[Name] extends Absent ? null : A) : null;
};

/** Elements in arrays of Gyre's memory. Arrays are views of it: take them anew after the memory has grown. */
export interface Batch {
    /** The number of elements. */
    readonly count: number;
    /** The address of the struct in Gyre's memory, for the functions of `exports`. */
    readonly pointer: number;
    /**
     * Gives the memory back. Views of it must not be used any more: others may get it. A second call does nothing; any
     * other use after it throws a GyreError.
     */
    free(): void;
}

export interface SpringsValues {
    position?: Start;
    velocity?: Start;
    /** false: all targets are 0, and there is no array. */
    target?: Start | false;
    /** 1 for all, unless it is given. */
    awake?: Start | false;
    positionLow?: Start | false;
    velocityLow?: Start | false;
    targetBefore?: Start | false;
    lower?: Start | false;
    upper?: Start | false;
    restScale?: Start | false;
    period?: number;
    restDistance?: number;
    restSpeed?: number;
    bounce?: number;
    stopAtTarget?: boolean;
    skipAsleep?: boolean;
}

interface SpringsMembers extends Batch, SpringsCalls {
    readonly position: Float32Array;
    readonly velocity: Float32Array;
    /** 0: none. Above 0 displacement is taken the short way round. */
    period: number;
    /** A spring within both limits after a step moves onto its target and stops; either 0: never. */
    restDistance: number;
    restSpeed: number;
    /** 0 to 1: part of its speed with which a spring leaves a bound. */
    bounce: number;
    /** A spring that reaches its target stops there. */
    stopAtTarget: boolean;
    /** Springs whose `awake` is 0 are left as they are. Writing a target does not wake a spring: write awake = 1. */
    skipAsleep: boolean;
}

/** Springs of one coordinate each: gyre_springs in gyre/spring.h. */
export type Springs<Values extends SpringsValues = {}> = SpringsMembers &
    Made<Values, 'target', Float32Array> &
    Made<Values, 'awake', Uint8Array> &
    Asked<Values, 'positionLow' | 'velocityLow' | 'targetBefore' | 'lower' | 'upper' | 'restScale', Float32Array>;

export interface OrientationSpringsValues {
    /** The identity, unless it is given. */
    orientation?: Starts;
    angularVelocity?: Starts;
    target?: Starts | false;
    awake?: Start | false;
    targetBefore?: Starts | false;
    restAngle?: number;
    restSpeed?: number;
    skipAsleep?: boolean;
}

interface OrientationSpringsMembers extends Batch, OrientationSpringsCalls {
    readonly orientation: Quaternions;
    /** rad/s in the world. */
    readonly angularVelocity: Vectors;
    /** rad. A spring within this and restSpeed, rad/s, moves onto its target and stops; either 0: never. */
    restAngle: number;
    restSpeed: number;
    skipAsleep: boolean;
}

/** Springs on rotations: gyre_orientation_springs in gyre/spring.h. */
export type OrientationSprings<Values extends OrientationSpringsValues = {}> = OrientationSpringsMembers &
    Made<Values, 'target', Quaternions> &
    Made<Values, 'awake', Uint8Array> &
    Asked<Values, 'targetBefore', Quaternions>;

export interface ParticlesValues {
    position?: Start;
    velocity?: Start;
    acceleration?: Start | false;
    positionLow?: Start | false;
    velocityLow?: Start | false;
    lower?: Start | false;
    upper?: Start | false;
    uniformAcceleration?: number;
    bounce?: number;
}

interface ParticlesMembers extends Batch, ParticlesCalls {
    readonly position: Float32Array;
    readonly velocity: Float32Array;
    /** For all, where there is no array of accelerations. */
    uniformAcceleration: number;
    bounce: number;
}

/** Particles of one coordinate each: gyre_particles in gyre/particle.h. */
export type Particles<Values extends ParticlesValues = {}> = ParticlesMembers &
    Asked<Values, 'acceleration' | 'positionLow' | 'velocityLow' | 'lower' | 'upper', Float32Array>;

export interface FlingsValues {
    position?: Start;
    velocity?: Start;
    awake?: Start | false;
    lower?: Start | false;
    upper?: Start | false;
    damping?: number;
    spring?: Spring;
    restDistance?: number;
    restSpeed?: number;
    skipAsleep?: boolean;
}

interface FlingsMembers extends Batch, FlingsCalls {
    readonly position: Float32Array;
    readonly velocity: Float32Array;
    /** 1/s, inside the edges. */
    damping: number;
    /** Outside of the edges. A copy: to change it write it whole. */
    spring: Required<Spring>;
    restDistance: number;
    restSpeed: number;
    skipAsleep: boolean;
}

/** Flings between two edges, as in scroll views: gyre_flings in gyre/particle.h. */
export type Flings<Values extends FlingsValues = {}> = FlingsMembers &
    Made<Values, 'awake', Uint8Array> &
    Asked<Values, 'lower' | 'upper', Float32Array>;

export interface BodiesValues {
    /** The identity, unless it is given. */
    orientation?: Starts;
    momentum?: Starts;
    /** 1 for all, unless it is given. */
    inertia?: Starts;
    torque?: Starts | false;
    orientationLow?: Starts | false;
    momentumLow?: Starts | false;
    torqueInBody?: boolean;
    angularDamping?: number;
}

export type BodyMethod = 'moser-veselov' | 'midpoint' | 'object-trapezoid' | 'trapezoid' | 'explicit-euler';

/** How to step: gyre_body_solver in gyre/body.h. What is left out has its default. */
export interface BodySolver {
    method?: BodyMethod;
    order?: number;
    tolerance?: number;
    maxIterations?: number;
    maxSubsteps?: number;
    substeps?: number;
    fixedPoint?: boolean;
}

/** What steps did. */
export interface BodyReport {
    substeps: number;
    iterations: number;
    unconverged: number;
    worstResidual: number;
}

interface BodiesMembers extends Batch, BodiesCalls {
    readonly orientation: Quaternions;
    /** kg m^2/s, in the world. */
    readonly momentum: Vectors;
    /** kg m^2, principal moments. */
    readonly inertia: Vectors;
    /** The torque is given in the body's frame and turns with it. */
    torqueInBody: boolean;
    /** 1/s: momentum decays by exp(-angularDamping dt). */
    angularDamping: number;
    /** The sum of all steps; set its members to 0 to begin anew. */
    readonly report: BodyReport;

    // Each returns false where it could not do all: a body is invalid, or met the limit of sub-steps.
    /** One time step. */
    step(dt: number, solver?: BodySolver, begin?: number, end?: number): boolean;
    /** A step without the torque: for torques that are functions of the state, between two kicks of half the time. */
    drift(dt: number, solver?: BodySolver, begin?: number, end?: number): boolean;
    /** Row-major 3x4 matrices [R | position], every strideBytes bytes (48), for instance buffers. */
    transforms(
        rows: Float32Array,
        positions?: { x?: Float32Array | null; y?: Float32Array | null; z?: Float32Array | null; strideBytes?: number },
        begin?: number,
        end?: number,
    ): boolean;
}

/** Freely rotating rigid bodies: gyre_bodies in gyre/body.h. */
export type Bodies<Values extends BodiesValues = {}> = BodiesMembers &
    Asked<Values, 'torque' | 'momentumLow', Vectors> &
    Asked<Values, 'orientationLow', Quaternions>;

/** An array in Gyre's memory. */
export interface Block<A> {
    readonly length: number;
    /** Take it anew after the memory has grown. */
    readonly view: A;
    /** Gives the memory back. Views must not be used any more. A second call does nothing. */
    free(): void;
}

/** What `element.animate` takes as options. */
export interface CssLinear {
    /** linear(...) */
    easing: string;
    /** ms */
    duration: number;
}

/** What a call that failed throws. Such a call has written nothing. */
export class GyreError extends Error {
    /** Memory is missing or was freed; something does not fit, or is too large; a value is outside of its range. */
    readonly code: 'null' | 'range' | 'value';
    /** The same as in gyre/status.h: -1, -2 or -3. */
    readonly status: number;
}

export interface LoadOptions {
    /** Bytes for arrays; 16 MiB. */
    memory?: number;
    /** Whether the memory may grow beyond that. Each time it does, all views of it become empty: take them anew. */
    growable?: boolean;
}

/**
 * An instance of ui.wasm. Functions have the names of C without gyre_, and their contracts: see gyre/spring.h,
 * particle.h and arrays.h. Arrays that they take are views of Gyre's memory; begin and end are the whole
 * arrays, unless they are given. Times are in seconds.
 */
export interface GyreUi extends UiFunctions {
    readonly memory: WebAssembly.Memory;
    /** The functions of C, under their own names, and without checks. */
    readonly exports: WebAssembly.Exports;
    /** Of the C library: "0.1.0". */
    readonly version: string;

    float32(length: number): Block<Float32Array>;
    uint8(length: number): Block<Uint8Array>;
    uint16(length: number): Block<Uint16Array>;
    uint32(length: number): Block<Uint32Array>;

    springs<const Values extends SpringsValues = {}>(count: number, values?: Values): Springs<Values>;
    orientationSprings<const Values extends OrientationSpringsValues = {}>(
        count: number,
        values?: Values,
    ): OrientationSprings<Values>;
    particles<const Values extends ParticlesValues = {}>(count: number, values?: Values): Particles<Values>;
    flings<const Values extends FlingsValues = {}>(count: number, values?: Values): Flings<Values>;

    /**
     * The spring's way from 0 to 1 as an easing of CSS that is never further from it than the tolerance. No easing of
     * that duration with fewer points is within 31/32 of it. velocity: of the start, in ways a second.
     */
    cssLinear(spring: Spring, tolerance: number, options?: { velocity?: number }): CssLinear;
}

/**
 * An instance of gyre.wasm, which has bodies, rotations of arrays and elementary functions as well: gyre/body.h,
 * rotation.h and math.h.
 */
export interface Gyre extends GyreUi, OtherFunctions {
    bodies<const Values extends BodiesValues = {}>(count: number, values?: Values): Bodies<Values>;
}

/**
 * Writes positions to plain objects: sprites[i].x and .y. An object whose springs both slept in the last call and still
 * do is left alone. Returns how many were written.
 */
export function apply(
    x: { count: number; position: Float32Array; awake: Uint8Array },
    y: { count: number; position: Float32Array; awake: Uint8Array },
    sprites: readonly { x: number; y: number }[],
): number;
