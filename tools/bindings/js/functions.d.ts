// Made by tools/interface/generate.py: what the headers say of each function.
import type { Matrices, ParticleMatrix, Quaternions, Spring, SpringMatrix, Vectors } from './types.js';

export interface UiFunctions {
    /** From a mass on a spring. */
    springFromStiffness(mass: number, stiffness: number, damping: number): Required<Spring>;
    /** From the period without damping, as in UIKit and SwiftUI. */
    springFromResponse(response: number, dampingRatio: number): Required<Spring>;
    /** From duration and bounce, as in SwiftUI and Flutter. */
    springFromDuration(duration: number, bounce: number): Required<Spring>;
    /** From the half-life. */
    springFromHalfLife(halfLife: number, dampingRatio: number): Required<Spring>;
    /** From the settling time. */
    springFromSettling(settling: number, dampingRatio: number, fraction: number): Required<Spring>;
    /** Stiffness and damping for a mass. */
    springToStiffness(spring: Spring, mass: number): { stiffness: number; damping: number };
    /** The period without damping. */
    springToResponse(spring: Spring): number;
    /** Duration and bounce. */
    springToDuration(spring: Spring): { duration: number; bounce: number };
    /** Finds the last moment at which a spring is further from its target than a tolerance. */
    springSettlingTime(spring: Spring, displacement: number, velocity: number, tolerance: number): number;
    /** Finds the first turning point after the start. */
    springPeak(spring: Spring, displacement: number, velocity: number): { time: number; peak: number };
    /** Computes the matrix of a spring for a time step. */
    springMatrixAt(spring: Spring, dt: number): SpringMatrix;
    /** Computes the matrix of first-order smoothing. */
    smoothingMatrixAt(halfLife: number, dt: number): SpringMatrix;
    /** The damping that leaves `fraction` of a velocity after interval seconds. */
    dampingFromRetention(fraction: number, interval: number): number;
    /** The damping that halves a velocity every halfLife seconds. */
    dampingFromHalfLife(halfLife: number): number;
    /** The matrix of a damping for dt seconds. */
    particleMatrixAt(damping: number, dt: number): ParticleMatrix;
    /** Where a particle comes to rest. */
    dampingRestPosition(position: number, velocity: number, damping: number): number;
    /** The velocity with which a particle comes to rest at `where`. */
    dampingVelocityToRestAt(position: number, where: number, damping: number): number;
    /** When a particle is as slow as `speed`, at least 0. */
    dampingTimeToSpeed(velocity: number, damping: number, speed: number): number;
    /** When a particle passes `where`. */
    dampingTimeToPosition(position: number, velocity: number, damping: number, where: number): number;
    /** Copies floats out of an array of structures into arrays of floats. */
    gather(from: Float32Array, strideBytes: number, to: readonly Float32Array[], begin?: number, end?: number): void;
    /** Copies arrays of floats back into an array of structures. */
    scatter(from: readonly Float32Array[], to: Float32Array, strideBytes: number, begin?: number, end?: number): void;
    /** States between those before and after a step, for rendering at part of it. */
    interpolate(
        before: Float32Array,
        now: Float32Array,
        part: number,
        out: Float32Array,
        begin?: number,
        end?: number,
    ): void;
    /** Shortens vectors to a length. */
    limitLength(v: readonly Float32Array[], longest: number, begin?: number, end?: number): void;
    /** Lists what is awake, for work on few elements of many. */
    findAwake(awake: Uint8Array, indices: Uint32Array, begin?: number, end?: number): number;
    /** Turns targets of angles, or of anything else with a period, to their nearest equals. */
    turnTargets(target: Float32Array, position: Float32Array, period: number, begin?: number, end?: number): void;
    /** A hash of states, for lockstep, rollback and replays. */
    hash(arrays: readonly Float32Array[], begin?: number, end?: number): bigint;
    /** A hash of bytes, for the flags of what is awake. */
    hashBytes(bytes: Uint8Array, begin?: number, end?: number): bigint;
}

export interface OtherFunctions {
    /** Rotation matrices R(v), row-major. */
    rotationMatrix(v: Vectors, r: Matrices, begin?: number, end?: number): void;
    /** Left Jacobians T(v) of SO(3), row-major. */
    rotationLeftJacobian(v: Vectors, t: Matrices, begin?: number, end?: number): void;
    /** Unit quaternions of R(v), in the order x y z w. */
    rotationQuaternion(v: Vectors, q: Quaternions, begin?: number, end?: number): void;
    /** Rotation vectors of quaternions, the short way. */
    rotationVector(q: Quaternions, v: Vectors, begin?: number, end?: number): void;
    /** Products of quaternions. */
    rotationProduct(a: Quaternions, b: Quaternions, out: Quaternions, begin?: number, end?: number): void;
    /** Unit quaternions on the way from a to b, the short way, at the given part of it. */
    rotationBetween(a: Quaternions, b: Quaternions, part: number, out: Quaternions, begin?: number, end?: number): void;
    /** Principal moments and axes of an inertia tensor, by Jacobi's rotations in double. */
    inertiaPrincipal(tensor: ArrayLike<number>): { moments: Float32Array; axes: Float32Array };
    /** Tells of an inertia tensor whether a mass can have it. */
    inertiaCheck(tensor: ArrayLike<number>): 'fine' | 'not-finite' | 'negative' | 'thin' | 'impossible';
    /** e^x. */
    exp(x: Float32Array, y: Float32Array): void;
    /** e^x - 1, accurate near 0. */
    expm1(x: Float32Array, y: Float32Array): void;
    /** The natural logarithm. */
    log(x: Float32Array, y: Float32Array): void;
    /** The sine of an angle in radians. */
    sin(x: Float32Array, y: Float32Array): void;
    /** The cosine of an angle in radians. */
    cos(x: Float32Array, y: Float32Array): void;
    /** sin[i] and cos[i] of x[i], the same bits as gyreSin and gyreCos. */
    sincos(x: Float32Array, sin: Float32Array, cos: Float32Array): void;
}

export interface SpringsCalls {
    /** Advances springs by one time step, all with the same matrix. */
    step(matrix: ArrayLike<number>, begin?: number, end?: number): void;
    /** Advances springs by one time step, each with one matrix of a palette. */
    stepPalette(palette: Float32Array, index: Uint16Array, begin?: number, end?: number): boolean;
    /** Advances springs by one time step, each with parameters of its own. */
    stepEach(
        parameters: { angularFrequency: Float32Array; dampingRatio: Float32Array; follow?: Float32Array | null; timeScale?: Float32Array | null },
        dt: number,
        begin?: number,
        end?: number,
    ): void;
    /** Evaluates springs instead of stepping them, for animations that are functions of time. */
    at(
        spring: Spring,
        elapsed: Float32Array,
        positionOut: Float32Array,
        velocityOut: Float32Array,
        begin?: number,
        end?: number,
    ): void;
}

export interface OrientationSpringsCalls {
    /** Advances springs on rotations by one time step, all with the same matrix. */
    step(matrix: ArrayLike<number>, dt: number, begin?: number, end?: number): void;
}

export interface ParticlesCalls {
    /** Advances particles begin..end-1 by one time step, all with the same matrix. */
    step(matrix: ArrayLike<number>, begin?: number, end?: number): void;
    /** Advances particles begin..end-1 by one time step, each with a damping of its own. */
    stepEach(
        parameters: { damping: Float32Array; timeScale?: Float32Array | null },
        dt: number,
        begin?: number,
        end?: number,
    ): void;
}

export interface FlingsCalls {
    /** Advances flings begin..end-1 by dt. */
    step(dt: number, begin?: number, end?: number): void;
}

export interface BodiesCalls {
    /** Adds what a torque does to the momentum in dt. */
    kick(dt: number, begin?: number, end?: number): boolean;
    /** Kinetic energy E = M . I^-1 M / 2. */
    energy(energy: Float32Array, begin?: number, end?: number): boolean;
    /** Angular velocity in the world. */
    angularVelocity(omega: Vectors, begin?: number, end?: number): boolean;
    /** Gives bodies an angular velocity in the world. */
    setAngularVelocity(omega: Vectors, begin?: number, end?: number): boolean;
}
