import { element } from "./dom";

/** A button that copies a text, and says for a moment that it did. */
export function copyButton(label: string, text: () => string): HTMLButtonElement {
    const made = element("button", "", label);
    made.type = "button";
    made.addEventListener("click", async () => {
        const isCopied = await copy(text());
        made.textContent = isCopied ? "Copied" : "Could not copy";
        setTimeout(() => (made.textContent = label), 1500);
    });
    return made;
}

async function copy(text: string): Promise<boolean> {
    try {
        await navigator.clipboard.writeText(text);
        return true;
    } catch {
        return copyBySelection(text);
    }
}

/** The old method, for browsers that keep the clipboard from pages that were opened as files. */
function copyBySelection(text: string): boolean {
    const area = element("textarea", "off-screen");
    area.value = text;
    document.body.appendChild(area);
    area.select();
    const isCopied = document.execCommand("copy");
    area.remove();
    return isCopied;
}
