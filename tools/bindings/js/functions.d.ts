// Made by tools/interface/generate.py: what the headers say of each function.
import type { Bone, Matrices, ParticleMatrix, Quaternions, Spring, SpringMatrix, Vectors } from './types.js';

export interface UiFunctions {
    /** Makes a spring from a mass, a stiffness and a damping. */
    springFromStiffness(mass: number, stiffness: number, damping: number): Required<Spring>;
    /** Makes a spring from its undamped period and its damping ratio, as in UIKit and SwiftUI. */
    springFromResponse(response: number, dampingRatio: number): Required<Spring>;
    /** Makes a spring from a duration and a bounce, as in SwiftUI and Flutter. */
    springFromDuration(duration: number, bounce: number): Required<Spring>;
    /** Makes a spring from its half-life and its damping ratio. */
    springFromHalfLife(halfLife: number, dampingRatio: number): Required<Spring>;
    /** Makes a spring from its settling time and its damping ratio. */
    springFromSettling(settling: number, dampingRatio: number, fraction: number): Required<Spring>;
    /** Computes the stiffness and the damping of a spring on a given mass. */
    springToStiffness(spring: Spring, mass: number): { stiffness: number; damping: number };
    /** Computes the undamped period of a spring. */
    springToResponse(spring: Spring): number;
    /** Computes the duration and the bounce of a spring. */
    springToDuration(spring: Spring): { duration: number; bounce: number };
    /** Finds the time from which a spring stays within a tolerance of its target. */
    springSettlingTime(spring: Spring, displacement: number, velocity: number, tolerance: number): number;
    /** Finds when and where a spring turns for the first time, that is, where its velocity is 0 next. */
    springPeak(spring: Spring, displacement: number, velocity: number): { time: number; peak: number };
    /** Computes the matrix that advances a spring by a time step. */
    springMatrixAt(spring: Spring, dt: number): SpringMatrix;
    /** Computes the matrix of first-order smoothing for a time step. */
    smoothingMatrixAt(halfLife: number, dt: number): SpringMatrix;
    /**
     * Computes targets that keep springs from going faster than a greatest speed, like maxSpeed of Unity's SmoothDamp.
     */
    limitTargets(
        position: readonly Float32Array[],
        velocity: readonly Float32Array[],
        targetBefore: readonly Float32Array[],
        target: readonly Float32Array[],
        spring: Spring,
        maxSpeed: number,
        dt: number,
        targetBeforeOut: readonly Float32Array[],
        targetOut: readonly Float32Array[],
        begin?: number,
        end?: number,
    ): void;
    /** Computes the damping that leaves `fraction` of a velocity after interval seconds. */
    dampingFromRetention(fraction: number, interval: number): number;
    /** Computes the damping that halves a velocity every halfLife seconds. */
    dampingFromHalfLife(halfLife: number): number;
    /** Computes the matrix of a damping for a time step of dt seconds. */
    particleMatrixAt(damping: number, dt: number): ParticleMatrix;
    /** Slows moving vectors down at a constant rate until they stop, as brakes and dry friction do. */
    decelerate(
        position: readonly Float32Array[],
        velocity: readonly Float32Array[],
        deceleration: number,
        dt: number,
        begin?: number,
        end?: number,
    ): void;
    /** Computes where a particle comes to rest. */
    dampingRestPosition(position: number, velocity: number, damping: number): number;
    /** Computes the velocity with which a particle comes to rest at `where`. */
    dampingVelocityToRestAt(position: number, where: number, damping: number): number;
    /** Computes when a particle has slowed down to `speed`. */
    dampingTimeToSpeed(velocity: number, damping: number, speed: number): number;
    /** Computes when a particle passes `where`. */
    dampingTimeToPosition(position: number, velocity: number, damping: number, where: number): number;
    /** Computes how far beyond an edge a finger drags content, as in UIScrollView. */
    rubberBandOffset(distance: number, dimension: number, coefficient: number): number;
    /** Computes how far a finger must move to drag content to an offset beyond an edge. */
    rubberBandDistance(offset: number, dimension: number, coefficient: number): number;
    /** Makes a bone follow a spring. */
    boneFromSpring(spring: Spring, bone?: Bone): Required<Bone>;
    /** Makes a bone move like one of VRM (VRMC_springBone 1.0) that is stepped `rate` times a second, in VRM 60. */
    boneFromVrm(
        stiffness: number,
        dragForce: number,
        gravityPower: number,
        length: number,
        rate: number,
        bone?: Bone,
    ): Required<Bone>;
    /** Copies floats out of an array of structures into arrays of floats. */
    gather(from: Float32Array, strideBytes: number, to: readonly Float32Array[], begin?: number, end?: number): void;
    /** Copies arrays of floats into an array of structures. */
    scatter(from: readonly Float32Array[], to: Float32Array, strideBytes: number, begin?: number, end?: number): void;
    /** Interpolates between the states before and after a step, for rendering at part of the step. */
    interpolate(
        before: Float32Array,
        now: Float32Array,
        part: number,
        out: Float32Array,
        begin?: number,
        end?: number,
    ): void;
    /** Shortens vectors to at most a given length, such as a maximum speed, force or distance. */
    limitLength(v: readonly Float32Array[], longest: number, begin?: number, end?: number): void;
    /** Lists the indices of awake elements in ascending order, for work on few elements of many. */
    findAwake(awake: Uint8Array, indices: Uint32Array, begin?: number, end?: number): number;
    /**
     * Moves targets of angles (or of anything else periodic) by whole periods to within half a period of their
     * positions.
     */
    turnTargets(target: Float32Array, position: Float32Array, period: number, begin?: number, end?: number): void;
    /** Hashes the floats of a state, to compare states in lockstep, rollback and replays. */
    hash(arrays: readonly Float32Array[], begin?: number, end?: number): bigint;
    /** Hashes bytes, such as the flags of what is awake. */
    hashBytes(bytes: Uint8Array, begin?: number, end?: number): bigint;
}

export interface OtherFunctions {
    /** Computes the rotation matrices R(v) of rotation vectors, row-major. */
    rotationMatrix(v: Vectors, r: Matrices, begin?: number, end?: number): void;
    /** Computes the left Jacobians T(v) of SO(3) of rotation vectors, row-major. */
    rotationLeftJacobian(v: Vectors, t: Matrices, begin?: number, end?: number): void;
    /** Computes the unit quaternions of rotation vectors, in the order x y z w. */
    rotationQuaternion(v: Vectors, q: Quaternions, begin?: number, end?: number): void;
    /** Computes the rotation vectors of quaternions, the short way round. */
    rotationVector(q: Quaternions, v: Vectors, begin?: number, end?: number): void;
    /** Multiplies quaternions. */
    rotationProduct(a: Quaternions, b: Quaternions, out: Quaternions, begin?: number, end?: number): void;
    /** Interpolates between unit quaternions a and b, the short way round (slerp). */
    rotationBetween(a: Quaternions, b: Quaternions, part: number, out: Quaternions, begin?: number, end?: number): void;
    /** Turns vectors by unit quaternions. */
    rotationApply(q: Quaternions, v: Vectors, out: Vectors, begin?: number, end?: number): void;
    /** Computes the principal moments and axes of an inertia tensor. */
    inertiaPrincipal(tensor: ArrayLike<number>): { moments: Float32Array; axes: Float32Array };
    /** Checks whether a mass can have an inertia tensor. */
    inertiaCheck(tensor: ArrayLike<number>): 'fine' | 'not-finite' | 'negative' | 'thin' | 'impossible';
    /** Finds the nearest FINE tensor, with the same axes, and how impossible the given one is. */
    inertiaNearest(tensor: ArrayLike<number>): { nearest: Float32Array; excess: number };
    /** Computes e^x. */
    exp(x: Float32Array, y: Float32Array): void;
    /** Computes e^x - 1, accurately near 0. */
    expm1(x: Float32Array, y: Float32Array): void;
    /** Computes the natural logarithm. */
    log(x: Float32Array, y: Float32Array): void;
    /** Computes the sine of an angle in radians. */
    sin(x: Float32Array, y: Float32Array): void;
    /** Computes the cosine of an angle in radians. */
    cos(x: Float32Array, y: Float32Array): void;
    /** Computes the sine and the cosine of an angle in radians, with the same bits as gyreSin and gyreCos. */
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
    /** Evaluates springs at any time after a given start, for animations that are functions of time. */
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
    /** Advances particles begin..end-1 by one time step of dt seconds, each with its own damping. */
    stepEach(
        parameters: { damping: Float32Array; timeScale?: Float32Array | null },
        dt: number,
        begin?: number,
        end?: number,
    ): void;
}

export interface FlingsCalls {
    /** Advances flings begin..end-1 by dt seconds. */
    step(dt: number, begin?: number, end?: number): void;
}

export interface BoneChainsCalls {
    /** Advances chains of bones by one time step of dt seconds, at least 0 and never too long. */
    step(dt: number, begin?: number, end?: number): boolean;
    /** Puts each bone where it rests, for first frames and jumps of the root. */
    reset(dt: number, begin?: number, end?: number): boolean;
}

export interface BodiesCalls {
    /** Adds torque times dt to the momentum of bodies begin..end-1, for torques that depend on the state. */
    kick(dt: number, begin?: number, end?: number): boolean;
    /** Computes the kinetic energy E = M . I^-1 M / 2 of bodies begin..end-1. */
    energy(energy: Float32Array, begin?: number, end?: number): boolean;
    /** Computes the angular velocity of bodies begin..end-1 in the world. */
    angularVelocity(omega: Vectors, begin?: number, end?: number): boolean;
    /** Sets the momentum of bodies begin..end-1 to that of an angular velocity in the world, R(q) I R(q)^T omega. */
    setAngularVelocity(omega: Vectors, begin?: number, end?: number): boolean;
}
