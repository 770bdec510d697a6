/** The bytes in the page, as PageFile.java wrote them: each six as seven characters of ASCII, the last group as one more than it has bytes. */
const GROUP = 6;
const NONE = "\0\r<";

export function bytes(text: string): Uint8Array<ArrayBuffer> {
    const values = new Uint8Array(128);
    let digits = 0;
    for (let code = 0; code < values.length; code++) {
        values[code] = digits;
        digits += NONE.includes(String.fromCharCode(code)) ? 0 : 1;
    }
    const decoded = new Uint8Array(Math.floor((text.length * GROUP) / (GROUP + 1)));
    const padded = text + "\x7f".repeat(GROUP); // the largest digit: rounds up
    for (let from = 0, to = 0; from < text.length; from += GROUP + 1, to += GROUP) {
        let value = 0;
        for (let i = 0; i <= GROUP; i++) {
            value = value * digits + values[padded.charCodeAt(from + i)];
        }
        for (let i = GROUP - 1; i >= 0; i--, value = Math.floor(value / 256)) {
            decoded[to + i] = value % 256;
        }
    }
    return decoded;
}
