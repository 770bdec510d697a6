/**
 * Where the objects of a reference cycle stand: down the right, back up the left, so that however many there are, their names have room and the
 * reference that leads back to the first is the one at the top.
 */

export const NODE_WIDTH = 232;
export const NODE_HEIGHT = 40;
const GAP = 144;
const ROW = 88;
const MARGIN = 22;
/** How far the two references between two objects are apart. */
const APART = 11;
const LOOP = 64;
const WIDTH = 2 * NODE_WIDTH + GAP;

export interface Point {
    x: number;
    y: number;
}

/** An object's box, by its upper left corner. */
export type Node = Point;

/** A reference: its corners from object to object, and where its name stands. */
export interface Arrow {
    corners: Point[];
    name: Point;
    anchor: "start" | "middle" | "end";
}

export interface Ring {
    width: number;
    height: number;
    nodes: Node[];
    /** The reference at each place leads to the object at that place; the first comes from the last. */
    arrows: Arrow[];
}

/** The places of so many objects, one at least. */
export function ring(count: number): Ring {
    const rows = Math.ceil(count / 2);
    const nodes = Array.from({ length: count }, (_, i) => (i < rows ? place(1, i) : place(0, 2 * rows - 1 - i)));
    const arrows = nodes.map((_, i) => arrow(nodes, i, rows));
    return { width: WIDTH, height: 2 * MARGIN + (rows - 1) * ROW + NODE_HEIGHT, nodes, arrows };
}

function place(column: number, row: number): Node {
    return { x: column * (NODE_WIDTH + GAP), y: MARGIN + row * ROW };
}

function arrow(nodes: Node[], to: number, rows: number): Arrow {
    const target = nodes[to];
    const source = nodes[(to + nodes.length - 1) % nodes.length];
    if (nodes.length === 1) {
        return loop(target);
    }
    if (to === 0) {
        return back(source, target, nodes.length === 2);
    }
    return to === rows ? across(source, target, nodes.length === 2) : along(source, target);
}

/** An object that refers to itself. */
function loop(node: Node): Arrow {
    const middle = node.y + NODE_HEIGHT / 2;
    const out = { x: node.x, y: middle + APART };
    const turn = node.x - LOOP;
    return {
        corners: [out, { x: turn, y: out.y }, { x: turn, y: middle - APART }, { x: node.x, y: middle - APART }],
        name: { x: turn - 8, y: middle + 4 },
        anchor: "end",
    };
}

/** From the last to the first: across at the top, from below where the left side has one object less. */
function back(source: Node, target: Node, isPair: boolean): Arrow {
    const y = target.y + NODE_HEIGHT / 2 - (isPair ? APART : 0);
    const middle = source.x + NODE_WIDTH / 2;
    const isLevel = source.y === target.y;
    const end = { x: target.x, y };
    const corners = isLevel ? [{ x: source.x + NODE_WIDTH, y }, end] : [{ x: middle, y: source.y }, { x: middle, y }, end];
    return { corners, name: { x: NODE_WIDTH + GAP / 2, y: y - 7 }, anchor: "middle" };
}

/** From the right side to the left, at the bottom. */
function across(source: Node, target: Node, isPair: boolean): Arrow {
    const y = source.y + NODE_HEIGHT / 2 + (isPair ? APART : 0);
    const corners = [
        { x: source.x, y },
        { x: target.x + NODE_WIDTH, y },
    ];
    return { corners, name: { x: NODE_WIDTH + GAP / 2, y: y + 17 }, anchor: "middle" };
}

/** Down the right side, or up the left. */
function along(source: Node, target: Node): Arrow {
    const x = source.x + NODE_WIDTH / 2;
    const isDown = target.y > source.y;
    const corners = isDown
        ? [{ x, y: source.y + NODE_HEIGHT }, { x, y: target.y }]
        : [{ x, y: source.y }, { x, y: target.y + NODE_HEIGHT }];
    return { corners, name: { x: x + 10, y: (corners[0].y + corners[1].y) / 2 + 4 }, anchor: "start" };
}
