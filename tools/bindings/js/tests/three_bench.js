// Times SpringBones beside VRMSpringBoneManager, in one run: characters of 20 chains of five bones and four colliders.
//   node three_bench.js     in the folder of the tests, after test.sh
import { performance } from 'node:perf_hooks';

import {
    VRMSpringBoneCollider,
    VRMSpringBoneColliderShapeSphere,
    VRMSpringBoneJoint,
    VRMSpringBoneManager,
} from '@pixiv/three-vrm-springbone';
import { load } from 'gyre/ui';
import { SpringBones } from 'gyre/three';
import * as THREE from 'three';

const CHAINS = 20;
const BONES = 5;
const COLLIDERS = 4;
const DT = 1 / 60;
const SHORTEST_MS = 30; // of a repetition
const REPETITIONS = 30; // of which the fastest counts, because other programs may run

const nodeAt = (parent, x, y, z) => {
    const node = new THREE.Object3D();
    node.position.set(x, y, z);
    parent.add(node);
    return node;
};

/** Hips, a spine and a head with hair. */
const characterOf = (scene, i) => {
    const body = nodeAt(scene, i, 0, 0);
    const head = nodeAt(nodeAt(nodeAt(body, 0, 1, 0), 0, 0.3, 0), 0, 0.3, 0);
    const colliders = Array.from({ length: COLLIDERS }, (_, k) => {
        const offset = new THREE.Vector3(0, -0.2 * k, 0);
        const collider = new VRMSpringBoneCollider(new VRMSpringBoneColliderShapeSphere({ offset, radius: 0.08 }));
        head.add(collider);
        return collider;
    });
    const manager = new VRMSpringBoneManager();
    for (let c = 0; c < CHAINS; c++) {
        const angle = (2 * Math.PI * c) / CHAINS;
        let node = nodeAt(head, 0.1 * Math.cos(angle), 0, 0.1 * Math.sin(angle));
        for (let k = 0; k < BONES; k++) {
            const child = nodeAt(node, 0, -0.07, 0);
            const settings = { stiffness: 1, dragForce: 0.4, gravityPower: 0.1, hitRadius: 0.01 };
            manager.addJoint(new VRMSpringBoneJoint(node, child, settings, [{ colliders }]));
            node = child;
        }
    }
    scene.updateMatrixWorld(true);
    manager.setInitState();
    return { body, manager };
};

const sceneOf = (count) => {
    const scene = new THREE.Object3D();
    const characters = Array.from({ length: count }, (_, i) => characterOf(scene, i));
    let frame = 0;
    return {
        scene,
        characters,
        move: () => {
            frame++;
            characters.forEach(({ body }, i) => {
                body.position.z = 0.1 * Math.sin(0.1 * frame + i);
                body.rotation.y = 0.5 * Math.sin(0.07 * frame + i);
            });
        },
    };
};

/** ms per frame: of the update alone, and with the world matrices that a renderer needs. */
const timesOf = ({ scene, move }, update) => {
    let [alone, frames] = [0, 0];
    const start = performance.now();
    let now = start;
    for (; now - start < SHORTEST_MS || frames < 2; frames++) {
        move();
        const before = performance.now();
        update();
        alone += performance.now() - before;
        scene.updateMatrixWorld();
        now = performance.now();
    }
    return [alone / frames, (now - start) / frames];
};

const gyre = await load({ growable: true });
console.log('characters | three-vrm, ms: update, frame | gyre/three, ms: update, frame | ratio: update, frame');
for (const count of [1, 10, 100]) {
    const [theirs, ours] = [sceneOf(count), sceneOf(count)];
    const springBones = new SpringBones(gyre);
    ours.characters.forEach(({ manager }) => springBones.add(manager));
    const updates = [
        [theirs, () => theirs.characters.forEach(({ manager }) => manager.update(DT))],
        [ours, () => springBones.update(DT)],
    ];
    const runs = Array.from({ length: REPETITIONS }, () => updates.map(([scene, update]) => timesOf(scene, update)));
    const fastest = (by, what) => Math.min(...runs.map((run) => run[by][what]));
    const [a, b, c, d] = [fastest(0, 0), fastest(0, 1), fastest(1, 0), fastest(1, 1)];
    const milliseconds = (...values) => values.map((value) => value.toFixed(3)).join(', ');
    console.log(
        `${count} | ${milliseconds(a, b)} | ${milliseconds(c, d)} | ${(a / c).toFixed(1)}, ${(b / d).toFixed(1)}`,
    );
    springBones.free();
}
