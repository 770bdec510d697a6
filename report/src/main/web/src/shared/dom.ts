/** Builds elements. Text goes in as text only: nothing that a file says is ever parsed as markup. */
import { shown, titleText } from "./format";

export type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | null | undefined>;

/** An element with a class list, attributes and children; strings become text, cut where they are too long to show. */
export function element<K extends keyof HTMLElementTagNameMap>(
    tag: K,
    classes: string = "",
    ...children: Child[]
): HTMLElementTagNameMap[K] {
    const made = document.createElement(tag);
    if (classes !== "") {
        made.className = classes;
    }
    append(made, children);
    return made;
}

export function append(parent: Node, children: Child[]): void {
    for (const child of children) {
        if (child !== null && child !== undefined && child !== false) {
            parent.appendChild(typeof child === "string" ? document.createTextNode(shown(child, 2000)) : child);
        }
    }
}

/** Sets attributes; true means present, false and null mean absent. */
export function attributes<E extends Element>(target: E, values: Attributes): E {
    for (const [name, value] of Object.entries(values)) {
        if (value === null || value === undefined || value === false) {
            target.removeAttribute(name);
        } else {
            target.setAttribute(name, value === true ? "" : String(value));
        }
    }
    return target;
}

export function button(label: string, action: () => void, title: string = ""): HTMLButtonElement {
    const made = attributes(element("button", "", label), { type: "button", title: title === "" ? null : titleText(title) });
    made.addEventListener("click", action);
    return made;
}

/** A group of buttons of which one is pressed. */
export function choice<T extends string>(name: string, options: [T, string][], chosen: T, choose: (value: T) => void): HTMLElement {
    const buttons = options.map(([value, label]) =>
        attributes(
            button(label, () => {
                buttons.forEach((other, i) => other.setAttribute("aria-pressed", String(options[i][0] === value)));
                choose(value);
            }),
            { "aria-pressed": String(value === chosen) },
        ),
    );
    return attributes(element("div", "choice", ...buttons), { role: "group", "aria-label": name });
}

/** A check box with its label. */
export function checkBox(label: string, checked: boolean, change: (checked: boolean) => void): HTMLLabelElement {
    const box = attributes(element("input"), { type: "checkbox", checked });
    box.addEventListener("change", () => change(box.checked));
    return element("label", "check", box, label);
}

/** A field to type a filter into. */
export function searchField(label: string, change: (text: string) => void): HTMLInputElement {
    const field = attributes(element("input", "search"), { type: "search", placeholder: label, "aria-label": label, spellcheck: "false" });
    field.addEventListener("input", () => change(field.value));
    return field;
}

const SVG = "http://www.w3.org/2000/svg";

export function svg<K extends keyof SVGElementTagNameMap>(tag: K, values: Attributes, ...children: Child[]): SVGElementTagNameMap[K] {
    const made = attributes(document.createElementNS(SVG, tag), values);
    append(made, children);
    return made;
}

/** A heading with its section; everything that belongs to it goes into the section. */
export function section(id: string, title: string, note: string, ...children: Child[]): HTMLElement {
    const heading = attributes(element("h2", "", title), { id: `${id}-title` });
    const made = element("section", id, heading, note !== "" && element("p", "note", note), ...children);
    return attributes(made, { id, "aria-labelledby": `${id}-title` });
}
