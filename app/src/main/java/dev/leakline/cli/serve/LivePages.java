package dev.leakline.cli.serve;

import static dev.leakline.cli.serve.RunPages.begin;
import static dev.leakline.cli.serve.RunPages.end;
import static dev.leakline.report.html.PageFrame.text;

import dev.leakline.cli.serve.LiveWatch.Recording;
import dev.leakline.watch.MemoryHistory;
import dev.leakline.watch.Overview;
import dev.leakline.watch.ProcessMemory;
import dev.leakline.watch.screen.Words;
import java.util.Locale;

/** The page of the processes that run: how full their memory is, how it went, whether it leaks. */
final class LivePages {
    /** Pixels of the chart of a process. */
    private static final int WIDTH = 240;

    private static final int HEIGHT = 28;

    private static final String SCRIPT = """
            const now = document.getElementById("now");
            async function look() {
                try {
                    const answer = await fetch("processes");
                    if (answer.ok && !now.querySelector("button:active")) {
                        const focused = document.activeElement?.value;
                        now.innerHTML = await answer.text();
                        if (focused) [...now.querySelectorAll("button")].find((button) => button.value === focused)?.focus();
                    }
                    setTimeout(look, 1000);
                } catch {
                    document.getElementById("ended").textContent = "The server has ended.";
                }
            }
            now.addEventListener("click", (event) => {
                const pid = event.target.closest("button")?.value;
                if (pid) fetch("record?pid=" + pid, { method: "POST" });
            });
            look();
            """;

    private LivePages() {}

    static String page() {
        return begin("Leakline: processes", SCRIPT)
                + "<p><a href=\"./\">All runs</a></p>\n<h1>Processes that run</h1>\n<p id=\"ended\" role=\"status\"></p>\n<div id=\"now\"></div>\n"
                + end(SCRIPT);
    }

    /** The part of the page that changes while it is looked at. */
    static String now(Overview overview, Recording recording) {
        StringBuilder now = new StringBuilder("<p role=\"status\">").append(text(recording.process()));
        if (!recording.run().isEmpty()) {
            now.append(": <a href=\"").append(RunPages.address(recording.run())).append("\">what keeps its memory</a>");
        }
        now.append(' ').append(text(recording.why())).append("</p>\n");
        if (overview.processes().isEmpty()) {
            return now.append("<p>No process was seen yet that holds GPU memory. <code>leakline serve --pid PID</code>"
                            + " watches the host's memory of a process as well.</p>")
                    .toString();
        }
        now.append(
                "<table><thead><tr><th>Process</th><th>Memory</th><th>History</th><th>Grows an hour</th><th>Verdict</th>"
                        + "<th>Full at</th><th></th></tr></thead>\n<tbody>\n");
        overview.processes().forEach(process -> row(now, process));
        return now.append("</tbody></table>").toString();
    }

    private static void row(StringBuilder now, Overview.Row process) {
        ProcessMemory memory = process.memory();
        now.append("<tr><td>")
                .append(text(Words.name(process.now())))
                .append(' ')
                .append(process.pid());
        now.append("</td><td>");
        process.memories()
                .forEach(one ->
                        now.append(text(one.title() + ": " + one.figures())).append("<br>"));
        now.append("</td><td>").append(memory == null ? "" : chart(memory.history()));
        now.append("</td><td class=\"number\">").append(text(Words.rate(process.now())));
        now.append("</td><td><span class=\"")
                .append(Words.isAlarm(process.now()) ? "leak" : "")
                .append("\">");
        now.append(text(Words.verdict(process.now())))
                .append("</span></td><td>")
                .append(text(Words.full(process)));
        now.append("</td><td>");
        if (!process.isEnded()) {
            now.append("<button value=\"").append(process.pid()).append("\">Who keeps it?</button>");
        }
        now.append("</td></tr>\n");
    }

    private static String chart(MemoryHistory history) {
        if (history.size() == 0) {
            return "";
        }
        long most = history.most();
        double range = Math.max(history.range(), 1);
        double begin = history.time(0);
        double span = Math.max(history.time(history.size() - 1) - begin, Double.MIN_NORMAL);
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < history.size(); i++) {
            double x = (history.time(i) - begin) / span * WIDTH;
            double y = 1 + (most - history.bytes(i)) / range * (HEIGHT - 2);
            line.append(String.format(Locale.ROOT, "%.1f,%.1f ", x, y));
        }
        return "<svg width=\"" + WIDTH + "\" height=\"" + HEIGHT + "\" role=\"img\" aria-label=\"from "
                + text(Words.bytes(history.bytes(0))) + " to " + text(Words.bytes(history.bytes(history.size() - 1)))
                + "\"><polyline fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.5\" points=\"" + line
                + "\"/></svg>";
    }
}
