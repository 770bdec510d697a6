// Opens pages in Chromium and compares what they show with the JSON report of the same recording.
//
//     node browser.mjs FOLDER        every NAME.html in it, beside its NAME.json; CHROMIUM names the browser (/usr/bin/chromium)
//
// Where the recording itself lies there as NAME.snapshot.json, its events are added up, and what the page says at several zoom levels is compared with that.
// Pages are opened in turns in light and in dark colours, with LEAKLINE_CI=full each in both.
// Prints a line a page and exits with 1 where one is wrong: a number, a console message, a request, a fault that axe finds.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { availableParallelism } from "node:os";
import { checkBlocks, checkEvents, drawn } from "./blocks.mjs";
import { checkComparison } from "./comparison.mjs";
import { Recorded } from "./recorded.mjs";
import { checkZooms } from "./zooms.mjs";

const require = createRequire(new URL("../../main/web/package.json", import.meta.url));
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const folder = resolve(process.argv[2]);
const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
/** What the project promises for a large recording; small ones have no excuse. Of the processor's time: others may be at work. */
const OPENED_IN_MS = 1500;
/** What a page is told to do is done within a second; one that takes longer than this, however busy the machine, has lost it. */
const ANSWERS_MS = 120_000;
/** A page draws a frame after what it was told to, and a frame may be long where others are at work. */
const PATIENCE_MS = 60_000;
/** Shares of a long recording; names of lines stand further to the right. */
const PLACES = [0.1, 0.4, 0.6];
const SCHEMES = ["light", "dark"];
const isFull = process.env.LEAKLINE_CI === "full";

/** Bytes as the reports write them. */
function bytes(value) {
    const units = ["KiB", "MiB", "GiB", "TiB"];
    let unit = -1;
    while (Math.abs(value) >= 999.5 && unit < units.length - 1) {
        value /= 1024;
        unit++;
    }
    const digits = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    return unit < 0 ? `${value} B` : `${value.toFixed(digits)} ${units[unit]}`;
}

async function open(browser, name, colorScheme, width) {
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
    page.setDefaultTimeout(ANSWERS_MS);
    const session = await page.context().newCDPSession(page);
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
    const noise = [];
    page.on("console", (message) => noise.push(message.text()));
    page.on("pageerror", (error) => noise.push(error.message));
    page.on("dialog", (dialog) => noise.push(`dialog: ${dialog.message()}`) && dialog.dismiss());
    page.on("request", (request) => /^(file|data|blob):/.test(request.url()) || noise.push(`request: ${request.url()}`));
    await page.goto(pathToFileURL(join(folder, `${name}.html`)).href);
    if ((await page.locator("script").count()) > 0) {
        await page.waitForSelector("html[data-ready]", { state: "attached" });
    }
    const { metrics } = await session.send("Performance.getMetrics");
    const busyMs = 1000 * metrics.find((one) => one.name === "TaskDuration").value;
    assert.ok(busyMs > 0 && busyMs < OPENED_IN_MS, `opening it took ${busyMs} ms of work`);
    return { page, noise };
}

/** Repeats what may be done more than once, such as a check, until it holds. */
async function eventually(check) {
    const end = performance.now() + PATIENCE_MS;
    while (true) {
        try {
            return await check();
        } catch (problem) {
            if (performance.now() > end) {
                throw problem;
            }
            await new Promise((later) => setTimeout(later, 20));
        }
    }
}

async function checkNumbers(page, report) {
    const text = await page.evaluate(() => document.body.innerText);
    const title = report.leaks === null ? report.verdict.replaceAll("_", " ") : report.headline;
    assert.equal((await page.locator("h1").innerText()).toLowerCase(), title.toLowerCase(), "the verdict is another");
    assert.ok(text.toLowerCase().includes(report.reason.slice(0, 80).toLowerCase()), "the reason is not there");
    assert.equal(await page.locator("article.finding").count(), report.findings.length, "cards of findings");
    report.findings.forEach((finding) => checkFinding(text, finding));
    const told = [...report.devices.flatMap((device) => [...device.steps.sentences, ...device.sentences]), ...report.dumps.map((dump) => dump.sentence)];
    told.forEach((sentence) => assertTold(text, sentence));
    await checkFunctions(page, report);
    checkFigures(text, report);
    checkConclusion(text, report);
    const device = firstDevice(report);
    if (device === undefined) {
        return;
    }
    assert.ok(text.includes(bytes(device.peak.bytes)), `the peak of ${bytes(device.peak.bytes)} is not there`);
    const rows = page.locator("#table-panel tbody tr");
    const first = device.peak.by_site[0];
    assert.ok((await rows.first().innerText()).includes(bytes(first.bytes)), "the largest line is not the first row");
    await page.locator("#table-panel input").fill("no such line anywhere");
    await eventually(async () => assert.equal(await rows.count(), 0, "the filter lets rows through"));
    await page.locator("#table-panel input").fill("");
}

/** The sentences and figures of a finding are those of the report. */
function checkFinding(text, finding) {
    assert.ok(text.includes(finding.id), `the id ${finding.id} is not there`);
    finding.lines.forEach((line) => assertTold(text, line.text));
    finding.evidence.forEach((piece) => assertTold(text, piece.text));
    finding.advice.forEach((advice) => assertTold(text, advice.why));
}

/** What follows from texts: its lines and sizes, why memory ran out, what is left open and what to do. */
function checkConclusion(text, { conclusion, messages }) {
    if (conclusion !== null) {
        const { sentence, evidence, facts, advice, open } = conclusion;
        [sentence, open, ...[...evidence, ...messages.map(({ title }) => ({ text: title }))].map((one) => one.text)].forEach((one) => assertTold(text, one));
        Object.values(facts).forEach((fact) => assertTold(text, `${bytes(fact.bytes)}${fact.line > 0 ? ` (line ${fact.line.toLocaleString("en")})` : ""}`));
        advice.forEach(({ action, why }) => [action, why].forEach((one) => assertTold(text, one)));
    }
}

/** A sentence is there, but for its beginning, which may be a capital, and for what is too long to be shown. */
function assertTold(text, sentence) {
    const plain = (words) => words.replace(/\s+/g, " ");
    assert.ok(plain(text).includes(plain(sentence).slice(1, 120)), `"${sentence.slice(0, 200)}" is not there`);
}

/** Who holds each finding, the path there or around the cycle, and which reference is the root reference. */
async function checkHolders(page, report) {
    for (const finding of report.findings.filter((one) => one.holders.length > 0)) {
        const [holder] = finding.holders;
        const card = page.locator("article.finding").nth(report.findings.indexOf(finding));
        const hops = holder.cycle === null ? holder.path : holder.cycle.hops;
        const text = (await card.innerText()).replace(/\s+/g, " ");
        assert.ok(text.includes(holder.title.slice(0, 100).replace(/\s+/g, " ")), `the owner ${holder.title.slice(0, 100)} is not there`);
        holder.lines.filter(({ label }) => label !== "path").forEach((line) => assertTold(text, line.text));
        assert.equal(await card.locator("ol.path li").count(), hops.length, "hops of the path");
        const suspects = hops.filter((hop, i) => hop.suspect && (i > 0 || holder.cycle !== null));
        assert.equal(await card.locator(".path .suspect").count(), suspects.length, "suspect references");
        assert.equal(await card.locator("svg.ring rect").count(), holder.cycle === null ? 0 : hops.length, "objects of the ring");
        assert.equal(await card.locator("svg.ring .cut").count(), holder.cycle === null ? 0 : suspects.length, "cuts of the ring");
    }
    assert.equal(await page.locator("#holders").count(), report.dumps.length > 0 ? 1 : 0, "the section of the other owners");
}

/** What profiles of functions say: the score, every pattern, a row for each function. */
async function checkFunctions(page, report) {
    for (const [i, profile] of (report.functions?.profiles ?? []).entries()) {
        const section = page.locator(i === 0 ? "#functions" : `#functions-${i + 1}`);
        const text = await section.innerText();
        const { score, grade } = profile.optimization_score;
        assert.ok(text.includes(score === null ? `grade ${grade}` : `${score} of 100, grade ${grade}`), "the score is not there");
        profile.all_patterns.forEach(({ description }) => assert.ok(text.includes(description.slice(1, 80)), `no "${description}"`));
        assert.equal(await section.locator("tbody tr").count(), Math.min(profile.by_function.length, 50), "rows of functions");
    }
}

/** What figures say is there in words, and the sums of their parts. */
function checkFigures(text, report) {
    for (const series of report.series ?? []) {
        assert.ok(text.includes(series.reason.slice(1, 60)), `"${series.reason}" is not there`);
        assert.ok(text.includes(series.values.slice(1)), `the values of ${series.name} are not there`);
    }
    for (const gap of report.gaps) {
        assert.equal(gap.parts.reduce((sum, part) => sum + part.bytes, 0), gap.used_bytes, "the parts do not add up");
        assert.ok(text.includes(gap.title.slice(1)), `"${gap.title}" is not there`);
        gap.parts.forEach((part) => assert.ok(text.includes(part.text), `"${part.text}" is not there`));
        assert.ok(text.includes(bytes(gap.used_bytes)), "the sum is not there");
    }
    for (const agreement of report.agreements) {
        assert.ok(text.includes(agreement.text.slice(1)), `"${agreement.text}" is not there`);
    }
}

/** Lines of figures are switched off and on again, and the pointer tells what each says. */
async function checkOverlay(page, report) {
    const chart = page.locator("#series .overlay").first();
    if (report.series.length === 0) {
        return;
    }
    const first = page.locator("#series .figure-legend button").first();
    const lines = chart.locator(".low");
    const shown = async () => (await lines.evaluateAll((all) => all.filter((line) => line.getBoundingClientRect().width > 0))).length;
    const before = await shown();
    await first.click();
    await eventually(async () => assert.equal(await shown(), before - 1, "a line cannot be switched off"));
    await first.click();
    await eventually(async () => assert.equal(await shown(), before, "a line does not come back"));
    await chart.hover();
    await eventually(async () => assert.ok(/iB\s+\S/.test(await page.locator(".tooltip").innerText()), "the pointer tells nothing"));
    await page.mouse.move(0, 0);
}

/** The device that a page shows first. */
function firstDevice(report) {
    const [finding] = report.findings;
    const peaks = report.devices.map((device) => device.peak.bytes);
    return finding === undefined
        ? report.devices[peaks.indexOf(Math.max(...peaks))]
        : report.devices.find((device) => device.input === finding.input && device.device === finding.device);
}

/** The moments that have a name: what the bar, the flame graph and the segments say of them is what the report says. */
async function checkMoments(page, report) {
    const device = firstDevice(report);
    if (device === undefined || device.events === 0) {
        return;
    }
    const bar = page.getByRole("group", { name: "Chosen moment" });
    const said = (selector) => page.locator(selector).innerText();
    await page.getByRole("button", { name: "Live", exact: true }).click();
    await bar.getByRole("button", { name: "Peak" }).click();
    await assertSays(said, ".moment-text", [bytes(device.peak.bytes) + " live", bytes(device.peak.reserved_bytes) + " reserved"]);
    await assertSays(said, "#flame .totals-line", [bytes(device.peak.bytes) + " live"]);
    await bar.getByRole("button", { name: "End" }).click();
    await assertSays(said, ".moment-text", [bytes(device.end_bytes) + " live", bytes(device.end_reserved_bytes) + " reserved"]);
    await assertSays(said, "#segments .totals-line", [bytes(device.end_reserved_bytes)]);
    for (const failed of device.out_of_memory) {
        await goToFailure(bar, failed, device.out_of_memory.length);
        await assertSays(said, ".failure", [`This request for ${bytes(failed.requested_bytes)} failed`, `${bytes(failed.device_free_bytes)} were free on the device`]);
        await assertSays(said, ".request", [`${bytes(failed.requested_bytes)} requested`]);
    }
    await checkCursor(page, bar, said);
    await checkGrowth(page, bar, said);
}

async function assertSays(said, selector, texts) {
    await eventually(async () => {
        const text = (await said(selector)).replaceAll("\n", " ");
        texts.forEach((wanted) => assert.ok(text.includes(wanted), `${selector} says "${text}" and not "${wanted}"`));
    });
}

async function goToFailure(bar, failed, count) {
    if (count <= 2) {
        const buttons = await bar.getByRole("button", { name: "Failed request" }).all();
        await buttons[count === 1 ? 0 : Number(failed.event !== Number(await failureEvent(bar)))].click();
    } else {
        await bar.getByRole("combobox").selectOption(String(failed.event));
    }
}

/** The event of the first of two failed requests. */
async function failureEvent(bar) {
    await bar.getByRole("button", { name: "Failed request 1" }).click();
    return (await bar.locator(".moment-text strong").innerText()).replace(/^\D*([\d,]+).*$/, "$1").replaceAll(",", "");
}

/** A click on the timeline, and keys, move the moment; it stays where the reader holds it. */
async function checkCursor(page, bar, said) {
    const canvas = page.locator("#timeline canvas").first();
    await page.getByRole("button", { name: "Reset zoom" }).click();
    const box = await canvas.boundingBox();
    const at = (share) => canvas.click({ position: { x: 68 + (box.width - 78) * share, y: 120 } });
    const moment = () => bar.locator("strong").innerText();
    const changes = (from, problem) => eventually(async () => assert.notEqual(await moment(), from, problem));
    await at(0.3);
    const first = await settled(page, moment);
    await at(0.6);
    await changes(first, "a click does not move the moment");
    const second = await settled(page, moment);
    await eventually(() => checkLegend(bar, said, second));
    const back = bar.getByRole("button", { name: "Previous moment" });
    await back.hover(); // leaves the timeline, which then draws the moment that was clicked
    assert.equal(await settled(page, moment), second, "the moment moves although nothing was clicked");
    await back.click();
    await changes(second, "the step back does nothing");
    await eventually(() => bar.getByLabel("Follow the cursor").uncheck());
    const held = await settled(page, moment);
    await at(0.2);
    assert.equal(await settled(page, moment), held, "the moment moves although it is held");
    await eventually(() => bar.getByLabel("Follow the cursor").check());
    await changes(held, "the moment does not catch up with the cursor");
    await canvas.focus();
    const before = await settled(page, moment);
    await page.keyboard.press("Shift+ArrowRight");
    await changes(before, "arrow keys do not move the moment");
}

/** What is read once the page has drawn what it was told to. */
async function settled(page, read) {
    await drawn(page);
    return read();
}

async function checkLegend(bar, said, moment) {
    const instead = await said(".moment-text .instead");
    const place = (await said(".legend .place")).toLowerCase();
    assert.ok(instead === "" ? place === moment.toLowerCase() : instead.includes(place.split(" · ")[0]), "the legend and the moment disagree");
    if (instead === "") {
        assert.equal(await said(".legend .totals"), await bar.locator("strong + span").innerText(), "the legend and the moment disagree about bytes");
    }
}

/** The difference from the end is none at the end; A is set, and cleared again. */
async function checkGrowth(page, bar, said) {
    const since = page.getByRole("button", { name: "Diff from A" });
    assert.ok(await since.isDisabled(), "there is nothing to compare with yet");
    await bar.getByRole("button", { name: "End" }).click();
    await bar.getByRole("button", { name: "Set A", exact: true }).click();
    await eventually(async () => assert.equal(await since.getAttribute("aria-pressed"), "true"));
    await assertSays(said, "#flame .totals-line", ["0 B more than at A"]);
    await bar.getByRole("button", { name: "Clear A" }).click();
    await eventually(async () => assert.ok(await since.isDisabled(), "A is still there"));
    const found = page.getByRole("button", { name: "Findings", exact: true });
    if (await found.isEnabled()) {
        await found.click();
        await assertSays(said, "#flame .totals-line", ["that findings are about"]);
    }
    await page.getByRole("button", { name: "Live", exact: true }).click();
}

/** From the whole to a few events, the page says of a moment what the recording's events add up to; its list has them. */
async function checkRecording(page, name) {
    const file = join(folder, `${name}.snapshot.json`);
    const snapshot = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
    if (snapshot !== undefined) {
        await checkZooms(page, Recorded.ofJson(snapshot), PLACES);
    }
    await checkEvents(page, snapshot?.device_traces[0]);
}

/** The page's address leads to the same view again; each of the contents leads to a section. */
async function checkAddress(page) {
    const canvas = page.locator("#timeline canvas").first();
    for (const link of await page.locator("nav.contents a").all()) {
        const target = await link.getAttribute("href");
        assert.equal(await page.locator(`section${target}`).count(), 1, `the contents lead to ${target}, which is not there`);
    }
    if ((await canvas.count()) === 0) {
        return;
    }
    await page.getByRole("button", { name: "Reset zoom" }).click();
    await canvas.focus();
    for (const key of ["+", "+", "Enter"]) {
        await page.keyboard.press(key);
    }
    await checkBlocks(page);
    await settled(page, () => page.mouse.move(0, 0));
    const state = async () => [await page.locator(".legend .place").innerText(), await page.locator("#timeline .block-panel").innerText()];
    const isChosen = await page.locator("#timeline .block-panel").isVisible();
    let before = [];
    // The address follows what is shown after a moment.
    await eventually(async () => {
        before = await state();
        const event = /event ([\d,]+)/.exec(before[0])?.[1].replaceAll(",", "") ?? "";
        assert.match(await page.evaluate(() => location.hash), isChosen ? new RegExp(`events=\\d+-\\d+&cursor=${event}&block=`) : /events=\d+-\d+/);
        await new Promise((later) => setTimeout(later, 500));
        assert.deepEqual(await state(), before, "what is shown goes on changing");
        assert.match(await page.evaluate(() => location.hash), isChosen ? new RegExp(`cursor=${event}&block=`) : /events=/);
    });
    await page.reload();
    await page.waitForSelector("html[data-ready]", { state: "attached" });
    await eventually(async () => assert.deepEqual(await state(), before, "the address leads to another moment, or another block"));
    await page.getByRole("button", { name: "Reset zoom" }).click();
    await canvas.focus();
    await page.keyboard.press("Escape");
    await eventually(async () => assert.equal(await page.locator(".block-panel:visible").count(), 0, "Esc leaves the block chosen"));
}

/** On a push each page has every third of its drawings worked with, another third than the page before. */
async function checkInteractions(page, name) {
    const step = isFull ? 1 : 3;
    // What is chosen on one may take others away.
    for (let place = names.indexOf(name) % step; place < (await page.locator("canvas").count()); place += step) {
        const canvas = page.locator("canvas").nth(place);
        await eventually(() => canvas.scrollIntoViewIfNeeded()); // what was chosen before may have it drawn anew
        await canvas.hover();
        await page.mouse.wheel(0, -240);
        await canvas.focus();
        for (const key of ["+", "+", "ArrowRight", "ArrowLeft", "Enter", "-", "Home", "Escape"]) {
            await page.keyboard.press(key);
        }
    }
    for (const tab of await page.locator("[role=tab]").all()) {
        await tab.click();
    }
    if ((await page.locator("[role=tab]").count()) > 0) {
        await page.locator("[role=tab]").first().click();
    }
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(wide <= 0, `the page is ${wide} px wider than its window`);
}

async function checkAccess(page) {
    // Playwright runs this outside of the page's own policy.
    const violations = await page.evaluate(`${axe}; axe.run().then((result) => result.violations)`);
    const faults = violations.map((one) => `${one.id}: ${one.nodes[0].html.slice(0, 120)}`);
    assert.deepEqual(faults, []);
}

async function checkReport(page, name, report) {
    await checkNumbers(page, report);
    await checkHolders(page, report);
    await checkMoments(page, report);
    await checkRecording(page, name);
    await checkAddress(page);
    await checkOverlay(page, report);
    await checkInteractions(page, name);
    await checkPhone(page);
}

/** A phone shows all of it without scrolling sideways. */
async function checkPhone(page) {
    await page.setViewportSize({ width: 390, height: 800 });
    await drawn(page);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(wide <= 0, `the page is ${wide} px wider than a phone`);
}

async function check(browser, name, schemes) {
    const report = JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8"));
    for (const scheme of schemes) {
        const { page, noise } = await open(browser, name, scheme, 1280);
        await (report.schema.startsWith("leakline.diff/") ? checkComparison(page, report, bytes) : checkReport(page, name, report));
        await checkAccess(page);
        assert.deepEqual(noise, [], "messages, dialogs and requests");
        await page.close();
    }
}

/** Checks a page; once more, in another one, where what was done to it got no answer: Chromium now and then loses a click while others want its processors. */
async function checkAgain(browser, name, schemes) {
    try {
        await check(browser, name, schemes);
    } catch (problem) {
        if (problem.name !== "TimeoutError") {
            throw problem;
        }
        console.log(`ok   ${name} is opened again: ${problem.message.split("\n")[0]}`);
        await check(browser, name, schemes);
    }
}

/** Checks pages of a list until there are none; returns how many are wrong. */
async function work(browser, waiting) {
    let failed = 0;
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const [name, scheme] = next;
        const start = performance.now();
        try {
            await checkAgain(browser, name, isFull ? SCHEMES : [scheme]);
            console.log(`ok   ${name}, ${((performance.now() - start) / 1000).toFixed(1)} s`);
        } catch (problem) {
            failed++;
            console.log(`FAIL ${name}: ${problem.message}`);
        }
    }
    return failed;
}

const names = readdirSync(folder).filter((one) => one.endsWith(".html")).sort().map((file) => file.replace(/\.html$/, ""));
const waiting = names.map((name, i) => [name, SCHEMES[i % SCHEMES.length]]);
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const failed = await Promise.all(Array.from({ length: availableParallelism() }, () => work(browser, waiting)));
await browser.close();
process.exitCode = failed.some((count) => count > 0) ? 1 : 0;
