package dev.leakline;

import static dev.leakline.FigureFiles.MB;
import static dev.leakline.FigureFiles.analyse;
import static dev.leakline.FigureFiles.file;
import static dev.leakline.FigureFiles.seconds;
import static dev.leakline.FigureFiles.series;
import static dev.leakline.FigureFiles.steps;
import static dev.leakline.Reports.json;
import static dev.leakline.Reports.page;
import static dev.leakline.Reports.read;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.columns.MemorySeries;
import dev.leakline.columns.MemorySeries.Axis;
import dev.leakline.columns.MemorySeries.Quantity;
import dev.leakline.columns.MemorySeries.Source;
import dev.leakline.columns.MemorySeries.Subject;
import dev.leakline.report.TextReport;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.AnalysisResult;
import dev.leakline.testkit.Thoroughness;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reports of figures: as text, as JSON, as a page, and read again. */
class FigureReportTest {
    private static final String HOSTILE = "\u001b[2J</script>\u202e" + "x".repeat(300);
    /** On a push one or two of the nine values at each place. */
    private static final int ONE_IN = Thoroughness.of(5, 1);

    private final AnalysisResult result = analyse(24_576 * MB, log(), smi());

    @Test
    void theTextNamesWhatGrows_andTheSumThatCloses() {
        String text = text(result, 110);
        assertThat(text)
                .contains("leak   allocated memory grows by 3.00 MiB per step")
                .contains("(no line: allocated memory of device 0 (memory_stats))")
                .contains("allocated memory of device 0 (memory_stats) in train.jsonl: grows by 3.00 MiB per step")
                .contains("peak 1.38 GiB at step 237")
                .contains("memory of device 0 at its peak, by nvidia-smi")
                .contains("in use")
                .contains("the device is full in 7,")
                .doesNotContain("by torch", "  grows    ");
    }

    @Test
    void noLineIsWiderThanTheTerminal() {
        for (int columns : new int[] {40, 61, 110}) {
            assertThat(text(result, columns).lines())
                    .allMatch(line -> line.length() <= columns || line.matches("\\s*\\S*/\\S*"));
            assertThat(text(hostile(), columns).lines())
                    .allMatch(line -> line.length() <= columns || line.matches("\\s*\\S*/\\S*"));
        }
    }

    @Test
    void namesOfStrangersAreMadePrintable() {
        assertThat(text(hostile(), 100)).doesNotContain("\u001b", "\u202e");
    }

    @Test
    void theJsonHasEachFigure() {
        JsonNode json = new JsonMapper().readTree(json(result, true));
        JsonNode series = json.get("series").get(0);
        assertThat(series.get("quantity").asString()).isEqualTo("allocated");
        assertThat(series.get("source").asString()).isEqualTo("memory_stats");
        assertThat(series.get("axis").asString()).isEqualTo("step");
        assertThat(series.get("unit").asString()).isEqualTo("bytes");
        assertThat(series.get("shape").asString()).isEqualTo("grows");
        assertThat(series.get("trend").get("per_unit").asDouble()).isEqualTo(3.0 * MB);
        assertThat(series.get("peak").get("value").asLong()).isEqualTo((700 + 3 * 237) * MB);
        assertThat(series.get("curve").size()).isEqualTo(238);
        assertThat(json.get("gaps").get(0).get("parts").get(0).get("kind").asString())
                .isEqualTo("allocated");
        assertThat(json.get("findings").get(0).get("steps_to_oom").asDouble()).isGreaterThan(7_000);
        assertThat(json.get("inputs").get(0).get("torch").isNull()).isTrue();
        assertThat(json.get("devices").isEmpty()).isTrue();
    }

    @Test
    void whatIsReadAgain_isTheSame() throws IOException {
        for (AnalysisResult original : List.of(result, hostile(), analyse(log(), few()))) {
            AnalysisResult ofJson = read(json(original, true));
            assertThat(json(ofJson, true)).isEqualTo(json(original, true));
            assertThat(text(ofJson, 100)).isEqualTo(text(original, 100));
        }
        AnalysisResult ofPage = read(page(result));
        assertThat(json(ofPage, true)).isEqualTo(json(result, true));
        assertThat(text(ofPage, 100)).isEqualTo(text(result, 100));
    }

    /** Whatever takes the place of a value, the report is printed or refused in words. */
    @Test
    void noValueOfAnyKindBreaksTheReport() {
        String json = json(analyse(file("train.jsonl", steps(Quantity.ALLOCATED, 9, step -> step * MB)), smi()), true);
        String[] values = {"null", "-1", "9223372036854775807", "1e300", "-1e300", "\"x\"", "[]", "{}", "true"};
        int series = json.indexOf("\"series\"");
        List<String> broken = new ArrayList<>();
        int tried = 0;
        for (int at = json.indexOf(": ", series); at > 0; at = json.indexOf(": ", at + 2)) {
            if (at > series + 20_000 && at < json.indexOf("\"gaps\"")) {
                continue; // more of the same curve
            }
            int end = at + 2;
            while (",\n".indexOf(json.charAt(end)) < 0) {
                end++;
            }
            for (String value : values) {
                tried++;
                if (tried % ONE_IN == 0
                        && "[{".indexOf(json.charAt(at + 2)) < 0
                        && !isPrinted(json.substring(0, at + 2) + value + json.substring(end))) {
                    broken.add(json.substring(at - 20, end) + " = " + value);
                }
            }
        }
        assertThat(tried).isGreaterThan(1_000);
        assertThat(broken).isEmpty();
    }

    private static boolean isPrinted(String json) {
        try {
            return text(read(json), 80).length() > 100;
        } catch (IOException e) {
            return e.getMessage().length() > 10;
        } catch (RuntimeException e) {
            return false;
        }
    }

    @Test
    void manyFigures_areCounted() {
        MemorySeries[] ranks = new MemorySeries[300];
        for (int rank = 0; rank < ranks.length; rank++) {
            Subject subject = new Subject(Source.LOG, Quantity.ALLOCATED, Axis.STEP, rank, -1, "rank " + rank);
            ranks[rank] = series(subject, 0, 20, _ -> 5 * MB);
        }
        AnalysisResult many = analyse(file("job.log", ranks));
        assertThat(many.series()).hasSize(256);
        assertThat(many.checks().getLast().note()).contains("256 figures", "44 more were left out");
        assertThat(text(many, 100)).contains("and 232 more figures; --format json has all");
    }

    private static Measurement log() {
        return file(
                "train.jsonl",
                steps(Quantity.ALLOCATED, 238, step -> (700 + 3L * step) * MB),
                steps(Quantity.RESERVED, 238, step -> (1_500 + 3L * step) * MB),
                steps(Quantity.RETRIES, 238, _ -> 0));
    }

    private static Measurement smi() {
        return file("smi.csv", seconds(Quantity.DEVICE_USED, 0, 300, second -> (2_100 + 2L * second) * MB));
    }

    private static Measurement few() {
        return file(
                "validation.log",
                series(new Subject(Source.LOG, Quantity.HOST_USED, Axis.EPOCH, -1, -1, "rss"), 1, 3, _ -> 7 * MB));
    }

    private static AnalysisResult hostile() {
        Subject subject = new Subject(Source.LOG, Quantity.ALLOCATED, Axis.INDEX, 0, 7, HOSTILE);
        return analyse(file(HOSTILE + ".log", series(subject, 0, 50, i -> i * MB)));
    }

    private static String text(AnalysisResult of, int columns) {
        return TextReport.of(of, new TextReport.Options(15, true, true), new Style(columns, false, true));
    }
}
