import { firstMoment } from "../data/moments";
import type { PictureSite } from "../data/schema";
import { swatch } from "../shared/canvas";
import { attributes, button, element } from "../shared/dom";
import { formatBytes, shown } from "../shared/format";
import { siteStyles } from "../shared/palette";
import { theme } from "../shared/theme";
import { momentAt, momentPlace, momentTotals, type Moment } from "./moment";
import type { TimelineView } from "./view";

/** The sites, what was found first, then the largest; with what each holds at the moment that is looked at. */
export class Legend {
    readonly root: HTMLElement;
    private readonly heading = element("div", "heading");
    private readonly place = element("div", "place");
    private readonly totals = element("div", "totals");
    private readonly list = element("ol", "sites");
    private readonly amounts: HTMLElement[] = [];
    private readonly rows: HTMLElement[] = [];

    constructor(
        private readonly view: TimelineView,
        private readonly named: (moment: Moment, heading: string) => void,
    ) {
        this.root = element("aside", "legend", this.heading, this.place, this.totals, this.list);
        this.root.setAttribute("aria-label", "Sites");
        this.build();
    }

    /** Makes the rows anew, in the colours of the theme. */
    build(): void {
        const { picture } = this.view;
        const styles = siteStyles(picture.sites, theme());
        this.amounts.length = 0;
        this.rows.length = 0;
        const rows = importance(picture.sites).map((site) => this.row(site, swatch(styles[site], theme())));
        this.list.replaceChildren(...rows);
        this.update();
    }

    private row(site: number, mark: HTMLElement): HTMLElement {
        const { label, finding, file, line } = this.view.picture.sites[site];
        const amount = element("span", "amount");
        const press = button("", () => this.emphasise(site), file === "" ? label : `${file}:${line}`);
        press.append(mark, element("span", "name", shown(label, 120)), amount);
        attributes(press, { "aria-pressed": "false" });
        this.amounts[site] = amount;
        this.rows[site] = press;
        return element("li", finding !== null ? "found" : "", press);
    }

    private emphasise(site: number): void {
        this.view.set({ emphasised: this.isOnly(site) ? null : new Set([site]) });
    }

    private isOnly(site: number): boolean {
        return this.view.emphasised?.size === 1 && this.view.emphasised.has(site);
    }

    /** Shows the figures of the moment that is looked at; of the first where there is none. */
    update(): void {
        const moment = momentAt(this.view, this.view.event ?? firstMoment(this.view.picture));
        const heading = this.headingText();
        this.heading.textContent = heading;
        this.place.textContent = momentPlace(moment);
        this.totals.textContent = momentTotals(moment);
        moment.bySite.forEach((bytes, site) => this.updateRow(site, bytes));
        this.named(moment, heading);
    }

    private headingText(): string {
        const { event, hovered, picture } = this.view;
        if (event !== null) {
            return hovered === null ? "At the cursor" : "Under the pointer";
        }
        return picture.oom.length > 0 ? "At the failed request" : "At the peak";
    }

    private updateRow(site: number, bytes: number): void {
        const text = bytes > 0 ? formatBytes(bytes) : "–";
        if (this.amounts[site].textContent !== text) {
            this.amounts[site].textContent = text;
        }
        this.rows[site].setAttribute("aria-pressed", String(this.view.emphasised?.has(site) ?? false));
    }
}

/** The indexes of sites: those of findings first, then in the order given, which is by their maximum. */
function importance(sites: PictureSite[]): number[] {
    const rank = (site: number) => sites[site].finding ?? Number.MAX_SAFE_INTEGER;
    return sites.map((_, index) => index).sort((a, b) => rank(a) - rank(b) || a - b);
}
