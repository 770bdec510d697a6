/** Puts the parts of the page together. Parts of a device are made when that device is first looked at. */
import type { Finding } from "report";
import { deviceName } from "./data/inputs";
import { stretchElements } from "./data/packed";
import { decodePicture, type Picture } from "./data/picture";
import type { PageJson } from "./data/schema";
import { Stretches } from "./data/stretches";
import { EventList } from "./events/eventList";
import { FlameGraph } from "./flame/flame";
import { functionSections } from "./functions/functions";
import { ChosenMoment } from "./moment/chosenMoment";
import { MomentBar, type Cursor } from "./moment/momentBar";
import { SegmentMap } from "./segments/segmentMap";
import { processSections } from "./process/process";
import { seriesSection } from "./series/section";
import { attributes, button, element } from "./shared/dom";
import { fileName, shown } from "./shared/format";
import { colourOwners } from "./shared/palette";
import { toggleTheme } from "./shared/theme";
import { nameState, stateOf, type PageState } from "./state";
import { tables } from "./tables/tables";
import { Timeline } from "./timeline/timeline";
import { conclusionSection } from "./verdict/conclusion";
import { dumpSection } from "./verdict/holders";
import { settingsDetails } from "./verdict/settings";
import { acquittals, coverageSection, deviceFigures, findingCards, leversSection, verdictHead } from "./verdict/verdict";

interface DeviceParts {
    root: HTMLElement;
    timeline: Timeline | null;
}

/** Sections by what is skipped to; each page has the last. */
const CHARTS = ["timeline", "flame", "series", "coverage"];

export class Page {
    readonly root: HTMLElement;
    private readonly made = new Map<number, DeviceParts>();
    private readonly slot = element("div", "device");
    private readonly skip = element("a", "skip", "Skip to the charts");
    private readonly contents = attributes(element("nav", "contents"), { "aria-label": "Contents" });
    private readonly selector: HTMLElement | null;
    /** For each finding the one whose colour it has. */
    private readonly owners: number[];

    constructor(private readonly json: PageJson) {
        const { report, pictures } = json;
        this.owners = colourOwners(report.findings);
        this.selector = pictures.length > 1 ? this.deviceSelector() : null;
        const cards = findingCards(report, this.owners, (finding) => this.finder(this.owners[finding]));
        const series = seriesSection(report);
        const ruledOut = acquittals(report);
        const owners = dumpSection(report);
        const isAnswer = report.findings.length === 0;
        const areOwnersAnswer = isAnswer && report.dumps.some((dump) => dump.rest.some((held) => held.verdict !== "expected"));
        const before = [isAnswer && ruledOut, areOwnersAnswer && owners];
        const after = [!isAnswer && ruledOut, !areOwnersAnswer && owners];
        const main = element("main", "", verdictHead(report), cards, conclusionSection(report), ...before, ...functionSections(report), this.selector, this.slot, ...after, series, ...processSections(report), coverageSection(report));
        this.root = element("div", "page", this.skip, this.masthead(), this.contents, main, element("footer", "colophon", this.colophon()));
        if (pictures.length > 0) {
            this.begin(stateOf(location.hash));
        }
        this.listContents();
    }

    /** Shows what the page's address names, or the device that matters most. */
    private begin(state: PageState | null): void {
        const device = state === null || state.device >= this.json.pictures.length ? this.worstPicture() : state.device;
        this.show(device);
        if (state !== null) {
            this.parts(device).timeline?.restore(state);
        }
    }

    /** The headings of the page, as links, and the first of its charts. */
    private listContents(): void {
        this.skip.href = `#${CHARTS.find((id) => this.root.querySelector(`#${id}`) !== null)}`;
        const links = [...this.root.querySelectorAll("section")].map((part) =>
            attributes(element("a", "", part.querySelector("h2")?.textContent ?? ""), { href: `#${part.id}` }),
        );
        this.contents.replaceChildren(...links);
    }

    private masthead(): HTMLElement {
        const names = this.json.report.inputs.map((input) => fileName(input.path)).join(", ");
        const toggle = button("Light / dark", toggleTheme, "Switch the colours");
        return element("header", "masthead", element("strong", "", "Leakline"), element("span", "inputs", shown(names, 160)), toggle);
    }

    private colophon(): string {
        const { name, version } = this.json.report.tool;
        return `Written by ${name} ${version}. Sizes are bytes allocated, rounding of the allocator included. This page needs no network and stores nothing.`;
    }

    /** The picture of the first finding; where nothing was found, the one with the highest peak. */
    private worstPicture(): number {
        const { findings, devices } = this.json.report;
        if (findings.length > 0) {
            const [first] = findings;
            return Math.max(this.json.pictures.findIndex((picture) => picture.input === first.input && picture.device === first.device), 0);
        }
        const peaks = this.json.pictures.map((_, i) => devices[i].peak.bytes);
        return peaks.indexOf(Math.max(...peaks));
    }

    private deviceSelector(): HTMLElement {
        const options = this.json.pictures.map((picture, i) => {
            const option = element("option", "", shown(deviceName(this.json.report, picture.input, picture.device), 100));
            option.value = String(i);
            return option;
        });
        const select = element("select", "", ...options);
        select.addEventListener("change", () => {
            this.show(Number(select.value));
            this.nameState(Number(select.value));
        });
        return element("label", "selector", "Device", select);
    }

    private show(index: number): void {
        const parts = this.parts(index);
        this.slot.replaceChildren(parts.root);
        this.listContents();
        const select = this.selector?.querySelector("select");
        if (select) {
            select.value = String(index);
        }
    }

    private parts(index: number): DeviceParts {
        let parts = this.made.get(index);
        if (parts === undefined) {
            parts = this.make(index);
            this.made.set(index, parts);
        }
        return parts;
    }

    private nameState(index: number): void {
        const timeline = this.made.get(index)?.timeline;
        if (timeline) {
            nameState(() => ({ device: index, ...timeline.state }));
        }
    }

    private make(index: number): DeviceParts {
        const { report, pictures } = this.json;
        const json = pictures[index];
        const device = report.devices[index];
        const picture = decodePicture(json, new Stretches(stretchElements(index)), this.owners);
        const moment = new ChosenMoment(picture);
        const findings = report.findings.map((finding) => (finding.input === json.input && finding.device === json.device ? finding : null));
        const timeline = hasMemory(picture) ? new Timeline(moment, device.steps, findings, this.owners, () => this.nameState(index)) : null;
        const children = [
            deviceFigures(device, picture.deviceBytes),
            report.findings.some((finding) => finding.growth) ? null : leversSection(device),
            settingsDetails(report.settings),
            timeline?.root ?? element("p", "note", "Nothing was allocated on this device during the recording."),
            this.momentParts(moment, findings, timeline),
            tables(picture, device, report.findings),
        ];
        return { root: element("div", "", ...children), timeline };
    }

    /** What shows one moment: the bar that names it, the flame graph, the segments, the events around it. */
    private momentParts(moment: ChosenMoment, findings: (Finding | null)[], timeline: Timeline | null): HTMLElement | null {
        const { picture } = moment;
        if (picture.allocations.count === 0 && picture.segments.length === 0) {
            return null;
        }
        const name = (event: number) => (timeline === null ? "the end" : timeline.eventName(event));
        const flame = picture.allocations.count > 0 ? new FlameGraph(moment, findings, this.owners, name).root : null;
        const segments = picture.segments.length > 0 ? new SegmentMap(moment).root : null;
        return element("div", "at-moment", ...(timeline === null ? [flame, segments] : this.withCursor(moment, timeline, [flame, segments])));
    }

    /** Parts between the bar and the list of events, which move the timeline's cursor. */
    private withCursor(moment: ChosenMoment, timeline: Timeline, parts: (HTMLElement | null)[]): (HTMLElement | null)[] {
        const cursor: Cursor = {
            pin: (event) => timeline.pin(event),
            pinned: () => timeline.pinned,
            name: (event) => timeline.eventName(event),
            figures: (event) => timeline.eventFigures(event),
        };
        return [new MomentBar(moment, cursor).root, ...parts, new EventList(moment, cursor).root];
    }

    /** What shows a finding in the timeline; null where no site of a picture belongs to it. */
    private finder(finding: number): (() => void) | null {
        const index = this.json.pictures.findIndex((picture) => picture.sites.some((site) => site.finding !== null && this.owners[site.finding] === finding));
        if (index < 0) {
            return null;
        }
        return () => {
            this.show(index);
            const { timeline } = this.parts(index);
            timeline?.emphasise(finding);
            timeline?.root.scrollIntoView({ behavior: "smooth" });
        };
    }
}

/** Whether there is anything to draw over events. */
function hasMemory(picture: Picture): boolean {
    return picture.events > 0 && picture.levels.some((level) => level.live.some((bytes) => bytes > 0) || level.reserved.some((bytes) => bytes > 0));
}
