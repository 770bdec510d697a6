import { readPage } from "./data/decode";
import { isOfFiles } from "./drop/files";
import { Page } from "./page";
import { element } from "./shared/dom";
import { followSystemTheme } from "./shared/theme";

/** The page around this one takes the files that are dropped here. */
addEventListener("dragenter", (event) => {
    if (isOfFiles(event)) {
        parent.postMessage("dragged", "*");
    }
});

async function start(): Promise<void> {
    followSystemTheme();
    const place = document.getElementById("leakline") ?? document.body.appendChild(element("div"));
    try {
        const data = document.getElementById("leakline-data")?.textContent ?? "";
        const page = new Page(await readPage(data.trim()));
        place.replaceChildren(page.root);
        document.documentElement.dataset["ready"] = String(Math.round(performance.now()));
    } catch (problem) {
        const reason = problem instanceof Error ? problem.message : String(problem);
        place.replaceChildren(element("p", "failed", `This page cannot show its data: ${reason}`));
    }
}

if (document.readyState === "loading") {
    document.addEventListener("DOMContentLoaded", () => void start());
} else {
    void start();
}
