package dev.leakline.cli.serve;

import static dev.leakline.report.html.PageFrame.text;

import dev.leakline.Analysis;
import dev.leakline.cli.serve.Run.Found;
import dev.leakline.report.html.PageFrame;
import dev.leakline.text.ByteSize;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/** The pages of many runs: the list of all, and the history of one finding. */
final class RunPages {
    /** Runs of a page: what people scroll through. */
    private static final int ROWS = 200;

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT).withZone(ZoneId.systemDefault());

    private static final String STYLE = """
            :root { color-scheme: light dark; }
            body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 76rem; padding: 0 1rem; }
            h1 { font-size: 1.4rem; line-height: 1.3; }
            table { border-collapse: collapse; width: 100%; }
            th, td { padding: .3rem .6rem .3rem 0; text-align: left; vertical-align: top; border-top: 1px solid rgb(128 128 128 / 30%);
                overflow-wrap: anywhere; }
            th { font-weight: 600; border: 0; }
            td.time, td.number { white-space: nowrap; font-variant-numeric: tabular-nums; overflow-wrap: normal; }
            .leak, .reference_cycle, .oom, .oom_fragmentation { color: light-dark(#b3400a, #ff9a5c); font-weight: 600; }
            input, button { font: inherit; padding: .2rem .6rem; }
            a { color: light-dark(#0b57a4, #8ab8ff); }
            @media (max-width: 640px) { td, th { display: block; border: 0; padding: .1rem 0; }
                tr { display: block; border-top: 1px solid rgb(128 128 128 / 30%); padding: .5rem 0; } thead { display: none; } }
            """;

    private static final String SCRIPT = """
            const said = document.getElementById("said");
            async function send(file) {
                said.textContent = `Reading ${file.name} …`;
                try {
                    const answer = await fetch("upload?name=" + encodeURIComponent(file.name), { method: "POST", body: file });
                    const text = await answer.text();
                    if (answer.ok) location.href = "run?file=" + encodeURIComponent(text);
                    else said.textContent = `${file.name}: ${text}`;
                } catch (problem) {
                    said.textContent = `${file.name}: the connection ended; a file has 10 s to arrive`;
                }
            }
            document.getElementById("file").addEventListener("change", (event) => event.target.files[0] && send(event.target.files[0]));
            addEventListener("dragover", (event) => event.preventDefault());
            addEventListener("drop", (event) => { event.preventDefault(); if (event.dataTransfer.files[0]) send(event.dataTransfer.files[0]); });
            """;

    private RunPages() {}

    /** The page of runs whose file, verdict or sentence has a text in it, from one on. */
    static String list(List<Run> runs, String wanted, int from, boolean hasPage) {
        String word = wanted.toLowerCase(Locale.ROOT);
        List<Run> shown = runs.stream().filter(run -> isWanted(run, word)).toList();
        StringBuilder page = new StringBuilder(begin("Leakline: runs", SCRIPT));
        page.append("<h1>").append("%,d".formatted(shown.size())).append(shown.size() == 1 ? " run" : " runs");
        page.append(
                        "</h1>\n<form><input type=\"search\" name=\"q\" aria-label=\"Text that a run has\" placeholder=\"file, verdict, line\" value=\"")
                .append(text(wanted))
                .append(
                        "\"> <button>Find</button></form>\n<p><label>Judge a file and save its result: <input type=\"file\" id=\"file\"></label>");
        if (hasPage) {
            page.append(" or <a href=\"page\">judge files in this browser</a>, which saves nothing");
        }
        page.append("; <a href=\"live\">processes that run</a></p>\n<p id=\"said\" role=\"status\"></p>\n")
                .append(
                        "<table><thead><tr><th>Saved</th><th>Run</th><th>Verdict</th><th>Findings</th></tr></thead>\n<tbody>\n");
        int end = Math.min(from + ROWS, shown.size());
        for (Run run : shown.subList(Math.min(from, end), end)) {
            page.append("<tr>").append(time(run)).append("<td>").append(link(run));
            page.append("</td><td><span class=\"").append(text(run.verdict())).append("\">");
            page.append(text(run.verdict().replace('_', ' '))).append("</span>: ");
            page.append(text(run.sentence())).append("</td><td>");
            run.findings().stream()
                    .limit(3)
                    .forEach(found -> page.append("<a href=\"finding?id=")
                            .append(encoded(found.id()))
                            .append("\">")
                            .append(text(found.place()))
                            .append("</a> ")
                            .append(rate(found))
                            .append("<br>"));
            page.append("</td></tr>\n");
        }
        page.append("</tbody></table>\n<p>");
        link(page, wanted, from - ROWS, from > 0, "Newer");
        link(page, wanted, end, end < shown.size(), "Older");
        return page.append("</p>\n").append(end(SCRIPT)).toString();
    }

    private static boolean isWanted(Run run, String word) {
        return word.isEmpty()
                || (run.file() + "\n" + run.verdict() + "\n" + run.sentence())
                        .toLowerCase(Locale.ROOT)
                        .contains(word);
    }

    private static void link(StringBuilder page, String wanted, int from, boolean isThere, String label) {
        if (isThere) {
            page.append("<a href=\"?q=%s&amp;from=%d\">%s</a> ".formatted(encoded(wanted), Math.max(from, 0), label));
        }
    }

    /** The page of one finding: each run that has it, the newest first, and whether later runs of the same folders have not. */
    static String history(List<Run> runs, String id) {
        List<Run> having = runs.stream().filter(run -> run.has(id)).toList();
        StringBuilder page = new StringBuilder(begin("Leakline: a finding over runs", ""));
        page.append("<p><a href=\"./\">All runs</a></p>\n<h1>");
        if (having.isEmpty()) {
            return page.append("No run has this finding</h1>\n").append(end("")).toString();
        }
        Found last = found(having.getFirst(), id);
        page.append(text(last.place())).append(": ").append(text(last.title())).append("</h1>\n<p>");
        List<String> folders = having.stream().map(RunPages::folder).distinct().toList();
        long since = runs.stream()
                .takeWhile(run -> !run.has(id))
                .filter(run -> folders.contains(folder(run)))
                .count();
        page.append("In ")
                .append(having.size() == 1 ? "1 run" : "%,d runs".formatted(having.size()))
                .append(
                        since == 0
                                ? "; the newest run of its folder has it."
                                : "; not in the newest %,d of the same folder.".formatted(since))
                .append(
                        "</p>\n<table><thead><tr><th>Saved</th><th>Run</th><th>At most</th><th>Grows</th></tr></thead>\n<tbody>\n");
        for (Run run : having.subList(0, Math.min(having.size(), ROWS))) {
            Found found = found(run, id);
            page.append("<tr>").append(time(run)).append("<td>").append(link(run));
            page.append("</td><td class=\"number\">").append(ByteSize.format(found.bytes()));
            page.append("</td><td class=\"number\">").append(rate(found)).append("</td></tr>\n");
        }
        return page.append("</tbody></table>\n").append(end("")).toString();
    }

    private static Found found(Run run, String id) {
        return run.findings().stream()
                .filter(found -> found.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private static String folder(Run run) {
        return run.file().substring(0, run.file().lastIndexOf('/') + 1);
    }

    private static String rate(Found found) {
        return Double.isNaN(found.bytesPerStep()) ? "" : ByteSize.format((long) found.bytesPerStep()) + " per step";
    }

    private static String time(Run run) {
        return "<td class=\"time\">" + TIME.format(Instant.ofEpochMilli(run.modified())) + "</td>";
    }

    private static String link(Run run) {
        return "<a href=\"" + address(run.file()) + "\">" + text(run.file()) + "</a>";
    }

    /** The address of the report of a run, for an attribute. */
    static String address(String file) {
        return "run?file=" + encoded(file);
    }

    private static String encoded(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8);
    }

    static String begin(String title, String script) {
        String policy =
                "default-src 'none'; style-src '" + PageFrame.hash(STYLE) + "'; base-uri 'none'; form-action 'self'"
                        + (script.isEmpty() ? "" : "; connect-src 'self'; script-src '" + PageFrame.hash(script) + "'");
        return PageFrame.beginning(policy, Analysis.version(), title, STYLE) + "<main>\n";
    }

    static String end(String script) {
        return "</main>\n" + (script.isEmpty() ? "" : "<script>" + script + "</script>\n") + "</body>\n</html>\n";
    }
}
