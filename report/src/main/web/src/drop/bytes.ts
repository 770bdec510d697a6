/** The bytes in the page, as PageFile.java wrote them: each 20 as 23 characters of ASCII, the last group as three more than it has bytes. */
const GROUP = 20;
const DIGITS = 23;
const NONE = "\0\r<";

export function bytes(text: string): Uint8Array<ArrayBuffer> {
    const values = new Uint8Array(128);
    let base = 0;
    for (let code = 0; code < values.length; code++) {
        values[code] = base;
        base += NONE.includes(String.fromCharCode(code)) ? 0 : 1;
    }
    const groups = Math.ceil(text.length / DIGITS);
    const decoded = new Uint8Array(groups * GROUP);
    const padded = text.padEnd(groups * DIGITS, "\x7f"); // the largest digit: rounds up
    for (let at = 0; at < padded.length; at++) {
        const from = Math.floor(at / DIGITS) * GROUP;
        let carry = values[padded.charCodeAt(at)];
        for (let i = from + GROUP - 1; i >= from; i--) {
            carry += decoded[i] * base;
            decoded[i] = carry;
            carry >>= 8;
        }
    }
    return decoded.subarray(0, text.length - groups * (DIGITS - GROUP));
}
