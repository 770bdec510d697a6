import assert from "node:assert/strict";
import { test } from "node:test";
import { hashOf, stateOf, type PageState } from "../../main/web/src/state";

test("an address leads to the state that it was made of", () => {
    const states: PageState[] = [
        { device: 1, axis: "time", view: { from: 5, to: 900 }, cursor: 17, block: { born: 12, address: 0x7f0012345600 } },
        { device: 0, axis: "events", view: null, cursor: null, block: null },
        { device: 0, axis: "events", view: null, cursor: null, block: { born: -1, address: 512 } },
    ];
    states.forEach((state) => assert.deepEqual(stateOf(hashOf(state)), state));
    assert.equal(hashOf({ device: 0, axis: "events", view: { from: 1.4, to: 9.6 }, cursor: null, block: null }), "#device=0&events=1-10");
});

test("what is no state, or nonsense, is left aside", () => {
    assert.equal(stateOf(""), null);
    assert.equal(stateOf("#timeline"), null);
    assert.deepEqual(stateOf("#events=9&cursor=-4&device=x&axis=y&block=1y2"), { device: 0, axis: "events", view: null, cursor: null, block: null });
});
