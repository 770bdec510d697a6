import assert from "node:assert/strict";
import { test } from "node:test";
import type { Finding, Site } from "../../../../base/target/schema/report";
import { colourOwners, LIGHT, siteStyles } from "../../main/web/src/shared/palette";
import { changePoints } from "../../main/web/src/timeline/changePoints";
import { fittedLine } from "../../main/web/src/verdict/fit";
import { site } from "./builders";

test("the fitted line keeps its slope and the floor's height", () => {
    const floor = [0, 1, 2, 3, 4].map((step) => ({ step, bytes: step < 2 ? 0 : 500 + 100 * (step - 2) }));
    assert.deepEqual(fittedLine({ floor, first_step: 2, last_step: 4 }, 100), { first: 2, last: 4, atFirst: 500, atLast: 700 });
    assert.equal(fittedLine({ floor: [], first_step: 0, last_step: 4 }, 100), null);
});

test("findings about one line have one colour", () => {
    const at = (line: number) => ({ site: { kind: "user", file: "/app/a.py", line, function: "main", label: "" } satisfies Site });
    assert.deepEqual(colourOwners([at(17), at(20), at(17)]), [0, 1, 0]);
});

test("twenty-eight sites are told apart by colour and pattern", () => {
    const sites = Array.from({ length: 28 }, (_, i) => site(`site${i}`));
    const looks = siteStyles(sites, LIGHT).map((style) => `${style.colour} ${style.pattern}`);
    assert.equal(new Set(looks).size, 28);
});

test("lines of one finding have shades of one colour", () => {
    const [first, second] = siteStyles([site("a", 0), site("b", 0)], LIGHT);
    assert.deepEqual(first.colour, LIGHT.findings[0]);
    assert.notDeepEqual(second.colour, first.colour);
    const looks = siteStyles(Array.from({ length: 16 }, (_, i) => site(`site${i}`, 0)), LIGHT).map((style) => `${style.colour} ${style.pattern}`);
    assert.equal(new Set(looks).size, 16);
});

test("growth begins and ends at the events of its steps, said once", () => {
    const steps = Int32Array.of(0, 10, 20, 30, 40);
    const grows = (first_step: number, last_step: number) => ({ growth: { first_step, last_step } }) as Finding;
    assert.deepEqual(changePoints({ steps }, [grows(1, 2), null, grows(1, 3)], [0, 1, 2]), [
        { event: 10, label: "grows from step 1", finding: 0 },
        { event: 20, label: "until step 2", finding: 0 },
    ]);
    assert.deepEqual(changePoints({ steps: new Int32Array(0) }, [grows(1, 2)], [0]), []);
});
