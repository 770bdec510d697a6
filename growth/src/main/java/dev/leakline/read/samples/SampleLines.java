package dev.leakline.read.samples;

import dev.leakline.columns.ProcessSample;
import java.io.StringWriter;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Samples as lines of JSON: {@code t} (seconds), {@code pid}, and any of {@code name}, {@code started}, {@code device}, and in bytes {@code
 * used}, {@code reserved}, {@code allocated}, {@code pinned}, {@code rss}, {@code rss_children}, {@code device_total}, {@code host_limit}. What
 * is missing or null is not known; fields of other names are passed over.
 */
public final class SampleLines {
    private static final JsonFactory JSON = new JsonFactory();
    private static final String[] NAMES = {
        "started",
        "device",
        "used",
        "reserved",
        "allocated",
        "pinned",
        "rss",
        "rss_children",
        "device_total",
        "host_limit"
    };

    private SampleLines() {}

    /** A sample; null where the line is none, such as one that was cut off. */
    public static @Nullable ProcessSample read(String line) {
        try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), line)) {
            return json.nextToken() == JsonToken.START_OBJECT ? read(json) : null;
        } catch (JacksonException e) {
            return null;
        }
    }

    private static @Nullable ProcessSample read(JsonParser json) {
        double t = Double.NaN;
        long pid = ProcessSample.UNKNOWN;
        String name = null;
        long[] values = new long[NAMES.length];
        java.util.Arrays.fill(values, ProcessSample.UNKNOWN);
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
            String field = json.currentName();
            JsonToken value = json.nextToken();
            if (value.isStructStart()) {
                json.skipChildren();
            } else if (value == JsonToken.VALUE_STRING && field.equals("name")) {
                name = json.getString();
            } else if (value.isNumeric()) {
                double number = json.getDoubleValue();
                switch (field) {
                    case "t" -> t = number;
                    case "pid" -> pid = (long) number;
                    default -> set(values, field, number);
                }
            }
        }
        boolean isWhole = json.currentToken() == JsonToken.END_OBJECT && Double.isFinite(t) && pid >= 0;
        return isWhole
                ? new ProcessSample(
                        t,
                        pid,
                        name,
                        values[0],
                        (int) values[1],
                        values[2],
                        values[3],
                        values[4],
                        values[5],
                        values[6],
                        values[7],
                        values[8],
                        values[9])
                : null;
    }

    private static void set(long[] values, String field, double number) {
        for (int i = 0; i < NAMES.length; i++) {
            if (NAMES[i].equals(field)) {
                values[i] = (long) number;
            }
        }
    }

    /** A line for a sample, without a line feed. */
    public static String write(ProcessSample sample) {
        StringWriter line = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), line)) {
            json.writeStartObject();
            json.writeNumberProperty("t", java.math.BigDecimal.valueOf(Math.round(sample.t() * 1000), 3));
            json.writeNumberProperty("pid", sample.pid());
            if (sample.name() != null) {
                json.writeStringProperty("name", sample.name());
            }
            long[] values = {
                sample.started(),
                sample.device(),
                sample.used(),
                sample.reserved(),
                sample.allocated(),
                sample.pinned(),
                sample.rss(),
                sample.rssChildren(),
                sample.deviceTotal(),
                sample.hostLimit()
            };
            for (int i = 0; i < NAMES.length; i++) {
                if (values[i] >= 0) {
                    json.writeNumberProperty(NAMES[i], values[i]);
                }
            }
            json.writeEndObject();
        }
        return line.toString();
    }
}
