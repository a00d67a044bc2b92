import type { GyreUi } from './types.js';

// What SpringBones uses of the objects of three.js and @pixiv/three-vrm, which fit these types as they are.

interface Point {
    readonly x: number;
    readonly y: number;
    readonly z: number;
}

/** THREE.Object3D */
export interface SpringNode {
    readonly name: string;
    readonly parent: SpringNode | null;
    readonly position: Point;
    readonly quaternion: { set(x: number, y: number, z: number, w: number): unknown };
    readonly matrixWorld: { readonly elements: ArrayLike<number> };
    matrixAutoUpdate: boolean;
    updateWorldMatrix(updateParents: boolean, updateChildren: boolean): void;
}

/** VRMSpringBoneCollider. The shape has `radius` and `inside`, `tail` or `normal`, as its `type` asks. */
export interface SpringCollider extends SpringNode {
    readonly shape: { readonly type: string; readonly offset?: Point };
}

/** VRMSpringBoneJoint */
export interface SpringJoint {
    readonly bone: SpringNode;
    readonly child: SpringNode | null;
    readonly center: SpringNode | null;
    readonly initialLocalChildPosition: Point;
    readonly colliderGroups: readonly { readonly colliders: readonly SpringCollider[] }[];
    readonly settings: {
        readonly hitRadius: number;
        readonly stiffness: number;
        readonly gravityPower: number;
        readonly gravityDir: Point;
        readonly dragForce: number;
    };
}

/** VRMSpringBoneManager */
export interface SpringCharacter {
    readonly joints: Iterable<SpringJoint>;
    /** Puts the nodes into the rest pose. */
    reset?(): void;
}

/**
 * The spring bones of any number of characters of three-vrm, in place of their VRMSpringBoneManagers: their nodes get the
 * rotations. three.js is not imported.
 */
export class SpringBones {
    /** Arrays are in the memory of this instance, which should be growable. */
    constructor(gyre: GyreUi);
    /**
     * Adds a character, in its rest pose. In the next update its bones hang from where it is then. If it was added
     * before, its joints, settings and scales are read again, and its bones move on.
     */
    add(character: SpringCharacter): void;
    /** Its nodes keep the rotations that they have. A character that was not added is ignored. */
    remove(character: SpringCharacter): void;
    /** In the next update the bones of a character that was added, or of all, hang at rest. */
    reset(character?: SpringCharacter): void;
    /** Before the next update a character, or all, were moved elsewhere: the bones go along, and move on as before. */
    teleport(character?: SpringCharacter): void;
    /** Advances all characters by dt seconds, in place of manager.update(dt). If dt is not above 0, it does nothing. */
    update(dt: number): void;
    /** Removes all characters and frees the memory. */
    free(): void;
    toString(): string;
}
