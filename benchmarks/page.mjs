// Opens the page of a large recording in Chromium: holds what it shows at five zoom levels against the recording, and measures frames.
//
//     benchmarks/page_events.py SNAPSHOT EVENTS && ./leakline report SNAPSHOT --html PAGE.html
//     node benchmarks/page.mjs PAGE.html EVENTS SNAPSHOT        CHROMIUM names the browser (/usr/bin/chromium)
//
// Needs npm ci in report/src/main/web. Of one place the page is also held against the JSON report of each event that it names, to the last digit it shows;
// that takes a report for each.
import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Recorded } from "../report/src/test/web/recorded.mjs";
import { checkZooms } from "../report/src/test/web/zooms.mjs";

const require = createRequire(new URL("../report/src/main/web/package.json", import.meta.url));
const { chromium } = require("playwright-core");

/** Shares of the recording; names of lines stand further to the right. */
const PLACES = [0.03, 0.11, 0.2, 0.29, 0.37, 0.46, 0.5, 0.55, 0.64, 0.7];
/** Blocks over a mebibyte may keep a rest of up to another uncut, which the events do not tell: of some 200 MiB up to 1.3 MiB were seen. */
const SLACK = 0.01;
const REPORTED_PLACE = 0.64;
const FRAMES = 150;
/** A frame as long as this is one of 50 a second. */
const SMOOTH_MS = 20;

/** What the JSON report says of single events. */
class Reported {
    known = new Map();

    constructor(snapshot, events) {
        Object.assign(this, { snapshot, live: { length: events } });
    }

    peakAt(event) {
        if (!this.known.has(event)) {
            const options = ["report", this.snapshot, "--from", event, "--to", event + 1, "--format", "json"];
            const json = execFileSync(fileURLToPath(new URL("../leakline", import.meta.url)), options, { stdio: ["ignore", "pipe", "ignore"], maxBuffer: 2 ** 28 });
            this.known.set(event, JSON.parse(json).devices[0].peak);
        }
        return this.known.get(event);
    }

    liveAfter(event) {
        return this.peakAt(event).bytes;
    }

    byLine(event) {
        const name = ({ file, line, function: of, kind, label }) => (file === "" ? label : `${file.slice(file.lastIndexOf("/") + 1)}:${line} (${of})${kind === "backward" ? " backward" : ""}`);
        return new Map(this.peakAt(event).by_site.map((site) => [name(site), site.bytes]));
    }

    /** Reports are of single events. */
    most() {
        return 0;
    }
}

const [file, events, snapshot] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
page.on("pageerror", (problem) => console.log(`error in the page: ${problem.message}`));
const session = await page.context().newCDPSession(page);
await session.send("Performance.enable", { timeDomain: "threadTicks" });
await page.goto(pathToFileURL(resolve(file)).href);
await page.waitForSelector("html[data-ready]", { state: "attached" });
console.log(`${(statSync(file).size / 2 ** 20).toFixed(2)} MiB, opened with ${(await busyMs()).toFixed(0)} ms of work`);
const all = recorded(events);
console.log(`five zoom levels, ${PLACES.length} places: ${await checkZooms(page, all, PLACES, SLACK)} figures agree with the events`);
if (snapshot !== undefined) {
    const reported = new Reported(snapshot, all.live.length);
    const figures = await checkZooms(page, reported, [REPORTED_PLACE]);
    console.log(`five zoom levels, ${reported.known.size} reports: ${figures} figures agree with the JSON`);
}
for (const [name, gesture] of Object.entries({ zoom, pan, point })) {
    await measure(name, gesture);
}
await browser.close();

function recorded(folder) {
    const { names, before } = JSON.parse(readFileSync(join(folder, "lines.json"), "utf8"));
    const changes = readFileSync(join(folder, "changes.f64"));
    return new Recorded(new Float64Array(changes.buffer, changes.byteOffset, changes.length / 8), readFileSync(join(folder, "lines.u8")), names, before);
}

/** Milliseconds that the page's main thread has worked. */
async function busyMs() {
    const { metrics } = await session.send("Performance.getMetrics");
    return 1000 * metrics.find((one) => one.name === "TaskDuration").value;
}

/** Makes a gesture, a part of it each frame; prints how long frames took, and the work of one. */
async function measure(name, gesture) {
    await page.getByRole("button", { name: "Reset zoom" }).click();
    await page.locator("#timeline canvas").first().focus();
    const before = await busyMs();
    const times = await page.evaluate(gesture, FRAMES);
    const work = (await busyMs()) - before;
    const frames = times.slice(1).map((time, i) => time - times[i]).sort((a, b) => a - b);
    const at = (share) => frames[Math.floor(share * (frames.length - 1))].toFixed(1);
    const smooth = frames.filter((frame) => frame <= SMOOTH_MS).length;
    console.log(`${name}: a frame ${at(0.5)} ms (median), ${at(0.95)} ms (95 %), ${smooth} of ${frames.length} within ${SMOOTH_MS} ms; work ${(work / FRAMES).toFixed(1)} ms a frame`);
}

/** In the page: turns the wheel in and out again. */
function zoom(frames) {
    const canvas = document.querySelector("#timeline canvas");
    const { left, top, width } = canvas.getBoundingClientRect();
    return new Promise((done) => {
        const times = [];
        const next = (time) => {
            times.push(time);
            const deltaY = Math.sin((times.length / frames) * 2 * Math.PI) > 0 ? -90 : 90;
            canvas.dispatchEvent(new WheelEvent("wheel", { deltaY, clientX: left + width * 0.4, clientY: top + 150, bubbles: true, cancelable: true }));
            times.length > frames ? done(times) : requestAnimationFrame(next);
        };
        requestAnimationFrame(next);
    });
}

/** In the page: zooms in a hundred times, and turns the wheel sideways. */
function pan(frames) {
    const canvas = document.querySelector("#timeline canvas");
    const { left, top, width } = canvas.getBoundingClientRect();
    const turn = (deltaX, deltaY) =>
        canvas.dispatchEvent(new WheelEvent("wheel", { deltaX, deltaY, clientX: left + width * 0.4, clientY: top + 150, bubbles: true, cancelable: true }));
    turn(0, -Math.log(100) / 0.0016);
    return new Promise((done) => {
        const times = [];
        const next = (time) => {
            times.push(time);
            turn(8, 0);
            times.length > frames ? done(times) : requestAnimationFrame(next);
        };
        requestAnimationFrame(next);
    });
}

/** In the page: moves the pointer along. */
function point(frames) {
    const canvas = document.querySelector("#timeline canvas");
    const { left, top } = canvas.getBoundingClientRect();
    return new Promise((done) => {
        const times = [];
        const next = (time) => {
            times.push(time);
            canvas.dispatchEvent(new PointerEvent("pointermove", { clientX: left + 80 + times.length * 4, clientY: top + 150, bubbles: true }));
            times.length > frames ? done(times) : requestAnimationFrame(next);
        };
        requestAnimationFrame(next);
    });
}
