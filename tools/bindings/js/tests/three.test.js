// SpringBones beside VRMSpringBoneManager, on equal skeletons.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import {
    VRMSpringBoneCollider,
    VRMSpringBoneColliderShapeCapsule,
    VRMSpringBoneColliderShapePlane,
    VRMSpringBoneColliderShapeSphere,
    VRMSpringBoneJoint,
    VRMSpringBoneManager,
} from '@pixiv/three-vrm-springbone';
import { GyreError, load } from 'gyre/ui';
import { SpringBones } from 'gyre/three';
import * as THREE from 'three';

const gyre = await load({ growable: true });
const LENGTH = 0.1; // m, of bones
const DEGREES = 180 / Math.PI;
const vector = (x, y, z) => new THREE.Vector3(x, y, z);
const nodeAt = (parent, x, y, z) => {
    const node = new THREE.Object3D();
    node.position.set(x, y, z);
    parent.add(node);
    return node;
};

/** Joints for nodes, of which each has the next one as its child. */
const addJoints = (manager, nodes, settings, colliderGroups, center = null) =>
    nodes.slice(0, -1).forEach((node, i) => {
        const joint = new VRMSpringBoneJoint(node, nodes[i + 1], settings, colliderGroups);
        joint.center = center;
        manager.addJoint(joint);
    });

/** A head with a chain of `count` bones. `colliders` are added to the scene, `prepare` changes it before that. */
const characterOf = (count, settings = {}, { colliders = [], hasCenter = false, prepare } = {}) => {
    const scene = new THREE.Object3D();
    const head = nodeAt(scene, 0, 0, 0);
    const nodes = [nodeAt(head, 0, 0, 0)];
    for (let i = 0; i < count; i++) {
        nodes.push(nodeAt(nodes[i], 0, -LENGTH, 0));
    }
    prepare?.(scene, nodes);
    const groups = [{ colliders: colliders.map((shape) => new VRMSpringBoneCollider(shape)) }];
    groups[0].colliders.forEach((collider) => scene.add(collider));
    scene.updateMatrixWorld(true);
    const manager = new VRMSpringBoneManager();
    addJoints(manager, nodes, settings, groups, hasCenter ? scene : null);
    manager.setInitState();
    return { scene, head, nodes, manager, colliders: groups[0].colliders };
};

const worldTurn = (node) => node.getWorldQuaternion(new THREE.Quaternion());
const worldPlace = (node) => node.getWorldPosition(vector(0, 0, 0));

/** What `observe` sees of a character in each frame. */
const watch = (character, update, move, { rate = 60, seconds = 2, observe } = {}) => {
    observe ??= ({ nodes }) => worldTurn(nodes.at(-2)); // the last bone
    return Array.from({ length: rate * seconds }, (_, i) => {
        move?.(character, (i + 1) / rate);
        update(1 / rate);
        character.scene.updateMatrixWorld();
        return observe(character);
    });
};

const theirs = (character, move, options) => watch(character, (dt) => character.manager.update(dt), move, options);

const ours = (character, move, options) => {
    const springBones = new SpringBones(gyre);
    springBones.add(character.manager);
    const seen = watch(character, (dt) => springBones.update(dt), move, options);
    springBones.free();
    return seen;
};

/**
 * three-vrm measures bones from where their heads are to where their tails were, so bones stretch while they move. This
 * gives them their true lengths.
 */
const unstretched = (character) => {
    for (const joint of character.manager.joints) {
        joint._calcWorldSpaceBoneLength = () => {
            joint._worldSpaceBoneLength = LENGTH;
        };
    }
    return character;
};

/** The root mean square of the angles between two lists of turns, in degrees, in the second half of the time. */
const differenceOf = (a, b) => {
    const squares = a.map((turn, i) => turn.angleTo(b[i]) ** 2).slice(a.length / 2);
    return DEGREES * Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / squares.length);
};

const swing =
    (amplitude, frequency) =>
    ({ head }, t) => {
        head.position.x = amplitude * Math.sin(2 * Math.PI * frequency * t);
    };
const turn =
    (angle, frequency) =>
    ({ head }, t) => {
        head.rotation.z = angle * Math.sin(2 * Math.PI * frequency * t);
    };
const walk = (character, t) => {
    swing(0.05, 1.5)(character, t);
    turn(0.3, 1)(character, t);
};

// Degrees: one bone, chains of five, and these beside bones that stretch.
for (const { name, move, one, five, stretching, settings } of [
    { name: 'a head that swings', move: swing(0.05, 1.5), one: 0.25, five: 2.2, stretching: 3.2 },
    { name: 'a head that shakes', move: swing(0.02, 4), one: 0.5, five: 8.5, stretching: 9.5 },
    { name: 'a head that swings far', move: swing(0.2, 1), one: 0.4, five: 2.8, stretching: 7.5 },
    { name: 'a head that turns', move: turn(Math.PI / 4, 1), one: 0.25, five: 1.8, stretching: 5 },
    { name: 'a walk', move: walk, one: 0.2, five: 1.3, stretching: 1.3, settings: { gravityPower: 0.2 } },
]) {
    test(`three: ${name}, as with three-vrm at 60 Hz`, () => {
        const make = (count) => characterOf(count, settings);
        const limits = [
            [theirs(make(1), move), ours(make(1), move), one],
            [theirs(unstretched(make(5)), move), ours(make(5), move), five],
            [theirs(make(5), move), ours(make(5), move), stretching],
        ];
        for (const [wanted, got, allowed] of limits) {
            const moved = differenceOf(
                got,
                got.map(() => got.at(-1)),
            );
            assert.ok(moved > 3, `it hardly moves: ${moved} degrees`);
            assert.ok(differenceOf(wanted, got) < allowed, `${differenceOf(wanted, got)} degrees, not ${allowed}`);
        }
    });
}

test('three: let go, as with three-vrm', () => {
    const pulled = { gravityPower: 0.6, gravityDir: vector(1, 0, 0) }; // to 31 degrees
    const [a, b] = [characterOf(1, pulled), characterOf(1, pulled)];
    const letGo = (manager) => {
        for (const { settings } of manager.joints) {
            settings.gravityPower = 0;
        }
    };
    theirs(a, null, { seconds: 4 });
    letGo(a.manager);
    const wanted = theirs(a, null, { seconds: 1 });
    const springBones = new SpringBones(gyre);
    springBones.add(b.manager);
    const update = (dt) => springBones.update(dt);
    const [first] = watch(b, update);
    assert.ok(DEGREES * first.angleTo(new THREE.Quaternion()) > 30); // it hangs from the first frame on
    letGo(b.manager);
    springBones.add(b.manager); // reads the settings again
    update(0.5 / 60); // three-vrm begins with half a frame
    const got = watch(b, update, null, { seconds: 1 });
    wanted.forEach((each, i) => assert.ok(DEGREES * each.angleTo(got[i]) < 1.5, `${i}`));
    springBones.free();
});

test('three: the same motion at every rate', () => {
    const at = (by, rate) => by(characterOf(5), swing(0.05, 1.5), { rate });
    const every = (turns, n) => turns.filter((_, i) => (i + 1) % n === 0);
    assert.ok(differenceOf(at(ours, 30), every(at(ours, 960), 32)) < 2.5);
    assert.ok(differenceOf(at(ours, 144), every(at(ours, 1008), 7)) < 0.12);
    assert.ok(differenceOf(at(theirs, 30), every(at(theirs, 960), 32)) > 15);
});

const sphere = (x, y, z, radius, inside = false) =>
    new VRMSpringBoneColliderShapeSphere({ offset: vector(x, y, z), radius, inside });
const HIT = 0.01;
/** How deep a tail is in a collider, by the shape's own function. */
const depthIn = (collider, tail) =>
    -collider.shape.calculateCollision(collider.colliderMatrix, worldPlace(tail), HIT, vector(0, 0, 0));

for (const { name, shape, bones = 1, off = 3 } of [
    // degrees: three-vrm lets tails into colliders by 1 to 7 mm
    { name: 'a sphere', shape: sphere(0.115, -0.01, 0, 0.06) },
    {
        name: 'a capsule',
        shape: new VRMSpringBoneColliderShapeCapsule({
            offset: vector(0.115, -0.01, -0.3),
            tail: vector(0.115, -0.01, 0.2),
            radius: 0.06,
        }),
    },
    {
        name: 'a plane',
        shape: new VRMSpringBoneColliderShapePlane({ offset: vector(0.05, 0, 0), normal: vector(-1, 0, 0) }),
    },
    { name: 'the inside of a sphere', shape: sphere(-0.02, -0.05, 0, 0.09, true), off: 8 },
    {
        name: 'the inside of a capsule',
        shape: new VRMSpringBoneColliderShapeCapsule({
            offset: vector(-0.02, -0.05, -0.3),
            tail: vector(-0.02, -0.05, 0.3),
            radius: 0.09,
            inside: true,
        }),
        off: 8,
    },
    { name: 'a sphere, as a chain', shape: sphere(0.3, 0.05, 0, 0.25), bones: 4 },
]) {
    test(`three: tails rest on ${name}, as with three-vrm, and are never within`, () => {
        const settings = { gravityPower: 0.9, gravityDir: vector(1, 0, 0), hitRadius: HIT, stiffness: 0.5 };
        // Both the collider's node and what it hangs on are turned, moved and scaled.
        const make = () => {
            const character = characterOf(bones, settings, { colliders: [shape] });
            const [collider] = character.colliders;
            const matrix = new THREE.Matrix4().copy(collider.matrixWorld);
            const carrier = nodeAt(character.scene, 0.3, 0.1, -0.2);
            carrier.rotation.set(0.4, 0.5, 0.6);
            carrier.scale.setScalar(2);
            carrier.updateMatrixWorld(true);
            carrier.add(collider);
            matrix.premultiply(carrier.matrixWorld.clone().invert());
            matrix.decompose(collider.position, collider.quaternion, collider.scale);
            return character;
        };
        const observe = ({ nodes, colliders }) => {
            colliders[0].updateWorldMatrix(true, false);
            const depths = nodes.slice(1).map((tail) => depthIn(colliders[0], tail));
            return { turn: worldTurn(nodes.at(-2)), depth: Math.max(...depths) };
        };
        const sway = swing(0.01, 2);
        const options = { seconds: 4, observe };
        const still = (character, t) => (t < 2 ? sway(character, t) : null);
        const [wanted, got] = [theirs(make(), still, options), ours(make(), still, options)];
        const free = ours(characterOf(bones, settings), still);
        assert.ok(DEGREES * free.at(-1).angleTo(got.at(-1).turn) > 8, 'the collider does not matter');
        const between = DEGREES * wanted.at(-1).turn.angleTo(got.at(-1).turn);
        assert.ok(between < off, `${between} degrees`);
        assert.ok(Math.max(...got.map(({ depth }) => depth)) < 2e-6);
    });
}

test('three: nodes between joints, and rest rotations', () => {
    // A joint, a node that is none, and another joint, beside the same bones without it.
    const between = characterOf(
        3,
        {},
        {
            prepare: (scene, nodes) => {
                const [, second, third] = nodes;
                second.rotation.set(0.2, 0.3, -0.4);
                const node = nodeAt(second, 0.02, -0.05, 0.01);
                node.rotation.set(0.5, -0.3, 0.2);
                node.add(third);
                third.position.set(0.01, -0.05, 0.02);
            },
        },
    );
    const direct = characterOf(
        3,
        {},
        {
            prepare: (scene, nodes) => {
                const [, second, third] = nodes;
                second.rotation.set(0.2, 0.3, -0.4);
                const node = new THREE.Object3D();
                node.position.set(0.02, -0.05, 0.01);
                node.rotation.set(0.5, -0.3, 0.2);
                const at = vector(0.01, -0.05, 0.02).applyQuaternion(node.quaternion).add(node.position);
                third.position.copy(at);
                third.quaternion.copy(node.quaternion);
            },
        },
    );
    const observe = ({ nodes }) => worldPlace(nodes.at(-1));
    const [a, b] = [between, direct].map((each) => ours(each, walk, { observe }));
    a.forEach((place, i) => assert.ok(place.distanceTo(b[i]) < 2e-6, `${i}: ${place.distanceTo(b[i])}`));
    const rest = characterOf(1).nodes[0].quaternion; // without forces nothing turns
    assert.ok(ours(characterOf(1))[0].angleTo(rest) < 1e-6);
});

test('three: scales of nodes', () => {
    const scaled = () =>
        characterOf(
            5,
            {},
            {
                prepare: (scene, nodes) => {
                    scene.scale.setScalar(2);
                    nodes.slice(1).forEach((node) => node.position.multiplyScalar(0.5));
                },
            },
        );
    const move = (character, t) => swing(character.scene.scale.x === 2 ? 0.025 : 0.05, 1.5)(character, t);
    assert.ok(differenceOf(ours(scaled(), move), ours(characterOf(5), move)) < 1e-3);
    assert.ok(differenceOf(ours(scaled(), move), theirs(scaled(), move)) < 3.2);
});

test('three: in the frame of a center its motion does not matter', () => {
    const travel = ({ scene }, t) => {
        scene.position.set(5 * t, 0, 3 * Math.sin(4 * t));
        scene.rotation.y = 2 * t;
    };
    const observe = ({ nodes }) => nodes.map((node) => node.quaternion.clone());
    const settings = { gravityPower: 0.3 };
    const both = (character, t) => {
        travel(character, t);
        walk(character, t);
    };
    const carried = ours(characterOf(3, settings, { hasCenter: true }), both, { observe });
    const standing = ours(characterOf(3, settings), walk, { observe });
    carried.forEach((turns, i) =>
        turns.forEach((each, k) => assert.ok(each.angleTo(standing[i][k]) < 1e-3, `frame ${i}, bone ${k}`)),
    );
    // Gravity is the world's.
    const tilt = ({ scene }) => scene.rotation.set(0, 0, 1);
    const make = () => characterOf(1, settings, { hasCenter: true });
    assert.ok(differenceOf(ours(make(), tilt), theirs(make(), tilt)) < 0.1);
    // Colliders are in the world too.
    const tail = { observe: ({ nodes, colliders }) => depthIn(colliders[0], nodes.at(-1)) };
    const hit = { ...settings, hitRadius: HIT };
    const depths = ours(
        characterOf(1, hit, { hasCenter: true, colliders: [sphere(0, -0.11, 0.02, 0.05)] }),
        travel,
        tail,
    );
    assert.ok(Math.max(...depths) < 2e-5 && Math.min(...depths) > -1e-3);
});

/** A stem whose first node bears two chains, as branches in VRM 0. */
const branched = () => {
    const character = characterOf(2);
    const { nodes, scene, manager } = character;
    const branch = [nodeAt(nodes[1], LENGTH, 0, 0)];
    branch.push(nodeAt(branch[0], 0, -LENGTH, 0));
    scene.updateMatrixWorld(true);
    addJoints(manager, branch, {}, []);
    manager.setInitState();
    return { ...character, nodes: branch };
};

test('three: branches', () => {
    const [wanted, got] = [theirs(branched(), walk), ours(branched(), walk)];
    assert.ok(differenceOf(wanted, got) < 1.5);
    assert.ok(differenceOf(got, ours(characterOf(1), walk)) > 2);
});

test('three: a joint without a child, as in VRM 0', () => {
    const make = () => {
        const character = characterOf(2);
        character.manager.addJoint(new VRMSpringBoneJoint(character.nodes[2], null));
        character.manager.setInitState();
        return character;
    };
    const last = { observe: ({ nodes }) => worldTurn(nodes.at(-1)) };
    assert.ok(differenceOf(theirs(make(), walk, last), ours(make(), walk, last)) < 1.5);
});

test('three: characters come and go without a change to the others', () => {
    const alone = ours(characterOf(3), walk);
    const [stays, leaves, comes] = [characterOf(3), characterOf(5), characterOf(7, { dragForce: 0.2 })];
    const springBones = new SpringBones(gyre);
    springBones.add(leaves.manager);
    springBones.add(stays.manager);
    const turns = [];
    for (let frame = 0; frame < 120; frame++) {
        if (frame === 40) {
            springBones.remove(leaves.manager);
        } else if (frame === 50) {
            springBones.add(comes.manager);
        } else if (frame === 60) {
            springBones.add(stays.manager); // again: it moves on
        }
        [stays, leaves, comes].forEach((each) => walk(each, (frame + 1) / 60));
        springBones.update(1 / 60);
        turns.push(worldTurn(stays.nodes.at(-2)));
    }
    assert.deepEqual(
        turns.map((each) => each.toArray()),
        alone.map((each) => each.toArray()),
    );
    const left = leaves.nodes[0].quaternion.toArray();
    springBones.update(1 / 60);
    assert.deepEqual(leaves.nodes[0].quaternion.toArray(), left);
    assert.ok(comes.nodes[5].quaternion.angleTo(new THREE.Quaternion()) > 0.01);
    springBones.free();
    springBones.update(1 / 60); // there are none
});

test('three: teleports and resets', () => {
    const settings = { gravityPower: 0.2, gravityDir: vector(1, 0, 0) };
    const run = (change) => {
        const character = characterOf(3, settings);
        const springBones = new SpringBones(gyre);
        springBones.add(character.manager);
        watch(character, (dt) => springBones.update(dt), walk, { seconds: 0.5 });
        const poseOf = () => character.nodes.map((node) => node.quaternion.clone());
        const before = poseOf();
        change(springBones, character);
        springBones.update(1e-4);
        const after = poseOf();
        springBones.free();
        return Math.max(...before.map((each, i) => each.angleTo(after[i])));
    };
    const jump = ({ scene }) => {
        scene.position.set(10, 20, 30);
        scene.rotation.set(0, 2, 0);
    };
    const moves = (turned) => assert.ok(turned < 0.005, `${turned}`);
    moves(run(() => {}));
    moves(run((springBones, character) => (jump(character), springBones.teleport(character.manager))));
    moves(run((springBones, character) => (jump(character), springBones.teleport())));
    assert.ok(run((_, character) => jump(character)) > 0.5);
    assert.ok(run((springBones) => springBones.reset()) > 0.05);

    const hangs = characterOf(3, settings);
    const springBones = new SpringBones(gyre);
    springBones.add(hangs.manager);
    const [first] = watch(hangs, (dt) => springBones.update(dt));
    watch(hangs, (dt) => springBones.update(dt), walk);
    jump(hangs);
    hangs.scene.rotation.set(0, 0, 0);
    hangs.head.position.set(0, 0, 0);
    hangs.head.rotation.set(0, 0, 0);
    springBones.reset(hangs.manager);
    springBones.update(1 / 60);
    assert.ok(worldTurn(hangs.nodes.at(-2)).angleTo(first) < 1e-6);
    springBones.free();
});

test('three: a pause, and a character hidden by a scale of 0', () => {
    const character = characterOf(3);
    const springBones = new SpringBones(gyre);
    springBones.add(character.manager);
    const update = (dt) => springBones.update(dt);
    watch(character, update, walk, { seconds: 0.5 });
    const before = character.nodes[1].quaternion.toArray();
    update(0);
    update(-1);
    assert.deepEqual(character.nodes[1].quaternion.toArray(), before);
    character.scene.scale.setScalar(0);
    watch(character, update, null, { seconds: 0.5 });
    character.scene.scale.setScalar(1);
    const turns = watch(character, update, walk, { seconds: 3600, rate: 1 / 600 }); // six frames of ten minutes
    assert.ok(turns.every((each) => each.toArray().every(Number.isFinite)));
    springBones.free();
});

test('three: bad input', () => {
    const springBones = new SpringBones(gyre);
    const refuses = (pattern, character) =>
        assert.throws(
            () => {
                springBones.add(character.manager);
                springBones.update(1 / 60);
            },
            (error) => error instanceof GyreError && pattern.test(error.message),
        );
    refuses(/gyre_bone_from_vrm/, characterOf(1, { stiffness: -1 }));
    const flat = characterOf(1);
    flat.scene.scale.setScalar(0);
    refuses(/scale/, flat);
    const odd = characterOf(1, {}, { colliders: [{ type: 'box', offset: vector(0, 0, 0) }] });
    refuses(/unknown kind of collider 'box'/, odd);
    springBones.remove(odd.manager);
    springBones.update(1 / 60);
    springBones.free();
});

test('three: arguments of wrong types', () => {
    const refuses = (call) => assert.throws(call, (error) => error instanceof GyreError && error.code === 'value');
    const wrong = [null, 5, '1', true, Symbol('a'), 1n, () => 1, {}, [], { joints: 5 }, { joints: null }];
    [undefined, ...wrong].forEach((each) => refuses(() => new SpringBones(each)));
    const springBones = new SpringBones(gyre);
    const { manager } = characterOf(2, {}, { colliders: [sphere(0, 9, 0, 0.1)] });
    springBones.add(manager);
    for (const each of [undefined, ...wrong]) {
        refuses(() => springBones.add(each));
        refuses(() => springBones.remove(each));
        if (each !== undefined) {
            refuses(() => springBones.reset(each));
            refuses(() => springBones.teleport(each));
        }
        if (each !== 5) {
            refuses(() => springBones.update(each));
        }
    }
    const other = characterOf(1).manager;
    refuses(() => springBones.reset(other));
    refuses(() => springBones.teleport(other));
    springBones.remove(other);

    const [joint] = manager.joints;
    const without = (name, value) => ({ joints: [Object.create(joint, { [name]: { value } })] });
    for (const name of ['bone', 'settings', 'initialLocalChildPosition', 'colliderGroups']) {
        [undefined, null, 5, 'x', {}].forEach((each) => refuses(() => springBones.add(without(name, each))));
    }
    [5, 'x', {}].forEach((each) => {
        refuses(() => springBones.add(without('child', each)));
        refuses(() => springBones.add(without('center', each)));
    });
    for (const name of ['hitRadius', 'stiffness', 'gravityPower', 'dragForce', 'gravityDir']) {
        [undefined, null, '1', {}].forEach((each) =>
            refuses(() => springBones.add(without('settings', { ...joint.settings, [name]: each }))),
        );
    }
    const [{ colliders }] = joint.colliderGroups;
    for (const [name, each] of [
        ['type', undefined],
        ['offset', undefined],
        ['offset', { x: 1, y: 1, z: '1' }],
        ['tail', {}],
        ['normal', 5],
        ['radius', '1'],
    ]) {
        const shape = Object.create(colliders[0].shape, { [name]: { value: each } });
        const collider = Object.create(colliders[0], { shape: { value: shape } });
        refuses(() => springBones.add(without('colliderGroups', [{ colliders: [collider] }])));
    }
    [undefined, null, 5, {}, [null]].forEach((each) =>
        refuses(() => springBones.add(without('colliderGroups', [{ colliders: each }]))),
    );
    [[null], [5], ['x'], [{}]].forEach((joints) => refuses(() => springBones.add({ joints })));
    assert.equal(String(springBones), 'SpringBones { characters: 1, chains: 1 }');
    springBones.update(1 / 60);
    springBones.free();
});

test('three: three.js is not imported', () => {
    for (const file of ['three.js', 'lib/generation.js', 'lib/joints.js', 'lib/poses.js']) {
        const imports = [...readFileSync(`node_modules/gyre/${file}`, 'utf8').matchAll(/\bfrom '([^']*)'/g)];
        assert.ok(
            imports.every(([, path]) => path.startsWith('./')),
            file,
        );
    }
});
