/** Checks the blocks that a page outlines and names, and its list of events. */
import assert from "node:assert/strict";

/** Of the timeline in pixels (geometry.ts). */
const LEFT = 68;
const RIGHT = 10;
/** Heights at which a block is looked for: the lowest are the largest sites. */
const HEIGHTS = [0.95, 0.85, 0.7, 0.5, 0.3];
const MOVES = ["ArrowDown", "ArrowDown", "ArrowUp", "PageDown"];

/** Waits until the page has drawn what it was told to, and read what it needs for that. */
export async function drawn(page) {
    const frames = () => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    await frames();
    await page.waitForSelector("html:not([data-reading])", { state: "attached" });
    await frames();
}

/** A block under the pointer is named with its line and size; a click outlines it, shows its whole stack, and Esc lets go of it. */
export async function checkBlocks(page) {
    const canvas = page.locator("#timeline canvas").first();
    const button = page.getByRole("button", { name: "Show single blocks" });
    if ((await canvas.count()) === 0) {
        return;
    }
    if (await button.isEnabled()) {
        await button.click();
        await drawn(page);
    }
    await canvas.scrollIntoViewIfNeeded();
    const at = await blockOnCanvas(page, canvas);
    if (at === null) {
        return;
    }
    const [named] = (await page.locator(".tooltip").innerText()).split("\n");
    const before = await canvas.screenshot();
    await canvas.click({ position: at });
    await drawn(page);
    const panel = page.locator("#timeline .block-panel");
    assert.equal((await panel.locator("strong").innerText()).slice(0, 100), named.slice(0, 100), "the panel is about another block than the tooltip");
    assert.match(await panel.locator(".place").innerText(), /^Allocated .* · address 0x[0-9a-f]+$/, "the panel does not say how long the block lives, and where it lies");
    assert.ok((await panel.locator("li, .note").count()) > 0, "the panel has no stack, and does not say so");
    await page.mouse.move(0, 0);
    await drawn(page);
    assert.notDeepEqual(await canvas.screenshot(), before, "the block is not outlined");
}

/** A place on the canvas at which a single block is drawn; null where there is none. */
async function blockOnCanvas(page, canvas) {
    const box = await canvas.boundingBox();
    for (const share of [0.6, 0.3]) {
        for (const height of HEIGHTS) {
            const at = { x: LEFT + (box.width - LEFT - RIGHT) * share, y: 40 + 280 * height };
            await canvas.hover({ position: at });
            await drawn(page);
            if (/: one block of /.test(await page.locator(".tooltip").innerText())) {
                return at;
            }
        }
    }
    return null;
}

/** The list names the chosen event; keys and clicks move the moment; what it says of events is what the recording has, where that is given. */
export async function checkEvents(page, events) {
    const list = page.getByRole("listbox", { name: "Events" });
    if ((await list.count()) === 0 || !(await list.isVisible())) {
        return;
    }
    await list.scrollIntoViewIfNeeded();
    await list.focus();
    for (const key of MOVES) {
        await page.keyboard.press(key);
        await drawn(page);
        await checkChosen(page, list);
    }
    const rows = await list.getByRole("option").allInnerTexts();
    assert.ok(rows.length > 0 && rows.length < 40, `${rows.length} rows are in the document`);
    await list.getByRole("option").first().click();
    await drawn(page);
    await checkChosen(page, list);
    if (events !== undefined) {
        rows.forEach((row) => checkRow(row.split("\n"), events));
    }
}

/** One event everywhere: in the list, beside it, and in the bar. */
async function checkChosen(page, list) {
    const chosen = list.locator("[aria-selected=true]");
    assert.equal(await chosen.count(), 1, "not one event is chosen");
    assert.equal(await list.getAttribute("aria-activedescendant"), await chosen.getAttribute("id"), "the chosen event is not the active one");
    const [number, action] = (await chosen.innerText()).split("\n");
    const moment = await page.locator(".moment-text strong").innerText();
    assert.ok(moment.startsWith(`Event ${number}`) || moment.startsWith("Before"), `event ${number} is chosen, the bar says ${moment}`);
    const heading = await page.locator(".event-details h3").innerText();
    assert.ok(heading.startsWith(action), `${action} is chosen, beside it stands ${heading}`);
}

/** A row is the event of the recording. */
function checkRow([number, action, size, address], events) {
    const event = events[Number(number.replaceAll(",", ""))];
    const isSame = event.action === action || (action === "free" && event.action.startsWith("free"));
    assert.ok(isSame, `event ${number} is ${event.action}, the list says ${action}`);
    assert.equal(Number.parseInt(address, 16), event.addr, `event ${number} is at another address`);
    assert.ok(size.endsWith("iB"), `event ${number} has no size`);
}
