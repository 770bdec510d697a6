// Clicks through what leakline serve shows, in Chromium: uploads a file, sees its answer, then the history of its finding, and processes that run.
//
//     node serve.mjs ADDRESS FILE        CHROMIUM names the browser (/usr/bin/chromium)
//
// Exits with 1 where a page is wrong, a message is on the console, or the policy is violated.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { basename } from "node:path";

const require = createRequire(new URL("../../main/web/package.json", import.meta.url));
const { chromium } = require("playwright-core");

const [address, file] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
const page = await browser.newPage();
const wrong = [];
page.setDefaultTimeout(300_000);
page.on("console", (message) => wrong.push(message.text()));
page.on("pageerror", (error) => wrong.push(error.message));
await page.addInitScript(() => addEventListener("securitypolicyviolation", (event) => console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`)));

await page.goto(address);
const before = Number((await page.locator("h1").innerText()).split(" ")[0]);
await page.locator("input[type=file]").setInputFiles(file);
await page.waitForURL(/run\?file=/);
await page.getByText("GPU memory grows by").first().waitFor();
await page.goto(address);
assert.equal(await page.locator("h1").innerText(), `${before + 1} runs`);
await page.getByRole("link", { name: new RegExp(`${basename(file)}.json$`) }).waitFor();
await page.locator("a[href^=finding]").first().click();
await page.getByText("the newest run of its folder has it").waitFor();
await page.getByRole("link", { name: "All runs" }).click();
await page.getByRole("searchbox").fill("no such run");
await page.getByRole("button", { name: "Find" }).click();
await page.getByRole("heading", { name: "0 runs" }).waitFor();
await page.goto(address);
await page.getByRole("link", { name: "processes that run" }).click();
await page.getByText("24.0 GiB").first().waitFor();
await page.locator("svg polyline").waitFor();
await page.getByRole("button", { name: "Who keeps it?" }).click();
await page.getByText("was not recorded").waitFor();
assert.deepEqual(wrong, []);
await browser.close();
