/*
 * Bytes by call. A tree is four columns; a node's parent stands before it, so that one pass forwards reaches every node after its
 * parent, and one pass backwards before it.
 */
/** What kind of code a frame is, by the number in the data. */
export const KINDS = ["user", "package", "torch", "python", "native", "other", "dispatch"] as const;
export type Kind = (typeof KINDS)[number];

export interface Tree {
    frame: Int32Array;
    parent: Int32Array;
    bytes: Float64Array;
    blocks: Int32Array;
    kind: Int32Array;
    /** Those of the bytes that a finding is about. */
    found: Float64Array;
    /** The frames that were folded into a node and call its own, outermost first; nothing for most. */
    folded: Map<number, number[]>;
}

/** Where nodes are drawn: their left edge in bytes, their depth, how deep the tree is. */
export interface Layout {
    left: Float64Array;
    depth: Int32Array;
    deepest: number;
    children: number[][];
}

/** Places every node under its parent, the largest child first. */
export function layOut(tree: Tree): Layout {
    const count = tree.frame.length;
    const children = childrenBySize(tree);
    const layout = { left: new Float64Array(count), depth: new Int32Array(count), deepest: 0, children };
    for (let node = 0; node < count; node++) {
        let left = layout.left[node];
        for (const child of children[node]) {
            layout.left[child] = left;
            layout.depth[child] = layout.depth[node] + 1;
            layout.deepest = Math.max(layout.deepest, layout.depth[child]);
            left += tree.bytes[child];
        }
    }
    return layout;
}

function childrenBySize(tree: Tree): number[][] {
    const children: number[][] = Array.from(tree.frame, () => []);
    for (let node = 0; node < tree.frame.length; node++) {
        if (tree.parent[node] >= 0) {
            children[tree.parent[node]].push(node);
        }
    }
    children.forEach((list) => list.sort((a, b) => tree.bytes[b] - tree.bytes[a] || a - b));
    return children;
}

export interface Matches {
    isMatch: Uint8Array;
    count: number;
    /** Bytes under matching nodes; a match within a match counts once. */
    bytes: number;
}

/** The nodes whose label satisfies a predicate. */
export function findMatches(tree: Tree, matches: (node: number) => boolean): Matches {
    const isMatch = new Uint8Array(tree.frame.length);
    const isCovered = new Uint8Array(tree.frame.length);
    let count = 0;
    let bytes = 0;
    for (let node = 0; node < tree.frame.length; node++) {
        const parent = tree.parent[node];
        const isBelow = parent >= 0 && isCovered[parent] === 1;
        const hit = parent >= 0 && matches(node);
        isMatch[node] = hit ? 1 : 0;
        isCovered[node] = hit || isBelow ? 1 : 0;
        count += isMatch[node];
        bytes += hit && !isBelow ? tree.bytes[node] : 0;
    }
    return { isMatch, count, bytes };
}

/** Whether a node is another or lies below it. */
export function isWithin(tree: Tree, node: number, ancestor: number): boolean {
    for (let at = node; at >= 0; at = tree.parent[at]) {
        if (at === ancestor) {
            return true;
        }
    }
    return false;
}
