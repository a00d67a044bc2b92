// Uses of the package that tsc --strict must accept, with the types of any host or none. It must refuse each line after
// one with @ts-expect-error.
import {
    apply,
    GyreError,
    load,
    type BodySolver,
    type Bone,
    type BoneChains,
    type Quaternions,
    type Spring,
    type Springs,
} from 'gyre';
import { load as loadFrom, loadUi } from 'gyre/core';
import { SpringBones, type SpringCharacter } from 'gyre/three';
import { load as loadSmall, type GyreUi } from 'gyre/ui';

export async function use(bytes: Uint8Array): Promise<unknown> {
    const gyre = await load({ memory: 1 << 20, growable: true });
    const spring: Spring = gyre.springFromResponse(0.5, 0.8);
    const matrix: Float32Array = gyre.springMatrixAt(spring, 1 / 60);

    const springs = gyre.springs(10, { target: [1, 2, 3], lower: true, restSpeed: 0.5, skipAsleep: true });
    springs.step(matrix, 0, 5);
    const position: Float32Array = springs.position;
    const lower: Float32Array = springs.lower;
    const none: null = springs.upper;
    const awake: Uint8Array = springs.awake;
    springs.restSpeed = 1;
    const complete: boolean = springs.stepPalette(gyre.float32(16).view, gyre.uint16(10).view);
    springs.stepEach({ angularFrequency: position, dampingRatio: position }, 1 / 60);
    // @ts-expect-error
    springs.upper[0] = 1;
    // @ts-expect-error
    springs.position = position;
    // @ts-expect-error
    gyre.springs(10, { taget: true });
    // @ts-expect-error
    gyre.springs(10, { position: false });
    // @ts-expect-error
    springs.stepEach({ dampingRatio: position }, 1 / 60);
    // @ts-expect-error
    springs.step();

    const plain: Springs = gyre.springs(3);
    const target: Float32Array = plain.target;
    const noTarget: null = gyre.springs(3, { target: false }).target;

    const [x, , , w] = gyre.orientationSprings(3, { restAngle: 0.01 }).orientation;
    const particles = gyre.particles(3, { acceleration: 9.81 });
    particles.acceleration.fill(1);
    particles.stepEach({ damping: x, timeScale: null }, 1 / 60);
    const flings = gyre.flings(3, { spring, damping: 2, upper: [1, 2, 3] });
    flings.upper[0] = flings.spring.follow;
    flings.spring = { ...flings.spring, follow: 1 };
    // @ts-expect-error
    flings.spring.follow = 1;
    const precise = gyre.flings(3, { positionLow: true, velocityLow: true, restAt: NaN });
    [precise.positionLow, precise.velocityLow, precise.restAt].forEach((array) => array.fill(0));
    // @ts-expect-error
    flings.restAt[0] = 1;
    flings.step(1 / 60);

    const hair: Bone = gyre.boneFromVrm(1, 0.4, 0, 0.1, 60, { tail: [0, -0.1, 0], radius: 0.01 });
    const chains = gyre.boneChains(3, {
        bones: [hair, { ...hair, limit: 0.5 }],
        levels: [2, 2, 1],
        local: true,
        gravity: [0, -9.81, 0],
        colliders: [
            { position: [0, [1, 2, 3], 0], radius: 0.1 },
            { kind: 'plane', end: [0, 1, 0] },
        ],
    });
    const locals: Quaternions = chains.local;
    const noTails: null = chains.tail;
    const begin: number | undefined = chains.levelBegin[chains.levels];
    chains.bones = chains.bones.map((bone) => ({ ...bone, radius: 2 * bone.radius }));
    // @ts-expect-error
    chains.bones[0]!.radius = 1;
    chains.colliders[0]?.position[1].fill(1);
    const moved: boolean = chains.reset(0) && chains.step(1 / 60, 0, 2);
    const crowd: BoneChains = gyre.boneChains(1000, { bones: [hair] });
    crowd.awake[0] = 1;
    // @ts-expect-error
    gyre.boneChains(3);
    // @ts-expect-error
    gyre.boneChains(3, { bones: [hair], colliders: [{ kind: 'box' }] });
    // @ts-expect-error
    crowd.wind[0];
    // @ts-expect-error
    chains.colliders[0]?.free();

    const characters: SpringCharacter[] = [{ joints: new Set() }];
    const springBones = new SpringBones(gyre);
    characters.forEach((character) => springBones.add(character));
    springBones.update(1 / 60);
    springBones.reset();
    springBones.teleport(characters[0]);
    // @ts-expect-error
    springBones.add({ bones: [] });

    const solver: BodySolver = { method: 'midpoint', substeps: 2 };
    const bodies = gyre.bodies(3, { inertia: [1, 2, w], torque: true });
    bodies.torque[2].fill(1);
    const lost: number = bodies.step(1 / 60, solver) ? 0 : bodies.report.unconverged;
    bodies.transforms(gyre.float32(36).view, { x });
    // @ts-expect-error
    bodies.step(1 / 60, { method: 'euler' });
    // @ts-expect-error
    bodies.momentumLow[0];

    gyre.rotationQuaternion([x, x, x], bodies.orientation);
    // @ts-expect-error
    gyre.rotationQuaternion([x, x], bodies.orientation);
    const hash: bigint = gyre.hash([x, w]);
    const kind: 'fine' | 'not-finite' | 'negative' | 'thin' | 'impossible' = gyre.inertiaCheck([1, 2, 3, 0, 0, 0]);
    const sprites = [{ x: 0, y: 0, name: 'first' }];
    const written: number = apply(springs, plain, sprites);
    const { easing, duration } = gyre.cssLinear(spring, 0.01, { velocity: 2 });
    const texts: string = `${gyre} ${springs} ${springBones} ${gyre.float32(3)}`;
    const { count } = springs.toJSON();
    const [buffer, found]: [ArrayBufferLike, number | undefined] = [
        gyre.memory.buffer,
        gyre.exports['gyre_version']?.(),
    ];

    const small: GyreUi = await loadSmall();
    // @ts-expect-error
    small.bodies(3);
    small.boneChains(1, { bones: [small.boneFromSpring(spring)] }).free();
    (await loadUi(bytes)).flings(3).free();
    (await loadUi(Promise.resolve(new ArrayBuffer(8)))).flings(3).free();
    (await loadFrom('gyre.wasm')).bodies(3).free();
    // @ts-expect-error
    await loadFrom();
    // @ts-expect-error
    await load({ memry: 3 });

    try {
        springs.step(matrix);
    } catch (error) {
        if (error instanceof GyreError && error.code === 'range') {
            return [error.status, error.message];
        }
    }
    return [
        ...[complete, lower, none, awake, target, noTarget, hash, kind, written, locals, noTails, begin, moved, lost],
        ...[easing, duration, texts, count, buffer, found],
    ];
}
