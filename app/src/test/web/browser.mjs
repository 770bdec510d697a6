// Opens pages in Chromium and compares what they show with the JSON report of the same recording.
//
//     node browser.mjs FOLDER        every NAME.html in it, beside its NAME.json; CHROMIUM names the browser (/usr/bin/chromium)
//
// Prints a line a page and exits with 1 where one is wrong: a number, a console message, a request, a serious fault that axe finds.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const require = createRequire(new URL("../../main/web/package.json", import.meta.url));
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const folder = resolve(process.argv[2]);
const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
/** What the project promises for a large recording; small ones have no excuse. */
const OPENED_IN_MS = 1500;
const SERIOUS = ["serious", "critical"];

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
    const noise = [];
    page.on("console", (message) => noise.push(message.text()));
    page.on("pageerror", (error) => noise.push(error.message));
    page.on("dialog", (dialog) => noise.push(`dialog: ${dialog.message()}`) && dialog.dismiss());
    page.on("request", (request) => /^(file|data|blob):/.test(request.url()) || noise.push(`request: ${request.url()}`));
    await page.goto(pathToFileURL(join(folder, `${name}.html`)).href);
    await page.waitForSelector("html[data-ready]", { timeout: 15_000 });
    return { page, noise };
}

async function checkNumbers(page, report) {
    const text = await page.evaluate(() => document.body.innerText);
    assert.ok(Number(await page.getAttribute("html", "data-ready")) < OPENED_IN_MS, "opened too slowly");
    assert.ok(text.toLowerCase().includes(report.reason.slice(0, 80).toLowerCase()), "the reason is not there");
    assert.equal(await page.locator("article.finding").count(), report.findings.length, "cards of findings");
    for (const finding of report.findings) {
        assert.ok(text.includes(finding.id), `the id ${finding.id} is not there`);
    }
    const device = report.devices.find((one) => one.device === (report.findings[0] ?? report.peak).device) ?? report.peak;
    assert.ok(text.includes(bytes(device.peak.bytes)), `the peak of ${bytes(device.peak.bytes)} is not there`);
    const rows = page.locator("#table-panel tbody tr");
    const first = device.peak.by_site[0];
    assert.ok((await rows.first().innerText()).includes(bytes(first.bytes)), "the largest line is not the first row");
    await page.locator("#table-panel input").fill("no such line anywhere");
    assert.equal(await rows.count(), 0, "the filter lets rows through");
    await page.locator("#table-panel input").fill("");
}

async function checkInteractions(page) {
    for (const canvas of await page.locator("canvas").all()) {
        await canvas.scrollIntoViewIfNeeded();
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
    await page.locator("[role=tab]").first().click();
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(wide <= 0, `the page is ${wide} px wider than its window`);
}

async function checkAccess(page) {
    // Playwright runs this outside of the page's own policy.
    const violations = await page.evaluate(`${axe}; axe.run().then((result) => result.violations)`);
    const faults = violations.filter((one) => SERIOUS.includes(one.impact)).map((one) => `${one.id}: ${one.nodes[0].html.slice(0, 120)}`);
    assert.deepEqual(faults, []);
}

async function check(browser, name) {
    const report = JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8"));
    for (const scheme of ["light", "dark"]) {
        const { page, noise } = await open(browser, name, scheme, 1280);
        await checkNumbers(page, report);
        await checkInteractions(page);
        await checkAccess(page);
        assert.deepEqual(noise, [], "messages, dialogs and requests");
        await page.close();
    }
}

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
let failed = 0;
for (const file of readdirSync(folder).filter((one) => one.endsWith(".html")).sort()) {
    const name = file.replace(/\.html$/, "");
    try {
        await check(browser, name);
        console.log(`ok   ${name}`);
    } catch (problem) {
        failed++;
        console.log(`FAIL ${name}: ${problem.message}`);
    }
}
await browser.close();
process.exitCode = failed > 0 ? 1 : 0;
