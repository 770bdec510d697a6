package dev.leakline;

import dev.leakline.Input.Demand;
import dev.leakline.codec.Codec;
import dev.leakline.report.html.HtmlReport;
import dev.leakline.report.html.HtmlReport.Bundle;
import dev.leakline.result.AnalysisResult;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Reports as text in memory, and what is read back from them. */
final class Reports {
    /** Lines of code that are listed; no recording has more, so that nothing is left out. */
    static final int ALL = 500;

    private Reports() {}

    /** A result as JSON, which is as the schema says. */
    static String json(AnalysisResult result, boolean hasStacks) {
        StringWriter json = new StringWriter();
        Codec.write(result.shown(ALL, hasStacks), json);
        ReportSchema.check(json.toString());
        return json.toString();
    }

    static String page(AnalysisResult result) throws IOException {
        ByteArrayOutputStream page = new ByteArrayOutputStream();
        HtmlReport.write(result, List.of(), new Bundle("", ""), page);
        return page.toString(StandardCharsets.UTF_8);
    }

    static AnalysisResult read(String report) throws IOException {
        ByteArrayInputStream stream = new ByteArrayInputStream(report.getBytes(StandardCharsets.UTF_8));
        return ((Report) Input.open(InputSource.of("report", stream), Demand.EVIDENCE)).result();
    }
}
