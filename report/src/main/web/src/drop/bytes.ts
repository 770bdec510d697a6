/** The bytes in the page, as PageFile.java wrote them: each four as five of 85 characters, the last group as one more than it has bytes. */
const DIGITS = 85;
const FIRST = "#".charCodeAt(0);
const MEANT_OTHERWISE = "&'<>\\`";

export function bytes(text: string): Uint8Array<ArrayBuffer> {
    const values = new Uint8Array(128);
    for (let code = FIRST, value = 0; code < values.length; code++) {
        values[code] = value;
        value += MEANT_OTHERWISE.includes(String.fromCharCode(code)) ? 0 : 1;
    }
    const decoded = new Uint8Array(Math.floor((text.length * 4) / 5));
    const padded = text + "~".repeat(4); // the largest digit or more: rounds up
    for (let from = 0, to = 0; from < text.length; from += 5, to += 4) {
        let value = 0;
        for (let i = 0; i < 5; i++) {
            value = value * DIGITS + Math.min(values[padded.charCodeAt(from + i)], DIGITS - 1);
        }
        for (let i = 3; i >= 0; i--, value = Math.floor(value / 256)) {
            decoded[to + i] = value % 256;
        }
    }
    return decoded;
}
