/** Checks the page of a comparison, which has no script, against its JSON. */
import assert from "node:assert/strict";

/** Of a desk, and of a phone. */
const WIDTHS = [1280, 390];

/** @param bytes writes a size as the reports do */
export async function checkComparison(page, comparison, bytes) {
    const text = await page.evaluate(() => document.body.innerText);
    assert.equal((await page.locator("h1").innerText()).toLowerCase(), comparison.summary.toLowerCase(), "the summary is another");
    assert.equal(await page.locator(".findings > li").count(), comparison.findings.length, "findings");
    comparison.findings.forEach(({ title }) => assert.ok(text.includes(title.slice(1, 100)), `"${title}" is not there`));
    comparison.caveats.forEach((caveat) => assert.ok(text.includes(caveat.slice(1, 100)), `"${caveat}" is not there`));
    for (const { before, after } of comparison.devices) {
        [before, after].filter((side) => side !== null).forEach((side) => assert.ok(text.includes(bytes(side.peak_bytes)), `the peak of ${bytes(side.peak_bytes)} is not there`));
    }
    assert.ok((await page.locator("svg path, svg polygon, svg polyline").count()) >= comparison.devices.length, "no chart is drawn");
    for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 });
        const more = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        assert.ok(more <= 0, `the page is ${more} px wider than a window of ${width}`);
    }
    await page.emulateMedia({ media: "print" });
    assert.ok(await page.locator("h1").isVisible(), "nothing is printed");
    await page.emulateMedia({ media: null });
}
