/** Trees with fewer nodes, for readers who know where calls come from. */
import { KINDS, type Kind, type Tree } from "./tree";

/** The same tree without frames of libraries. What is no code, such as what was there before the recording, stays. */
export function userFramesOnly(tree: Tree): Tree {
    return withKinds(tree, (kind) => kind === "user" || kind === "other");
}

/** The same tree without frames of the interpreter and the dispatcher, which carry every call on. */
export function withoutDispatch(tree: Tree): Tree {
    return withKinds(tree, (kind) => kind !== "dispatch");
}

/** The tree of some kinds of frames: what others hold falls to the caller, and calls that become alike become one. */
function withKinds(tree: Tree, isKept: (kind: Kind) => boolean): Tree {
    const merged = new TreeBuilder();
    const target = new Int32Array(tree.frame.length);
    for (let node = 0; node < tree.frame.length; node++) {
        const parent = tree.parent[node];
        const isNode = parent < 0 || isKept(KINDS[tree.kind[node]] ?? "other");
        target[node] = isNode ? merged.child(parent < 0 ? -1 : target[parent], tree, node) : target[parent];
    }
    return merged.build();
}

/**
 * The same tree with one node for each chain of calls that hold the same and are of one kind: the innermost, into which the others are folded. Frames that
 * stand for themselves, such as the line of a finding, are in no chain.
 */
export function chainsFolded(tree: Tree, isApart: (frame: number) => boolean): Tree {
    const children = new Int32Array(tree.frame.length);
    tree.parent.forEach((parent) => parent >= 0 && children[parent]++);
    const isFolded = (node: number) => {
        const parent = tree.parent[node];
        const isSame = parent > 0 && children[parent] === 1 && tree.bytes[node] === tree.bytes[parent] && tree.kind[node] === tree.kind[parent];
        return isSame && !isApart(tree.frame[node]) && !isApart(tree.frame[parent]);
    };
    const merged = new TreeBuilder();
    const target = new Int32Array(tree.frame.length);
    for (let node = 0; node < tree.frame.length; node++) {
        const parent = tree.parent[node];
        target[node] = isFolded(node) ? merged.extend(target[parent], tree, node) : merged.child(parent < 0 ? -1 : target[parent], tree, node);
    }
    return merged.build();
}

/** Collects nodes; children of one parent with the same frame become one. */
class TreeBuilder {
    private readonly byCall = new Map<string, number>();
    private readonly frame: number[] = [];
    private readonly parent: number[] = [];
    private readonly bytes: number[] = [];
    private readonly blocks: number[] = [];
    private readonly kind: number[] = [];
    private readonly found: number[] = [];
    private readonly folded = new Map<number, number[]>();

    /** The node for a call below a parent, which {@code node} of another tree adds its bytes to. */
    child(parent: number, from: Tree, node: number): number {
        const index = this.find(parent, from.frame[node], from.kind[node]);
        this.bytes[index] += from.bytes[node];
        this.blocks[index] += from.blocks[node];
        this.found[index] += from.found[node];
        return index;
    }

    /** Folds the frame of a node into that of the only call that it makes, which takes its place. */
    extend(index: number, from: Tree, node: number): number {
        this.folded.set(index, [...(this.folded.get(index) ?? []), this.frame[index]]);
        this.frame[index] = from.frame[node];
        return index;
    }

    private find(parent: number, frame: number, kind: number): number {
        const key = `${parent}/${frame}`;
        const known = this.byCall.get(key);
        if (known !== undefined) {
            return known;
        }
        const index = this.frame.length;
        this.byCall.set(key, index);
        this.frame.push(frame);
        this.parent.push(parent);
        this.kind.push(kind);
        this.bytes.push(0);
        this.blocks.push(0);
        this.found.push(0);
        return index;
    }

    build(): Tree {
        return {
            frame: Int32Array.from(this.frame),
            parent: Int32Array.from(this.parent),
            bytes: Float64Array.from(this.bytes),
            blocks: Int32Array.from(this.blocks),
            kind: Int32Array.from(this.kind),
            found: Float64Array.from(this.found),
            folded: this.folded,
        };
    }
}
