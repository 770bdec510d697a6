package dev.leakline.codec;

import dev.leakline.result.AnalysisResult;
import io.avaje.jsonb.Jsonb;
import org.jspecify.annotations.Nullable;

/** The data of a page: a report, and pictures around it, which nobody reads again. */
final class PageData {
    private PageData() {}

    /** The report of a page, null where it has none. */
    static @Nullable AnalysisResult read(JsonIn json, Jsonb jsonb) {
        AnalysisResult report = null;
        json.beginObject();
        while (json.hasNextField()) {
            if (json.nextField().equals("report")) {
                report = jsonb.adapter(AnalysisResult.class).fromJson(json);
            } else {
                json.skipValue();
            }
        }
        json.endObject();
        return report;
    }
}
