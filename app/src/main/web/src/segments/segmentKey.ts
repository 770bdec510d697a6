import { patternFill, swatch } from "../shared/canvas";
import { attributes, element } from "../shared/dom";
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
    return drawn((context) => {
        context.strokeStyle = css(theme().sites[0]);
        context.lineWidth = 5;
        context.strokeRect(2.5, 2.5, 19, 19);
    });
}

function hole(): HTMLCanvasElement {
    return drawn((context) => {
        context.fillStyle = patternFill(context, "rising", css(theme().paper), css(mix(theme().paper, theme().ink, 0.35)));
        context.fillRect(0, 0, 24, 24);
        context.strokeStyle = css(mix(theme().paper, theme().ink, 0.3));
        context.lineWidth = 2;
        context.strokeRect(1, 1, 22, 22);
    });
}

function drawn(draw: (context: CanvasRenderingContext2D) => void): HTMLCanvasElement {
    const made = attributes(element("canvas", "swatch"), { width: 24, height: 24, "aria-hidden": "true" });
    draw(made.getContext("2d") as CanvasRenderingContext2D);
    return made;
}
