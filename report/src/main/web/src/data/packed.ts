/** Reads stretches of a recording as PackedBlocks.java writes them. */
import { NEVER, type Allocations } from "./allocations";
import { inflated } from "./decode";
import type { Stretch } from "./stretches";

/** The stretches of a picture that are elements of the page. */
export function stretchElements(picture: number): Stretch[] {
    return [...document.querySelectorAll<HTMLElement>(`.leakline-stretch[data-picture="${picture}"]`)].map((one) => ({
        from: Number(one.dataset["from"]),
        to: Number(one.dataset["to"]),
        read: async () => unpacked(new Uint8Array(await (await inflated(one.textContent ?? "", "deflate")).arrayBuffer())),
    }));
}

export function unpacked(bytes: Uint8Array): Allocations {
    const reader = new Reader(bytes);
    const count = reader.number();
    const born = Int32Array.from(reader.differences(count));
    return {
        count,
        born,
        died: Int32Array.from(reader.column(count), (life, i) => (life === 0 ? NEVER : born[i] + life)),
        released: Int32Array.from(reader.column(count), (life, i) => (life === 0 ? NEVER : born[i] + life - 1)),
        bytes: reader.column(count),
        address: reader.differences(count),
        site: Int32Array.from(reader.column(count)),
        call: Int32Array.from(reader.column(count)),
    };
}

/** Numbers of seven bits a byte. They may have more bits than a shift of JavaScript takes. */
class Reader {
    private at = 0;

    constructor(private readonly bytes: Uint8Array) {}

    number(): number {
        let value = 0;
        let unit = 1;
        let byte = 0x80;
        while (byte >= 0x80 && this.at < this.bytes.length) {
            byte = this.bytes[this.at++];
            value += (byte & 0x7f) * unit;
            unit *= 128;
        }
        return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
    }

    column(rows: number): Float64Array {
        const unit = 2 ** this.number();
        return new Float64Array(rows).map(() => this.number() * unit);
    }

    /** A column of differences, added up. */
    differences(rows: number): Float64Array {
        let sum = 0;
        return this.column(rows).map((difference) => (sum += difference));
    }
}
