// Bundles every test of ../../test/web and runs it with node's own test runner.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const tests = join(here, "../../test/web");
const folder = mkdtempSync(join(tmpdir(), "leakline-web-"));
try {
    const names = readdirSync(tests).filter((name) => name.endsWith(".test.ts"));
    const entryPoints = names.map((name) => join(tests, name));
    await build({ entryPoints, bundle: true, platform: "node", format: "esm", outdir: folder, outExtension: { ".js": ".mjs" } });
    const files = names.map((name) => join(folder, name.replace(/\.ts$/, ".mjs")));
    process.exitCode = spawnSync(process.execPath, ["--test", ...files], { stdio: "inherit" }).status ?? 1;
} finally {
    rmSync(folder, { recursive: true, force: true });
}
