/** What texts say: the lines that the conclusion rests on, sizes, why memory ran out, what is left open, what to do. */
import type { AnalysisResult, Fact } from "report";
import { ofInput } from "../data/inputs";
import { element, section } from "../shared/dom";
import { formatBytes, formatCount, sentence, shown, words } from "../shared/format";
import { adviceList } from "./findingCard";

const TEXT_CHARACTERS = 600;
const MESSAGES = 12;

/** The conclusion from texts; null where no text is among the inputs. */
export function conclusionSection(report: AnalysisResult): HTMLElement | null {
    const said = report.conclusion;
    if (said === null) {
        return null;
    }
    const at = (input: number, line: number): string => (line > 0 ? `${ofInput(`line ${formatCount(line)}`, report, input)}: ` : "");
    const evidence = said.evidence.map(({ input, line, text }) => element("li", "", shown(at(input, line) + text, TEXT_CHARACTERS)));
    const facts = Object.entries(said.facts).flatMap(([name, fact]) => [element("dt", "", label(name, fact)), element("dd", "", figure(fact))]);
    const messages = report.messages.slice(0, MESSAGES).flatMap(({ log, places, title, reasons }) => [
        element("h3", "part", shown(sentence(at(report.logs[log].input, places[0]?.line ?? 0) + title), TEXT_CHARACTERS)),
        element("ul", "", ...reasons.map((reason) => element("li", "", reason))),
    ]);
    return section(
        "texts",
        "In the text",
        "",
        said.sentence !== report.reason && element("p", "", sentence(said.sentence)),
        element("ul", "", ...evidence),
        element("dl", "figures", ...facts),
        ...messages,
        said.open !== "" && element("p", "note", sentence(said.open)),
        said.unread !== null && element("p", "note", sentence(said.unread.sentence)),
        adviceList(said.advice, element("h3", "part", "What to do")),
    );
}

/** The name of a fact: a rate says what it is per. */
function label(name: string, { text }: Fact): string {
    return isRate(text) ? `growth ${text}` : words(name).toLowerCase();
}

function isRate(text: string): boolean {
    return text.startsWith("per ");
}

function figure({ bytes, line, text }: Fact): string {
    const from = line > 0 ? `line ${formatCount(line)}` : isRate(text) ? "" : text;
    return formatBytes(bytes) + (from === "" ? "" : ` (${from})`);
}
