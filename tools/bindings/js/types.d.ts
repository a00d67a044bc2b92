import type {
    BodiesCalls,
    BoneChainsCalls,
    FlingsCalls,
    OrientationSpringsCalls,
    OtherFunctions,
    ParticlesCalls,
    SpringsCalls,
    UiFunctions,
} from './functions.js';

/** A spring: see gyre/spring.h. */
export interface Spring {
    /** rad/s, of the undamped spring, at least 0. 0 means free motion. */
    angularFrequency: number;
    /** At least 0: below 1 underdamped, 1 critical, above 1 overdamped. */
    dampingRatio: number;
    /** From 0 to 1: the part of a moving target's velocity that damping is measured against. Default 0. */
    follow?: number;
}

/**
 * The effect of a time step on springs, 16 floats: pos_pos, pos_vel, vel_pos, vel_vel, pos_ramp, vel_ramp, the low part
 * of each, the spring (angular_frequency, damping_ratio, follow) and dt_s. An ordinary array outside Gyre's memory, so
 * there is nothing to free.
 */
export type SpringMatrix = Float32Array;

/**
 * The effect of a time step on particles, 10 floats: pos_vel, vel_vel, pos_acc, vel_acc, the low part of each, damping
 * and dt_s.
 */
export type ParticleMatrix = Float32Array;

/** x, y, z */
export type Vectors<A = Float32Array> = readonly [A, A, A];
/** x, y, z, w */
export type Quaternions<A = Float32Array> = readonly [A, A, A, A];
/** Row-major: [3 * row + column]. */
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

/** The initial values of an array: true for zeros, one number for all elements, or one for each. */
export type Start = true | number | ArrayLike<number>;
/** The same for the arrays of a vector or a quaternion: one for each component, or the same for all components. */
export type Starts = true | number | readonly (number | ArrayLike<number>)[];

type Absent = false | null | undefined;
/** The arrays that a batch has unless their value is false. */
type Made<Values, Names extends string, A> = {
    readonly [Name in Names]: Values extends { readonly [N in Name]: false | null } ? null : A;
};
/** The arrays that a batch has only if a value is given. */
type Asked<Values, Names extends string, A> = {
    readonly [Name in Names]: Name extends keyof Values ? (Values[Name] extends Absent ? null : A) : null;
};

/** Elements in arrays in Gyre's memory. The arrays are views of it: get them again after the memory has grown. */
export interface Batch {
    /** The number of elements. */
    readonly count: number;
    /** The address of the struct in Gyre's memory, for the functions of `exports`. */
    readonly pointer: number;
    /**
     * Frees the memory. Its views must not be used afterwards, because the memory may be reused. A second call does
     * nothing. Any other use of a freed batch throws a GyreError.
     */
    free(): void;
    /** Its kind, count and first places, as console.log shows it: "springs(1000) { position: [1, 2, 3, ...] }". */
    toString(): string;
    /** The count and the values from which an equal batch can be made: `gyre.springs(count, values)`. */
    toJSON(): { count: number };
}

export interface SpringsValues {
    position?: Start;
    velocity?: Start;
    /** If false, all targets are 0 and there is no array. */
    target?: Start | false;
    /** Default 1 for all. */
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
    /** 0 means none. If above 0, displacement is taken the short way round. */
    period: number;
    /** A spring within both limits after a step moves to its target and stops. Never, if either limit is 0. */
    restDistance: number;
    restSpeed: number;
    /** The part of its speed, from 0 to 1, that a spring keeps when it leaves a bound. */
    bounce: number;
    /** A spring that reaches its target stops there. */
    stopAtTarget: boolean;
    /** Springs whose `awake` is 0 are skipped. Writing a target does not wake a spring; set `awake` to 1. */
    skipAsleep: boolean;
}

/** Springs of one coordinate each: gyre_springs in gyre/spring.h. */
export type Springs<Values extends SpringsValues = {}> = SpringsMembers &
    Made<Values, 'target', Float32Array> &
    Made<Values, 'awake', Uint8Array> &
    Asked<Values, 'positionLow' | 'velocityLow' | 'targetBefore' | 'lower' | 'upper' | 'restScale', Float32Array>;

export interface OrientationSpringsValues {
    /** Default: the identity. */
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
    /** rad/s, in the world frame. */
    readonly angularVelocity: Vectors;
    /** rad. A spring within this and restSpeed (rad/s) moves to its target and stops. Never, if either is 0. */
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
    /** For all particles, if there is no array of accelerations. */
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
    positionLow?: Start | false;
    velocityLow?: Start | false;
    /** Where damping ends, exactly; NaN: wherever. */
    restAt?: Start | false;
    damping?: number;
    spring?: Spring;
    restDistance?: number;
    restSpeed?: number;
    skipAsleep?: boolean;
}

interface FlingsMembers extends Batch, FlingsCalls {
    readonly position: Float32Array;
    readonly velocity: Float32Array;
    /** 1/s, between the edges. */
    damping: number;
    /** Beyond the edges. A frozen copy: to change it, assign a whole spring. */
    get spring(): Readonly<Required<Spring>>;
    set spring(spring: Spring);
    restDistance: number;
    restSpeed: number;
    skipAsleep: boolean;
}

/** Flings between two edges, as in scroll views: gyre_flings in gyre/particle.h. */
export type Flings<Values extends FlingsValues = {}> = FlingsMembers &
    Made<Values, 'awake', Uint8Array> &
    Asked<Values, 'lower' | 'upper' | 'positionLow' | 'velocityLow' | 'restAt', Float32Array>;

/** A bone of a model: gyre_bone in gyre/chain.h. Omitted properties are 0. */
export interface Bone {
    /** Its rotation in its parent's frame when nothing pulls, x y z w. Default: the identity. */
    rest?: ArrayLike<number>;
    /** Where its tail is, in its own frame. 0: rigid with its parent. */
    tail?: ArrayLike<number>;
    /** Of the tail, for colliders. */
    radius?: number;
    /** 1/s^2, the square of the angular frequency of the unloaded bone. */
    stiffness?: number;
    /** 1/s, twice the damping ratio times the angular frequency. */
    damping?: number;
    /** 1/s, 0 to damping: the part of it that is against the air. */
    drag?: number;
    /** s, further damping for each 1/s^2 that gravity, wind and speed add to the stiffness. */
    loadDamping?: number;
    /** Factor of the chain's gravity. */
    gravity?: number;
    /** rad, greatest angle from the rest direction. 0: none. */
    limit?: number;
    /** Axis in the bone's frame. 0: none. */
    hinge?: ArrayLike<number>;
}

export type ColliderKind = 'sphere' | 'capsule' | 'plane' | 'inside-sphere' | 'inside-capsule';

/** The initial values of a collider, one for each chain. */
export interface ChainColliderValues {
    /** Default: sphere. */
    kind?: ColliderKind;
    /** The centre, the first end, or a point of the plane. */
    position?: Starts;
    /** The second end of a capsule; the plane's normal, unit, to the free side. Others need none. */
    end?: Starts | false;
    /** Negative: this chain has none. Planes need none. */
    radius?: Start | false;
}

/** Colliders of one kind, one for each chain: gyre_chain_collider in gyre/chain.h. They are freed with their chains. */
export interface ChainCollider extends Omit<Batch, 'free'> {
    kind: ColliderKind;
    readonly position: Vectors;
    readonly end: Vectors | null;
    readonly radius: Float32Array | null;
}

export interface BoneChainsValues {
    /** The palette: of a crowd of one model, the bone of each level. */
    bones: readonly Bone[];
    /** The number of bones of all chains, or of each, longest first. Default: that of `bones`. */
    levels?: number | ArrayLike<number>;
    /** Of bones: the entry of `bones` of each. If false, level l has entry l. */
    bone?: Start | false;
    /** Applied in order. Each has a value for each chain. */
    colliders?: readonly ChainColliderValues[];
    /** Default: the identity. Call `reset` before the first step. */
    orientation?: Starts;
    velocity?: Starts;
    tail?: Starts | false;
    local?: Starts | false;
    rest?: Starts | false;
    scale?: Start | false;
    position?: Starts;
    /** Default: the identity. */
    parent?: Starts;
    positionBefore?: Starts | false;
    parentBefore?: Starts | false;
    gravity?: Starts | false;
    wind?: Starts | false;
    /** Default 1 for all. */
    awake?: Start | false;
    restAngle?: number;
    restSpeed?: number;
    skipAsleep?: boolean;
}

interface BoneChainsMembers extends Batch, BoneChainsCalls {
    /** Bones of the longest chain. */
    readonly levels: number;
    /** Chain c's bone of level l is element levelBegin[l] + c of the arrays of bones, if that is below levelBegin[l + 1]. */
    readonly levelBegin: Uint32Array;
    /** The palette. Frozen copies: to change them, assign as many bones. */
    get bones(): readonly Readonly<Required<Bone>>[];
    set bones(bones: readonly Bone[]);
    readonly colliders: readonly ChainCollider[];
    /** Of bones, in the world. */
    readonly orientation: Quaternions;
    /** Of bones, of their tails. */
    readonly velocity: Vectors;
    /** Of chains: the head of the first bone, now. */
    readonly position: Vectors;
    /** Of chains: the orientation of what the first bone hangs on, now. */
    readonly parent: Quaternions;
    /** rad and u/s: a chain within both, whose root stood still, stops. Never, if either is 0. */
    restAngle: number;
    restSpeed: number;
    /** Chains whose `awake` is 0 are skipped. Set it to 1 when their root, colliders, bones or forces change. */
    skipAsleep: boolean;
}

/** Chains of spring bones: gyre_bone_chains in gyre/chain.h. `count` is the number of chains. */
export type BoneChains<Values extends BoneChainsValues = { bones: readonly Bone[] }> = BoneChainsMembers &
    Made<Values, 'awake', Uint8Array> &
    Asked<Values, 'bone', Uint16Array> &
    Asked<Values, 'tail' | 'positionBefore' | 'gravity' | 'wind', Vectors> &
    Asked<Values, 'local' | 'rest' | 'parentBefore', Quaternions> &
    Asked<Values, 'scale', Float32Array>;

export interface BodiesValues {
    /** Default: the identity. */
    orientation?: Starts;
    momentum?: Starts;
    /** Default 1 for all. */
    inertia?: Starts;
    torque?: Starts | false;
    orientationLow?: Starts | false;
    momentumLow?: Starts | false;
    torqueInBody?: boolean;
    angularDamping?: number;
}

export type BodyMethod = 'moser-veselov' | 'midpoint' | 'object-trapezoid' | 'trapezoid' | 'explicit-euler';

/** How to step: gyre_body_solver in gyre/body.h. Omitted properties have their defaults. */
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
    /** Bodies with a momentum whose orientation kept every bit in a step: they need low parts. */
    lostTurns: number;
}

interface BodiesMembers extends Batch, BodiesCalls {
    readonly orientation: Quaternions;
    /** kg m^2/s, in the world frame. */
    readonly momentum: Vectors;
    /** Principal moments, kg m^2. */
    readonly inertia: Vectors;
    /** The torque is in the body frame and turns with the body. */
    torqueInBody: boolean;
    /** 1/s: momentum decays by exp(-angularDamping dt). */
    angularDamping: number;
    /** Totals over all steps. Set the properties to 0 to start over. */
    readonly report: BodyReport;

    // Each returns false if it could not process all bodies: one is invalid or reached the limit of sub-steps.
    /** One time step. */
    step(dt: number, solver?: BodySolver, begin?: number, end?: number): boolean;
    /** A step that ignores the torque, for torques that depend on the state: call it between two kicks of dt / 2. */
    drift(dt: number, solver?: BodySolver, begin?: number, end?: number): boolean;
    /** Row-major 3x4 matrices [R | position], one every strideBytes bytes (default 48), for instance buffers. */
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
    /** Get it again after the memory has grown. */
    readonly view: A;
    /** Frees the memory. Its views must not be used afterwards. A second call does nothing. */
    free(): void;
    /** "float32(1000) [1, 2, 3, ...]" */
    toString(): string;
    toJSON(): number[];
}

/** Options for `element.animate`. */
export interface CssLinear {
    /** linear(...) */
    easing: string;
    /** ms */
    duration: number;
}

/** Thrown by a call that fails. Such a call has written nothing. */
export class GyreError extends Error {
    /** 'null': memory is missing or was freed. 'range': something does not fit or is too large. 'value': bad value. */
    readonly code: 'null' | 'range' | 'value';
    /** The gyre_status in gyre/status.h: -1, -2 or -3. */
    readonly status: number;
}

/** WebAssembly.Memory, where the types of the host have it. */
type Memory = typeof globalThis extends { WebAssembly: { Memory: { prototype: infer Type } } }
    ? Type
    : { readonly buffer: ArrayBuffer; grow(pages: number): number };

export interface LoadOptions {
    /** Bytes for arrays. Default 16 MiB. */
    memory?: number;
    /** Whether the memory may grow beyond that. Whenever it does, all views become empty: get them again. */
    growable?: boolean;
}

/**
 * An instance of ui.wasm. Functions have their C names without gyre_, and the same contracts: see gyre/spring.h,
 * particle.h, chain.h and arrays.h. Array arguments are views of Gyre's memory. begin and end default to the whole array. Times
 * are in seconds.
 */
export interface GyreUi extends UiFunctions {
    readonly memory: Memory;
    /** The C functions, under their own names and without checks. */
    readonly exports: { readonly [name: string]: (...values: number[]) => number };
    /** The version of the C library: "0.1.0". */
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
    boneChains<const Values extends BoneChainsValues>(count: number, values: Values): BoneChains<Values>;

    /**
     * The spring's motion from 0 to 1 as a CSS easing that is never further from it than the tolerance. No easing of
     * that duration with fewer points is within 31/32 of the tolerance. velocity is the initial velocity, where 1 is
     * the whole distance per second.
     */
    cssLinear(spring: Spring, tolerance: number, options?: { velocity?: number }): CssLinear;

    /** "gyre 0.1.0 { memory: 16842752, used: 40960 }", in bytes. */
    toString(): string;
    toJSON(): { version: string; memory: number; used: number };
}

/**
 * An instance of gyre.wasm, which also has rigid bodies, rotations and elementary functions: gyre/body.h, rotation.h
 * and math.h.
 */
export interface Gyre extends GyreUi, OtherFunctions {
    bodies<const Values extends BodiesValues = {}>(count: number, values?: Values): Bodies<Values>;
}

/**
 * Writes the positions of springs to plain objects: sprites[i].x and .y, where the spring in x or that in y is awake.
 * Call it after every step: what a step has moved is awake after it. Before the first step all springs are awake, and it
 * writes all objects. Returns the number of objects written.
 */
export function apply(
    x: { position: Float32Array; awake: Uint8Array },
    y: { position: Float32Array; awake: Uint8Array },
    sprites: readonly { x: number; y: number }[],
): number;
