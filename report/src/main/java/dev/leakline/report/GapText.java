package dev.leakline.report;

import dev.leakline.report.terminal.Page;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.Agreement;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.MemoryGap;
import dev.leakline.result.MemoryGap.Part;
import dev.leakline.text.ByteSize;
import dev.leakline.text.Numbers;
import java.util.List;
import java.util.function.UnaryOperator;

/** Prints the memory in use on a device as a sum that adds up, and whether sources agree. */
final class GapText {
    /** Room for a size. */
    private static final int SIZE = 10;
    /** Room for a bar. */
    private static final int BAR = 20;
    /** The most agreements that are listed; disagreements always are. */
    private static final int AGREED = 8;

    private final AnalysisResult result;
    private final Style style;
    private final Page page;

    private GapText(AnalysisResult result, Style style) {
        this.result = result;
        this.style = style;
        this.page = new Page(style);
    }

    static List<String> lines(AnalysisResult result, Style style) {
        GapText text = new GapText(result, style);
        result.gaps().forEach(text::gap);
        text.agreements();
        return text.page.lines();
    }

    private void gap(MemoryGap gap) {
        page.heading(gap.title());
        for (Part part : gap.parts()) {
            line(part.bytes(), (double) part.bytes() / Math.max(gap.usedBytes(), 1), part.text());
        }
        line(gap.usedBytes(), 0, "in use");
        page.text(gap.text());
    }

    private void line(long bytes, double share, String text) {
        String size = ByteSize.format(bytes);
        String lead = "  " + " ".repeat(Math.max(SIZE - size.length(), 0)) + size + "  ";
        String bar = style.columns() > 2 * (lead.length() + BAR) ? style.bar(share, BAR) + "  " : "";
        page.wrap(lead + bar, text, UnaryOperator.identity());
    }

    private void agreements() {
        List<Agreement> all = result.agreements();
        List<Agreement> agreed = all.stream().filter(Agreement::isAgreed).toList();
        if (!all.isEmpty()) {
            page.heading("do the sources agree?");
        }
        all.stream()
                .filter(agreement -> !agreement.isAgreed())
                .forEach(agreement -> page.text("no: " + agreement.text(), style::warning));
        agreed.stream().limit(AGREED).forEach(agreement -> page.text("yes: " + agreement.text()));
        if (agreed.size() > AGREED) {
            page.text("and " + Numbers.grouped(agreed.size() - AGREED) + " more that agree");
        }
    }
}
