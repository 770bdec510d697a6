/** The calls of a flame graph in words. */
import type { Finding } from "report";
import { LEFT_OUT } from "../data/moments";
import { frameLabel, type Picture } from "../data/picture";
import { KINDS, type Tree } from "../data/tree";
import { counted, formatBytes, formatPercent } from "../shared/format";

export class FrameText {
    constructor(
        private readonly picture: Picture,
        private readonly findings: (Finding | null)[],
        private readonly owners: number[],
    ) {}

    /** The frames of a node, outermost first. */
    private framesOf(tree: Tree, node: number): number[] {
        return [...(tree.folded.get(node) ?? []), tree.frame[node]];
    }

    label(tree: Tree, node: number): string {
        return this.framesOf(tree, node).map((frame) => this.name(frame)).join(" › ");
    }

    private name(frame: number): string {
        if (frame === LEFT_OUT) {
            return "(smaller blocks, not in this page)";
        }
        return frame < 0 ? "all" : frameLabel(this.picture.frames[frame]);
    }

    /** What a search looks through. */
    searchable(tree: Tree, node: number): string {
        const texts = this.framesOf(tree, node).flatMap((frame) => (frame < 0 ? [] : [this.picture.frames[frame]]));
        return texts.map(([file, line, name]) => `${name} ${file}:${line}`).join("\n").toLowerCase();
    }

    /** The finding whose line a frame is, by the one whose colour it has; null for most. */
    findingOf(frame: number): number | null {
        if (frame < 0) {
            return null;
        }
        const [file, line] = this.picture.frames[frame];
        const index = this.findings.findIndex((finding) => finding !== null && finding.site.file === file && finding.site.line === line && file !== "");
        return index < 0 ? null : this.owners[index];
    }

    /** A node in lines of text: its frames, what they hold, its finding. */
    describe(tree: Tree, node: number): string[] {
        const bytes = tree.bytes[node];
        const amount = `${formatBytes(bytes)} in ${counted(tree.blocks[node], "block")}, ${formatPercent(bytes / tree.bytes[0])} of all`;
        if (tree.frame[node] < 0) {
            return [this.label(tree, node), amount];
        }
        const frames = this.framesOf(tree, node).map((frame) => this.picture.frames[frame]);
        const kind = KINDS[tree.kind[node]] ?? "other";
        const lines = frames.map(([file, line, name]) => `${name}  ${file}${line > 0 ? `:${line}` : ""}  (${kind})`);
        return [...lines, amount, ...this.findingLine(tree, node)];
    }

    private findingLine(tree: Tree, node: number): string[] {
        const finding = this.findingOf(tree.frame[node]);
        const part = tree.found[node] < tree.bytes[node] ? `, about ${formatBytes(tree.found[node])} of it` : "";
        return finding === null ? [] : [`Finding: ${this.findings[finding]?.title ?? ""}${part}`];
    }
}
