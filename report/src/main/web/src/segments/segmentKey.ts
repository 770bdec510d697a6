import { drawnSwatch, patternFill, SWATCH, swatch } from "../shared/canvas";
import { element } from "../shared/dom";
import { css, mix } from "../shared/palette";
import { onThemeChange, theme } from "../shared/theme";

/** What the looks of blocks mean. */
export function segmentKey(): HTMLElement {
    const made = element("span", "kinds");
    const build = () => made.replaceChildren(item(live(), "live"), item(waiting(), "freed, waiting for a stream"), item(hole(), "free"));
    onThemeChange(build);
    build();
    return made;
}

function item(mark: HTMLCanvasElement, name: string): HTMLElement {
    return element("span", "kind", mark, name);
}

function live(): HTMLCanvasElement {
    return swatch({ colour: theme().sites[0], pattern: "solid" }, theme());
}

function waiting(): HTMLCanvasElement {
    return drawnSwatch((context) => {
        context.strokeStyle = css(theme().sites[0]);
        context.lineWidth = 3;
        context.strokeRect(1.5, 1.5, SWATCH - 3, SWATCH - 3);
    });
}

function hole(): HTMLCanvasElement {
    return drawnSwatch((context) => {
        context.fillStyle = patternFill(context, "rising", css(theme().paper), css(mix(theme().paper, theme().ink, 0.35)));
        context.fillRect(0, 0, SWATCH, SWATCH);
        context.strokeStyle = css(mix(theme().paper, theme().ink, 0.3));
        context.strokeRect(0.5, 0.5, SWATCH - 1, SWATCH - 1);
    });
}
