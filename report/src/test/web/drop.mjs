// Drops files on the page that reads recordings (leakline.html) in Chromium or Firefox, and compares its answers with those of the JVM.
//
//     node drop.mjs PAGE FOLDER        CHROMIUM names the browser (/usr/bin/chromium), or FIREFOX does, which is preferred
//
// FOLDER/cases.json lists cases: name, files, the button that asks more of them, json, a file with the JSON that is expected, and refused, why the
// last file that cannot be read cannot, and stopped, the command that is named where the page gives up first. Prints a line a case and exits with 1 where one is wrong: other JSON or words, a message on the
// console, a violation of the policy, a request, a refusal that takes longer than ten seconds.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const require = createRequire(new URL("../../main/web/package.json", import.meta.url));
const { chromium, firefox } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const [pageFile, folder] = process.argv.slice(2).map((name) => resolve(name));
const isFirefox = process.env.FIREFOX !== undefined;
/** However busy the machine is. */
const PATIENCE_MS = 300_000;
/** Of the processor's time that a file takes which is refused; others may be at work, so it is checked in the full ring alone. */
const REFUSED_MS = 10_000;
const isFull = process.env.LEAKLINE_CI === "full";

const browser = isFirefox
    ? await firefox.launch({ executablePath: process.env.FIREFOX, channel: "moz-firefox" })
    : await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
let failures = 0;
const page = await browser.newPage({ acceptDownloads: true });
const wrong = [];
page.on("console", (message) => wrong.push(`console: ${message.text()}`));
page.on("pageerror", (error) => wrong.push(`error: ${error.message}`));
page.on("request", (request) => {
    if (!/^(blob:|data:)/.test(request.url()) && request.url() !== pathToFileURL(pageFile).href) {
        wrong.push(`request: ${request.url()}`);
    }
});
page.setDefaultTimeout(PATIENCE_MS);
/** Opens the page, or opens it again; what is counted is in no frame of it, of which some have no scripts. */
async function open() {
    await page.goto(pathToFileURL(pageFile).href);
    await page.waitForSelector("html[data-ready]");
    await page.evaluate(() => {
        addEventListener("securitypolicyviolation", (event) => console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`));
        // What is saved, since Firefox tells a test of no download.
        const urlOf = URL.createObjectURL.bind(URL);
        URL.createObjectURL = (blob) => {
            window.saved = blob;
            return urlOf(blob);
        };
        window.longest = 0;
        let last = performance.now();
        const frame = (now) => {
            window.longest = Math.max(window.longest, now - last);
            last = now;
            requestAnimationFrame(frame);
        };
        requestAnimationFrame(frame);
    });
}

/** Drops files, waits for the answer, and gives the JSON that the page saves; null where it answers that nothing is known. */
async function dropped({ files, button }) {
    await page.evaluate(() => {
        delete document.documentElement.dataset.answered;
        delete document.documentElement.dataset.drawn;
    });
    await page.locator("input[type=file]").first().setInputFiles(files);
    const done = () => page.waitForFunction(() => document.documentElement.dataset.drawn !== undefined || document.querySelector("h1.verdict")?.textContent.startsWith("Nothing here"));
    await done();
    if (button !== undefined) {
        await page.evaluate(() => delete document.documentElement.dataset.drawn);
        await page.getByRole("button", { name: button }).click();
        await done();
    }
    const save = page.getByRole("button", { name: "Save JSON" });
    if ((await save.count()) === 0) {
        return null;
    }
    await Promise.all([isFirefox || page.waitForEvent("download"), save.click()]);
    return page.evaluate(() => window.saved.text());
}

function firstDifference(actual, expected) {
    const [a, e] = [actual.split("\n"), expected.split("\n")];
    const i = a.findIndex((line, at) => line !== e[at]);
    return `line ${i + 1}: ${a[i]?.trim().slice(0, 200)} instead of ${e[i]?.trim().slice(0, 200)}`;
}

/** Without what a browser does to blanks, and the page to what cannot be printed. */
function plain(text) {
    return text.replace(/[^\x21-\x7e]/g, "");
}

async function check(one) {
    wrong.length = 0;
    await page.evaluate(() => (window.longest = 0));
    const begun = performance.now();
    const json = await dropped({ ...one, files: one.files.map((name) => resolve(folder, name)) });
    const { answered, drawn } = await page.evaluate(() => ({ ...document.documentElement.dataset }));
    const longest = Math.round(await page.evaluate(() => window.longest));
    if (one.json !== undefined) {
        const expected = readFileSync(join(folder, one.json), "utf8");
        assert.ok(json !== null, `no answer: ${await page.locator("main").innerText()}`);
        assert.ok(json === expected, firstDifference(json, expected));
        assert.notEqual(drawn, "failed", await page.locator(".answer").innerText());
    }
    if (one.stopped !== undefined && drawn === "failed") {
        const said = await page.locator(".answer").innerText();
        assert.ok(said.includes(one.stopped) && said.includes("for 10 s"), said);
    } else if (one.refused !== undefined) {
        const said = await page.locator(".unread li").last().textContent();
        assert.ok(plain(said).includes(plain(one.refused).slice(0, 300)), `${said} instead of ${one.refused}`);
        assert.ok(!isFull || performance.now() - begun < REFUSED_MS, `refused after ${Math.round(performance.now() - begun)} ms`);
    }
    assert.deepEqual(wrong, []);
    return `answered in ${answered} ms, drawn in ${drawn} ms, longest frame ${longest} ms`;
}

async function checkAccess() {
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => window.axe.run(document, { iframes: false }));
    assert.deepEqual(
        violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`),
        [],
    );
}

/** Drops a file really, with the mouse: where the page has it not from a script, as Chromium gives the files of a page that was opened from a disk. */
async function drop(file, x, y) {
    const session = await page.context().newCDPSession(page);
    for (const type of ["dragEnter", "dragEnter", "dragOver", "drop"]) {
        await session.send("Input.dispatchDragEvent", { type, x, y, data: { items: [], files: [file], dragOperationsMask: 1 } });
        await page.waitForTimeout(200); // the report tells the page, which lets it through: a browser then enters the page
    }
    await session.detach();
}

/** Drops on the first page, over a report and over a comparison, whose sides are swapped before; says that a file is empty; explains a text that is not about memory, and keeps it. */
async function checkDoors() {
    const oom = resolve(folder, "oom.txt");
    writeFileSync(oom, "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.50 GiB. GPU 0 has a total capacity of 23.64 GiB of which 1.12 GiB is free.");
    const status = page.getByRole("status");
    const drawn = () => page.waitForFunction(() => document.documentElement.dataset.drawn !== undefined);
    const dropOom = async (y) => {
        await page.evaluate(() => delete document.documentElement.dataset.drawn);
        await drop(oom, 400, y);
        await drawn();
        assert.match(await page.title(), /^1.50 GiB were requested/);
        assert.match(await status.innerText(), /^1.50 GiB were requested.*oom.txt/);
        await page.frameLocator("iframe").getByText("What to do").first().waitFor();
    };
    for (const y of isFirefox ? [] : [300, 500]) {
        await dropOom(y);
    }
    const compared = cases.find(({ button }) => button === "Compare the two");
    if (compared !== undefined) {
        const sides = ({ before, after }) => [before.name, after.name];
        if (!isFirefox) {
            await page.getByRole("button", { name: "Another case" }).click();
        }
        const first = JSON.parse(await dropped(compared));
        await page.evaluate(() => delete document.documentElement.dataset.drawn);
        await page.getByRole("button", { name: "Swap before and after" }).click();
        await drawn();
        await page.getByRole("button", { name: "Save JSON" }).click();
        assert.deepEqual(sides(JSON.parse(await page.evaluate(() => window.saved.text()))), sides(first).reverse());
        if (!isFirefox) {
            await dropOom(500);
        }
    }
    await open();
    await page.getByRole("button", { name: "Explain" }).click();
    assert.equal(await status.innerText(), "pasted text is empty.");
    const empty = resolve(folder, "empty.log");
    writeFileSync(empty, "");
    await page.locator("input[type=file]").first().setInputFiles(empty);
    await page.getByText("empty.log is empty.").waitFor();
    const text = "[rank0]: Watchdog caught collective operation timeout: WorkNCCL(SeqNum=7, OpType=ALLREDUCE, Timeout(ms)=600000) ran for 600029 milliseconds before timing out.";
    await page.locator("textarea").fill(text);
    await page.locator("textarea").press("Control+Enter");
    await drawn();
    await page.frameLocator("iframe").getByText("What to do").first().waitFor();
    await page.getByRole("button", { name: "Save JSON" }).click();
    assert.equal(JSON.parse(await page.evaluate(() => window.saved.text())).conclusion.verdict, "not_memory");
    await page.getByRole("button", { name: "Another case" }).click();
    assert.equal(await page.locator("textarea").inputValue(), text);
    assert.deepEqual(wrong, []);
}

await open();
const cases = JSON.parse(readFileSync(join(folder, "cases.json"), "utf8"));
for (const one of [{ name: "the page itself" }, ...cases]) {
    try {
        const said = one.files === undefined ? await checkAccess().then(checkDoors) : await check(one);
        console.log(`ok ${one.name}${said === undefined ? "" : `: ${said}`}`);
    } catch (problem) {
        failures++;
        console.log(`wrong ${one.name}: ${problem.message}`);
    }
    const again = page.getByRole("button", { name: "Another case" });
    if ((await again.count()) > 0) {
        await again.click();
    } else if (one.files !== undefined) {
        await open();
    }
}
await browser.close();
process.exitCode = failures > 0 ? 1 : 0;
