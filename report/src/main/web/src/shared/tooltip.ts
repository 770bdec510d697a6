import { element } from "./dom";
import { shown } from "./format";

/** The one box that follows the pointer. The first line is its heading. */
class Tooltip {
    private readonly box = element("div", "tooltip");

    show(event: MouseEvent, lines: string[]): void {
        if (!this.box.isConnected) {
            this.box.setAttribute("aria-hidden", "true");
            document.body.appendChild(this.box);
        }
        this.box.replaceChildren(...lines.map((line) => element("div", "", shown(line, 160))));
        this.box.hidden = false;
        this.place(event);
    }

    hide(): void {
        this.box.hidden = true;
    }

    private place(event: MouseEvent): void {
        const { width, height } = this.box.getBoundingClientRect();
        const x = event.clientX + 14 + width > window.innerWidth ? event.clientX - width - 10 : event.clientX + 14;
        const y = event.clientY + 16 + height > window.innerHeight ? event.clientY - height - 10 : event.clientY + 16;
        this.box.style.left = `${Math.max(x, 4)}px`;
        this.box.style.top = `${Math.max(y, 4)}px`;
    }
}

export const tooltip = new Tooltip();
