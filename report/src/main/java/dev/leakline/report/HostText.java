package dev.leakline.report;

import dev.leakline.report.terminal.Page;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.HostMemory;
import dev.leakline.result.HostMemory.Part;
import dev.leakline.result.HostMemory.Verdict;
import dev.leakline.result.JobProcess;
import dev.leakline.text.ByteSize;
import java.util.List;

/** Prints the host's memory of processes: what it is used for, what of it grows, and what that means. */
public final class HostText {
    /** Processes with a table; JSON has all. */
    private static final int PROCESSES = 4;
    /** Parts that are this small a share of the whole, and do not grow, get no line. */
    private static final double SMALL = 0.005;

    private final Page page;
    private final Style style;

    private HostText(Style style) {
        this.style = style;
        this.page = new Page(style);
    }

    /** The lines, those of processes whose memory leaks first; none where no process was looked at. */
    public static List<String> lines(AnalysisResult result, Style style) {
        HostText text = new HostText(style);
        List<JobProcess> processes = result.processesByHost();
        processes.stream().limit(PROCESSES).forEach(text::process);
        if (processes.size() > PROCESSES) {
            text.page.text("and " + (processes.size() - PROCESSES) + " more processes; --report FILE.json has all");
        }
        return text.page.lines();
    }

    private void process(JobProcess process) {
        HostMemory host = process.hostMemory();
        page.heading("host memory of process " + process.pid() + ": " + ByteSize.format(host.bytes()));
        page.text(host.sentence(), host.verdict() == Verdict.LEAK ? style::alarm : style::bold);
        for (Part part : host.parts()) {
            if (part.bytes() >= host.bytes() * SMALL || part.kind() == host.kind()) {
                row(part.kind().words(), part.bytes(), growth(part));
            }
        }
        long rest = host.parts().stream()
                .filter(part -> part.bytes() < host.bytes() * SMALL && part.kind() != host.kind())
                .mapToLong(Part::bytes)
                .sum();
        row("smaller parts", rest, "");
        row("unexplained", host.unexplained(), "");
        host.experiments()
                .forEach(tried -> page.text("tried " + tried.name() + ": "
                        + (tried.returned() == 0
                                ? "nothing came back"
                                : ByteSize.format(tried.returned()) + " came back, and was not in use")));
        host.advice().forEach(advice -> page.text("- " + advice));
    }

    private static String growth(Part part) {
        return Math.abs(part.growthPerSecond()) < 1
                ? ""
                : "  " + (part.growthPerSecond() > 0 ? "+" : "-") + ByteSize.format(Math.abs(part.growthPerSecond()))
                        + " per second";
    }

    private void row(String name, long bytes, String growth) {
        String size = (bytes < 0 ? "-" : "") + ByteSize.format(Math.abs(bytes));
        page.text(size + " ".repeat(Math.max(1, 11 - size.length())) + name + growth);
    }
}
