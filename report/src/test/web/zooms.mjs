/**
 * Holds what the timeline draws, its legend, its tooltip and the panels below it say against the events of the recording: of the whole, a tenth,
 * a hundredth, a thousandth and a ten-thousandth of it, each at several places.
 */
import assert from "node:assert/strict";
import { drawn } from "./blocks.mjs";

const LEVELS = 5;
const FACTOR = 10;
/** The events that a view has at least (axis.ts). */
const NARROWEST = 8;
/** Of the timeline in pixels, and how far a turn of the wheel zooms (geometry.ts, input.ts). */
const LEFT = 68;
const RIGHT = 10;
const WHEEL = 0.0016;
/** The line of blocks that are allocated where no frame is the program's: in the backward pass. */
const NOBODY = "(no frame of the program)";
const UNITS = ["B", "KiB", "MiB", "GiB", "TiB"];
/** The page's address follows after as long (state.ts). */
const RESTS_MS = 500;
/** Sizes are written with three digits: the last one is rounded. */
const ROUNDED = 0.0051;
/** Pixels that an edge may be off, as two colours share one. */
const EDGE = 2;

/**
 * Looks at the page everywhere; returns how many figures were compared.
 *
 * @param places shares of the recording
 * @param slack share of the live bytes that blocks may be larger than their requests rounded up, as the allocator leaves small rests uncut
 */
export async function checkZooms(page, recorded, places, slack = 0) {
    const check = new ZoomCheck(page, recorded, slack);
    for (const place of places) {
        await check.at(place);
    }
    await page.getByRole("button", { name: "Reset zoom" }).click();
    return check.compared;
}

class ZoomCheck {
    compared = 0;

    constructor(page, recorded, slack) {
        Object.assign(this, { page, recorded, slack });
        this.canvas = page.locator("#timeline canvas").first();
    }

    async at(place) {
        await this.page.getByRole("button", { name: "Live", exact: true }).click();
        await this.page.getByRole("button", { name: "Reset zoom" }).click();
        await this.canvas.scrollIntoViewIfNeeded();
        const { x: left } = await this.canvas.boundingBox();
        const pixels = (await this.canvas.evaluate((canvas) => canvas.clientWidth)) - LEFT - RIGHT;
        const x = Math.round(left + LEFT + pixels * place) - left; // a whole pixel of the window: wheels have no parts of one
        const events = this.recorded.live.length;
        for (let level = 0; level < LEVELS && events / FACTOR ** level >= NARROWEST; level++) {
            const zoom = FACTOR ** level;
            const who = `at ${place} of the recording, zoomed ${zoom} times,`;
            const column = { from: ((x - LEFT) / pixels) * events, events: events / zoom / pixels };
            await this.hover(x - 1);
            const before = eventOf(await this.said(".legend .place"));
            await this.hover(x);
            await this.pointed(column, before, who);
            await this.drawn(x, who);
            await this.chosen(x, who);
            await this.hover(x);
            await this.page.mouse.wheel(0, -Math.log(FACTOR) / WHEEL);
        }
        await this.blocks(x, pixels, `near ${place} of the recording, block by block,`);
    }

    /** Where single blocks are drawn; the page's address says which events are in view. */
    async blocks(x, pixels, who) {
        const button = this.page.getByRole("button", { name: "Show single blocks" });
        if (await button.isEnabled()) {
            await button.click();
        }
        await this.page.waitForFunction(() => document.querySelector(".grain").textContent.includes("every block"));
        await this.page.waitForTimeout(RESTS_MS);
        const [, from, to] = /events=(\d+)-(\d+)/.exec(await this.page.evaluate(() => location.hash)).map(Number);
        await this.hover(x);
        const event = eventOf(await this.said(".legend .place"));
        await this.pointed({ from: from + ((x - LEFT) / pixels) * (to - from), events: 1 }, event, who, 0);
        await this.drawn(x, who);
        await this.chosen(x, who);
    }

    /** Moves the pointer there, and waits for the frame that shows it. */
    async hover(x) {
        await this.canvas.hover({ position: { x: x + 1, y: 200 } });
        await this.canvas.hover({ position: { x, y: 200 } });
        await this.frame();
    }

    frame() {
        return drawn(this.page);
    }

    /**
     * Legend and tooltip name one event of the column, and say of it what the events add up to. None in the column is higher, unless the column before
     * names it.
     */
    async pointed(column, before, who, least = column.events) {
        const place = await this.said(".legend .place");
        const event = eventOf(place);
        const totals = await this.said(".legend .totals");
        this.assertLive(totals, event, `${who} the legend`);
        await this.assertLines(event, `${who} the legend`);
        const tooltip = (await this.said(".tooltip")).split("\n").filter(Boolean);
        assert.deepEqual(tooltip.slice(-2), [place, totals], `${who} tooltip and legend differ`);
        const grain = Number(/1 column = up to ([\d,]+)/.exec(await this.said("#timeline .grain"))?.[1].replaceAll(",", "") ?? 1);
        assert.ok(Math.abs(event - column.from) <= grain + column.events, `${who} event ${event} is named, ${event - column.from} from the pointer, where a column is ${grain} events`);
        const most = this.recorded.most(Math.floor(column.from), Math.floor(column.from + least));
        const named = Math.max(this.recorded.liveAfter(event), this.recorded.liveAfter(before));
        assert.ok(named >= most * (1 - this.slack), `${who} event ${event} is named, with less than ${most} B, which were live in the column`);
        this.compared += 2;
    }

    /** The colours of the column of pixels have the heights of their lines. */
    async drawn(x, who) {
        const event = eventOf(await this.said(".legend .place"));
        await this.page.mouse.move(0, 0);
        await this.frame();
        const rows = await this.legend();
        const heights = await this.canvas.evaluate(heightsAt, { x, colours: rows.map(({ colour, isSolid }) => (isSolid ? colour : 0)) });
        const pixels = heights.reduce((sum, height) => sum + height, 0);
        const bytes = this.byRow(rows, event);
        const solid = rows.map(({ isSolid }, i) => (isSolid ? bytes[i] : 0));
        const all = solid.reduce((sum, one) => sum + one, 0);
        rows.forEach(({ name, isSolid }, i) => {
            const wanted = (pixels * solid[i]) / Math.max(all, 1);
            const isRight = !isSolid || Math.abs(heights[i] - wanted) <= EDGE + pixels * this.slack;
            assert.ok(isRight, `${who} ${name} is drawn ${heights[i]} of ${pixels} pixels high, and held ${bytes[i]} of ${all} B after event ${event}: ${wanted}`);
            this.compared++;
        });
    }

    /** A click names the same event; bar, flame graph and segments say of it, or of the nearest that they name instead, what the events add up to. */
    async chosen(x, who) {
        await this.hover(x);
        const place = await this.said(".legend .place");
        await this.canvas.click({ position: { x, y: 200 } });
        await this.page.mouse.move(0, 0);
        await this.frame();
        assert.equal(await this.said(".legend .place"), place, `${who} a click names another event`);
        const shown = await this.said(".moment-text strong");
        const isSame = (await this.said(".moment-text .instead")) === "";
        assert.equal(shown.toLowerCase() === place.toLowerCase(), isSame, `${who} the bar names ${shown}, the legend ${place}`);
        const figures = await this.said(".moment-text strong + span");
        this.assertLive(figures, eventOf(shown), `${who} the bar`);
        const [flame, at] = (await this.said("#flame .totals-line")).split(" live at ");
        assert.equal(eventOf(at), eventOf(shown), `${who} the flame graph shows another event`);
        assert.ok(figures.startsWith(`${flame} live`), `${who} the flame graph says ${flame}, the bar ${figures}`);
        const segments = await this.said("#segments .totals-line");
        const [, live, waiting] = /: ([^,]+) live(?:, ([^,]+) freed, waiting)?/.exec(segments);
        const held = bytesOf(live) + bytesOf(waiting ?? "");
        assert.ok(Math.abs(held - bytesOf(flame)) <= 2 * ROUNDED * held, `${who} the segments say "${segments}", the bar ${figures}`);
        await this.canvas.focus();
        await this.page.keyboard.press("Escape");
        this.compared += 4;
    }

    assertLive(totals, event, who) {
        assert.ok(!totals.startsWith("up to"), `${who} knows no exact figure of event ${event}: "${totals}"`);
        const live = this.recorded.liveAfter(event);
        this.assertBytes(totals, live, live, `${who} at event ${event}`);
    }

    /** The bytes are what is said, but for its last digit and what {@code live} bytes may be more. */
    assertBytes(text, bytes, live, who) {
        const said = bytesOf(text);
        assert.ok(Math.abs(said - bytes) <= said * ROUNDED + live * this.slack, `${who} says "${text}" of ${bytes} B`);
        this.compared++;
    }

    async assertLines(event, who) {
        const rows = await this.legend();
        const bytes = this.byRow(rows, event);
        const live = this.recorded.liveAfter(event);
        rows.forEach(({ name, amount }, i) => this.assertBytes(amount, bytes[i], live, `${who} of ${name} at event ${event}`));
    }

    /** What the lines of the legend's rows held; the row of all others has the rest. */
    byRow(rows, event) {
        const bytes = this.recorded.byLine(event);
        const named = rows.map(({ name }) => bytes.get(name) ?? (name.endsWith(" backward") ? bytes.get(NOBODY) : 0));
        const rest = this.recorded.liveAfter(event) - named.reduce((sum, one) => sum + one, 0);
        return rows.map(({ name }, i) => (name === "other" ? rest : named[i]));
    }

    /** The rows of the legend: name, amount and colour. */
    async legend() {
        return this.page.locator(".legend .sites button").evaluateAll((buttons) =>
            buttons.map((one) => {
                const swatch = one.querySelector("canvas");
                const copy = new OffscreenCanvas(swatch.width, swatch.height).getContext("2d", { willReadFrequently: true });
                copy.drawImage(swatch, 0, 0);
                const pixels = new Uint32Array(copy.getImageData(0, 0, swatch.width, swatch.height).data.buffer);
                const text = (name) => one.querySelector(name).textContent;
                return { name: text(".name"), amount: text(".amount"), colour: pixels[0], isSolid: pixels.every((pixel) => pixel === pixels[0]) };
            }),
        );
    }

    said(selector) {
        return this.page.locator(selector).innerText();
    }
}

/** In the page: how many pixels of a column have each colour, or that of the line between two blocks of it. */
function heightsAt(canvas, { x, colours }) {
    const ratio = canvas.width / canvas.clientWidth;
    const copy = new OffscreenCanvas(1, canvas.height).getContext("2d", { willReadFrequently: true });
    copy.drawImage(canvas, -Math.floor(x * ratio), 0);
    const column = new Uint32Array(copy.getImageData(0, 0, 1, canvas.height).data.buffer);
    const paper = getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number);
    const seam = (colour) => [0, 1, 2].reduce((all, i) => all | (Math.round((((colour >> (8 * i)) & 255) + paper[i]) / 2) << (8 * i)), 0xff000000) >>> 0;
    return colours.map((colour) => column.filter((pixel) => colour !== 0 && (pixel === colour || pixel === seam(colour))).length / ratio);
}

function eventOf(place) {
    return /before the first/i.test(place) ? -1 : Number(/event ([\d,]+)/i.exec(place)[1].replaceAll(",", ""));
}

function bytesOf(text) {
    const [, number, unit] = /([\d.,]+) ([KMGT]iB|B)/.exec(text) ?? ["", "0", "B"];
    return Number(number.replaceAll(",", "")) * 1024 ** UNITS.indexOf(unit);
}
