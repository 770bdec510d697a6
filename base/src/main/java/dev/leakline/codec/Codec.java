package dev.leakline.codec;

import dev.leakline.result.AnalysisResult;
import dev.leakline.result.FleetReport;
import dev.leakline.result.FunctionReport.RuleSet;
import dev.leakline.result.JobSummary;
import dev.leakline.result.UnknownIfNegative;
import dev.leakline.result.UnknownIfZero;
import dev.leakline.result.jsonb.GeneratedJsonComponent;
import dev.leakline.source.JsonParsers;
import dev.leakline.source.LimitedInput;
import dev.leakline.source.ReadException;
import dev.leakline.source.ReadLimits;
import io.avaje.jsonb.Jsonb;
import java.io.FilterWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.PrettyPrinter;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;

/**
 * Reads and writes results as JSON: {@link AnalysisResult} as {@code leakline.report/1}, {@link JobSummary} as
 * {@code leakline.summary/1}, and others, each with the schema that it names itself. Names are in snake_case, sizes in bytes, times in Unix microseconds, null is what
 * is not known. Fields are added in later versions, never renamed or removed.
 *
 * <p>What there is, the records say; what writes and reads each of them is generated from it when this is compiled. So a field of a record is a
 * field of its JSON, under the name that {@link Names} gives it.
 */
public final class Codec {
    private Codec() {}

    /** Writes a result indented, with a line feed at its end, and flushes, but does not close. */
    public static void write(Record result, Writer out) {
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter().withObjectIndenter(new DefaultIndenter("  ", "\n"));
        try (JsonGenerator generator = new JsonFactory().createGenerator(new Indented(printer), new Unclosed(out))) {
            write(result, generator, Integer.MAX_VALUE);
            generator.writeRaw('\n');
        }
    }

    /** A result as one line, without a line feed. */
    public static String line(Record result) {
        StringWriter line = new StringWriter();
        try (JsonGenerator generator = new JsonFactory().createGenerator(ObjectWriteContext.empty(), line)) {
            write(result, generator, Integer.MAX_VALUE);
        }
        return line.toString();
    }

    /** An object of texts, numbers, truths, lists and such objects as one line, without a line feed. */
    public static String line(Map<String, ?> object) {
        StringWriter line = new StringWriter();
        try (JsonGenerator generator = new JsonFactory().createGenerator(ObjectWriteContext.empty(), line)) {
            new Adapters.Any().toJson(new JsonOut(generator, Integer.MAX_VALUE, false), object);
        }
        return line.toString();
    }

    /** Writes a result as a value of other JSON; of strings of more characters than {@code longest} the beginning is written. */
    public static void write(Record result, JsonGenerator generator, int longest) {
        writeAs(result.getClass(), result, new JsonOut(generator, longest, isExact(result)));
    }

    /** Returns whether figures are written in full: another tool's are what that tool gives. */
    private static boolean isExact(Record result) {
        return result instanceof AnalysisResult report
                && report.functions() != null
                && report.functions().rules() == RuleSet.GPUMEMPROF;
    }

    private static <T> void writeAs(Class<T> type, Object result, JsonOut out) {
        Records.JSON.adapter(type).toJson(out, type.cast(result));
    }

    /**
     * Reads a report, or the report that the data of a page hold, whose pictures are passed over.
     *
     * @throws ReadException where it is no report, or not whole, or goes over a limit
     */
    public static AnalysisResult read(InputStream in, boolean isPage, ReadLimits limits) throws IOException {
        return read(new LimitedInput(in, limits.reportBytes()), limits, AnalysisResult.SCHEMA, json -> {
            AnalysisResult result = isPage
                    ? PageData.read(json, Records.JSON)
                    : Records.JSON.adapter(AnalysisResult.class).fromJson(json);
            return ReportCheck.check(result, json);
        });
    }

    /**
     * Reads a summary of a job's processes.
     *
     * @throws ReadException where it is none, or not whole, or goes over a limit
     */
    public static JobSummary readSummary(InputStream in, ReadLimits limits) throws IOException {
        return read(
                new LimitedInput(in, limits.reportBytes()),
                limits,
                JobSummary.SCHEMA,
                json -> ReportCheck.check(Records.JSON.adapter(JobSummary.class).fromJson(json), json));
    }

    /**
     * Reads what the tables of a fleet answered.
     *
     * @throws ReadException where it is no such answer, or not whole, or goes over a limit
     */
    public static FleetReport readFleet(InputStream in, ReadLimits limits) throws IOException {
        return read(
                in,
                limits,
                FleetReport.SCHEMA,
                json -> ReportCheck.complete(
                        Records.JSON.adapter(FleetReport.class).fromJson(json), json));
    }

    /**
     * Reads an object of whatever properties: each a map, a list, a text, a number or a truth. What is null is left out.
     *
     * @throws ReadException where it is no object, or not whole, or goes over a limit
     */
    public static Map<String, Object> readObject(InputStream in, ReadLimits limits) throws IOException {
        return read(in, limits, AnalysisResult.SCHEMA, Adapters.Any::readMap);
    }

    /** A part that is read from JSON. */
    private interface Part<T> {
        T read(JsonIn json) throws IOException;
    }

    private static <T> T read(InputStream in, ReadLimits limits, String schema, Part<T> part) throws IOException {
        JsonIn json = new JsonIn(in, limits, schema);
        try {
            json.begin();
            return part.read(json);
        } catch (JacksonException e) {
            throw JsonParsers.explain(e, json.offset());
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** Turns on line breaks. */
    private static final class Indented extends ObjectWriteContext.Base {
        private final DefaultPrettyPrinter printer;

        Indented(DefaultPrettyPrinter printer) {
            this.printer = printer;
        }

        @Override
        public PrettyPrinter getPrettyPrinter() {
            return printer;
        }

        @Override
        public boolean hasPrettyPrinter() {
            return true;
        }
    }

    /** Lets whoever owns the writer close it. */
    private static final class Unclosed extends FilterWriter {
        Unclosed(Writer out) {
            super(out);
        }

        @Override
        public void write(char[] characters, int offset, int length) throws IOException {
            out.write(characters, offset, length);
        }

        @Override
        public void close() throws IOException {
            flush();
        }
    }

    /** The forms of all records, some hundred classes: messages of agents and servers, which are maps, do without. */
    private static final class Records {
        static final Jsonb JSON = Jsonb.builder()
                .adapter(new Streams())
                .serializeNulls(true)
                .serializeEmpty(true)
                .add(Adapters::ofEnum)
                .add(Object.class, new Adapters.Any())
                .add(UnknownIfNegative.class, new UnknownIfNegative())
                .add(UnknownIfZero.class, new UnknownIfZero())
                .add(new GeneratedJsonComponent())
                .build();

        private Records() {}
    }

    /** The data of a page: a report, and pictures around it, which nobody reads again. */
    private static final class PageData {
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
}
