package dev.leakline.read.figures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.columns.MemorySeries;
import dev.leakline.columns.MemorySeries.Quantity;
import dev.leakline.columns.MemorySeries.Subject;
import dev.leakline.read.Formats;
import dev.leakline.source.Content;
import dev.leakline.source.ReadLimits;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Figures read from texts in tests, and shown in a line each. */
final class FigureTexts {
    private FigureTexts() {}

    static Content.Figures read(String text) throws IOException {
        return read(text.getBytes(StandardCharsets.UTF_8));
    }

    static Content.Figures read(byte[] bytes) throws IOException {
        Content content = new Formats(ReadLimits.DEFAULT, _ -> {}).read(new ByteArrayInputStream(bytes));
        assertThat(content).isInstanceOf(Content.Figures.class);
        return (Content.Figures) content;
    }

    /** All series of a text, as {@code SOURCE QUANTITY AXIS device/process 'label' position=value ...}. */
    static List<String> of(String text) throws IOException {
        return shown(read(text));
    }

    static List<String> shown(Content.Figures file) {
        return file.measurements().series().stream().map(FigureTexts::show).toList();
    }

    static String show(MemorySeries series) {
        Subject subject = series.subject;
        String points = IntStream.range(0, series.size())
                .mapToObj(i -> number(series.position(i)) + "=" + series.value(i))
                .collect(Collectors.joining(" "));
        return String.join(
                " ",
                subject.source().name(),
                subject.quantity().name(),
                subject.axis().name(),
                subject.device() + "/" + subject.process(),
                "'" + subject.label() + "'",
                points);
    }

    private static String number(double position) {
        return position == Math.rint(position)
                ? String.valueOf((long) position)
                : String.format(Locale.ROOT, "%.3f", position);
    }

    /** The one series of a quantity. */
    static MemorySeries only(Content.Figures file, Quantity quantity) {
        List<MemorySeries> found = file.measurements().series().stream()
                .filter(series -> series.subject.quantity() == quantity)
                .toList();
        assertThat(found).as("series of %s among %s", quantity, shown(file)).hasSize(1);
        return found.getFirst();
    }

    /** The values of a series. */
    static List<Long> values(MemorySeries series) {
        return IntStream.range(0, series.size()).mapToObj(series::value).toList();
    }
}
