// Chains of bones from the joints that the loader of three-vrm has found.
import { shown } from './check.js';
import { GyreError } from './error.js';
import { difference, inverse, placeOf, product, rotationOf, turned } from './poses.js';

const VRM_RATE = 60; // 1/s, for which the bones of VRM are made
const NO_MATRIX = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

export const matrixOf = (node) => node?.matrixWorld.elements ?? NO_MATRIX;

/** The node and those that it hangs on, from the root on. */
export const pathOf = (node) => {
    const path = [];
    for (let each = node; each; each = each.parent) {
        path.unshift(each);
    }
    return path;
};

const isNumber = (value) => typeof value === 'number';
const isPoint = (p) => isNumber(p?.x) && isNumber(p?.y) && isNumber(p?.z);
const isNone = (value) => value === undefined || value === null;
const isNode = (node) =>
    typeof node?.updateWorldMatrix === 'function' &&
    node.matrixWorld?.elements?.length === 16 &&
    typeof node.quaternion?.set === 'function' &&
    isPoint(node.position);
const isNodeOrNone = (node) => isNone(node) || isNode(node);
const isShape = (shape) =>
    typeof shape?.type === 'string' &&
    isPoint(shape.offset) &&
    [shape.tail, shape.normal].every((each) => isNone(each) || isPoint(each)) &&
    (isNone(shape.radius) || isNumber(shape.radius));
const isCollider = (collider) => isNode(collider) && isShape(collider.shape);

/** What a joint has, as far as it is used here. */
const PARTS = {
    bone: isNode,
    child: isNodeOrNone,
    center: isNodeOrNone,
    initialLocalChildPosition: isPoint,
    colliderGroups: (groups) =>
        Array.isArray(groups) &&
        groups.every((group) => Array.isArray(group?.colliders) && group.colliders.every(isCollider)),
    settings: (settings) =>
        isPoint(settings?.gravityDir) &&
        ['hitRadius', 'stiffness', 'gravityPower', 'dragForce'].every((name) => isNumber(settings[name])),
};

/** Refuses what is not a VRMSpringBoneJoint. */
export const checkJoint = (joint) => {
    const wrong = Object.keys(PARTS).find((name) => !PARTS[name](joint?.[name]));
    if (wrong) {
        const got = joint ? `its ${wrong} is ${shown(joint[wrong])}` : `got ${shown(joint)}`;
        throw new GyreError('value', `expected a VRMSpringBoneJoint: ${got}`);
    }
};

const collidersOf = (joint) => joint.colliderGroups.flatMap(({ colliders }) => colliders);

const lengthOf = ({ x, y, z }) => Math.hypot(x, y, z);

/** Whether both joints have what the bones of a chain have in common. */
const canShareChain = (a, b) => {
    const [from, to] = [collidersOf(a), collidersOf(b)];
    const [down, other] = [a.settings.gravityDir, b.settings.gravityDir];
    return (
        (a.center ?? null) === (b.center ?? null) &&
        down.x === other.x &&
        down.y === other.y &&
        down.z === other.z &&
        from.length === to.length &&
        from.every((collider, i) => collider === to[i])
    );
};

/** The joints in lists, each of which begins where its predecessor ends. */
const listsOf = (joints) => {
    const byNode = new Map(Array.from(joints, (joint) => [joint.bone, joint]));
    const next = new Map();
    const followers = new Set();
    for (const joint of byNode.values()) {
        const follower = byNode.get(joint.child);
        if (follower && !followers.has(follower) && canShareChain(joint, follower)) {
            next.set(joint, follower);
            followers.add(follower);
        }
    }
    return [...byNode.values()]
        .filter((joint) => !followers.has(joint))
        .map((first) => {
            const list = [];
            for (let joint = first; joint; joint = next.get(joint)) {
                list.push(joint);
            }
            return list;
        });
};

/** Where a joint's tail is in the world. */
const tailOf = (joint) => {
    const { x, y, z } = joint.child ? { x: 0, y: 0, z: 0 } : joint.initialLocalChildPosition;
    return placeOf(matrixOf(joint.child ?? joint.bone), x, y, z, []);
};

/** Bones that agree to six digits have the same key, so that characters of one model share a palette. */
const keyOf = ({ rest, tail, ...numbers }) => {
    const size = Math.hypot(...tail);
    const digits = [...rest, ...tail.map((value) => value / (size || 1))].map((value) => Math.round(1e6 * value));
    return [...digits, ...[size, ...Object.values(numbers).flat()].map((value) => value.toPrecision(6))].join();
};

/**
 * A joint as a bone in the rest pose. Lengths are in the world, so that scales of nodes are in them. `base` is what its
 * rest rotation is relative to; nodes between this and the joint are taken as rigid.
 */
const boneOf = (gyre, joint, base) => {
    const { hitRadius, stiffness, gravityPower, gravityDir, dragForce } = joint.settings;
    const own = rotationOf(matrixOf(joint.bone), []);
    const back = inverse(rotationOf(matrixOf(base), []), []);
    const tail = tailOf(joint);
    difference(tail, placeOf(matrixOf(joint.bone), 0, 0, 0, []), tail);
    const length = Math.hypot(...tail);
    const model = { rest: product(back, own, []), tail: turned(inverse(own, []), tail, tail), radius: hitRadius };
    const gravity = gravityPower * lengthOf(gravityDir);
    if (!Number.isFinite(length + model.rest[3])) {
        throw new GyreError('value', `the scale or the place of the node '${joint.bone.name}' is not usable`);
    }
    const bone = length > 0 ? gyre.boneFromVrm(stiffness, dragForce, gravity, length, VRM_RATE, model) : model;
    return {
        node: joint.bone,
        bone,
        key: keyOf(bone),
        /** From the rotation relative to base to that relative to the node's parent, if these differ. */
        toParent:
            joint.bone.parent === base
                ? null
                : product(inverse(rotationOf(matrixOf(joint.bone.parent), []), []), inverse(back, []), []),
    };
};

/** The chains of a character in its rest pose. */
export const chainsOf = (gyre, joints) => {
    for (const { bone } of joints) {
        bone.matrixAutoUpdate = true; // three-vrm turns it off
    }
    for (const { bone, child } of joints) {
        (child ?? bone).updateWorldMatrix(true, false);
    }
    const chains = listsOf(joints).map((list) => {
        const [{ bone: node, settings, center }] = list;
        const size = lengthOf(settings.gravityDir) || 1;
        return {
            root: node,
            center: center ?? null,
            gravity: [settings.gravityDir.x / size, settings.gravityDir.y / size, settings.gravityDir.z / size],
            colliders: collidersOf(list[0]),
            bones: list.map((joint, i) => boneOf(gyre, joint, i > 0 ? list[i - 1].bone : node.parent)),
            jump: 'reset',
        };
    });
    const owners = new Map(chains.flatMap((chain) => chain.bones.map((each) => [each.node, chain])));
    /** Chains that hang on bones of others are stepped after these. */
    const generationOf = (chain) => {
        const owner = owners.get(pathOf(chain.root.parent).findLast((node) => owners.has(node)));
        return owner ? 1 + generationOf(owner) : 0;
    };
    return chains.map((chain) => Object.assign(chain, { generation: generationOf(chain) }));
};
