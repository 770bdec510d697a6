// Makes the pictures of the README and of docs/report.md anew: docs/verdict.png, docs/timeline.png, docs/blocks.png, docs/events.png, docs/segments.png.
//
//     node report/src/test/web/screenshots.mjs        CHROMIUM names the browser (/usr/bin/chromium)
//
// Needs npm ci in report/src/main/web, and what ./leakline needs.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { drawn } from "./blocks.mjs";

const require = createRequire(new URL("../../main/web/package.json", import.meta.url));
const { chromium } = require("playwright-core");

const repository = fileURLToPath(new URL("../../../../", import.meta.url));
const docs = join(repository, "docs");
const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
const WIDTH = 1280;
const MARGIN = 8;
/** Enough of the segments: the rest looks the same. */
const SEGMENTS = 540;
/** Where on the timeline, zoomed to the peak of the second sample, a block of 94 MiB is drawn. */
const BLOCK = { x: 335, y: 145 };

const LEAK = ["--source", "examples", "examples/train_with_a_leak.pickle.gz", "examples/train_with_a_leak.holders.gz"];
const TOO_LARGE = ["examples/fit/train_too_large.pickle.gz"];
const FAILURE = ["testkit/scenarios/recorded/oom_pinned_by_statistics.pickle.gz"];

/** Writes a page into a folder; returns its address. */
function made(folder, name, options) {
    const page = join(folder, `${name}.html`);
    execFileSync(join(repository, "leakline"), ["report", "--html", page, ...options], { cwd: repository, stdio: "ignore" });
    return pathToFileURL(page).href;
}

/** Takes a picture from the top of the first element to the bottom of the last, or to a height. */
async function take(page, name, first, last, most = Infinity) {
    const top = await page.evaluate((selector) => document.querySelector(selector).getBoundingClientRect().top + scrollY, first);
    const bottom = await page.evaluate((selector) => document.querySelector(selector).getBoundingClientRect().bottom + scrollY, last);
    const height = Math.min(bottom - top + 2 * MARGIN, most);
    const path = join(docs, `${name}.png`);
    await page.screenshot({ path, fullPage: true, clip: { x: 0, y: Math.max(top - MARGIN, 0), width: WIDTH, height } });
    console.log(`docs/${name}.png: ${statSync(path).size} bytes`);
}

async function open(browser, url) {
    const page = await browser.newPage({ viewport: { width: WIDTH, height: 900 }, colorScheme: "light", deviceScaleFactor: 1 });
    await page.goto(url);
    await page.waitForSelector("html[data-ready]");
    await page.evaluate(() => document.fonts.ready);
    return page;
}

/** Chooses a block, where single blocks are drawn. */
async function chooseBlock(page) {
    const canvas = page.locator("#timeline canvas").first();
    await page.getByRole("button", { name: "Zoom to peak" }).click();
    await drawn(page);
    await canvas.click({ position: BLOCK });
    await page.mouse.move(0, 0);
    await drawn(page);
}

const folder = mkdtempSync(join(tmpdir(), "leakline-shots-"));
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
try {
    mkdirSync(docs, { recursive: true });
    const leak = await open(browser, made(folder, "leak", LEAK));
    await take(leak, "verdict", ".verdict", "article.finding .held");
    await take(leak, "timeline", "#timeline .with-legend", "#timeline .with-legend");
    const tooLarge = await open(browser, made(folder, "too-large", TOO_LARGE));
    await chooseBlock(tooLarge);
    await take(tooLarge, "blocks", "#timeline .with-legend", "#timeline .with-legend");
    await take(tooLarge, "events", "#events .events-beside", "#events .events-beside");
    const failure = await open(browser, made(folder, "failure", FAILURE));
    await take(failure, "segments", "#segments .failure", "#segments", SEGMENTS);
} finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
}
