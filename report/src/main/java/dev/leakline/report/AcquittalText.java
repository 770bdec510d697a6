package dev.leakline.report;

import dev.leakline.report.terminal.Labels;
import dev.leakline.report.terminal.Page;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.Acquittal;
import dev.leakline.result.AnalysisResult;
import java.util.List;

/** What looks like a leak and is none, and why. */
final class AcquittalText {
    private static final int SHOWN = 5;
    /** Room for the reasons. */
    private static final int LABEL = 15;

    private AcquittalText() {}

    /** The acquittals of a result, the first few in full; none where it has none. */
    static List<String> lines(AnalysisResult result, Style style) {
        Page page = new Page(style);
        List<Acquittal> acquittals = result.acquittals();
        if (!acquittals.isEmpty()) {
            page.heading("what looks like a leak and is none");
        }
        acquittals.stream().limit(SHOWN).forEach(acquittal -> write(acquittal, page));
        if (acquittals.size() > SHOWN) {
            page.text(Labels.count(acquittals.size() - SHOWN) + " more", style::faint);
        }
        return page.lines();
    }

    private static void write(Acquittal acquittal, Page page) {
        String text = Labels.located(acquittal.text(), acquittal.site());
        page.labelled(Labels.words(acquittal.reason()), LABEL, text);
    }
}
