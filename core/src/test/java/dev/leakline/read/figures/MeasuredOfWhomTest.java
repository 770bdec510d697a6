package dev.leakline.read.figures;

import static dev.leakline.read.figures.FigureTexts.only;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.columns.MemorySeries;
import dev.leakline.columns.MemorySeries.Quantity;
import dev.leakline.source.Content;
import dev.leakline.text.ByteSize;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whose memory a figure of a text is, and of which moment. */
class MeasuredOfWhomTest {
    @Test
    void whatLinesSayThatNameAStepIsApartFromWhatOthersSay() throws IOException {
        Content.Figures file = FigureTexts.read("""
                step 10 reserved memory: 30.0 GiB
                step 20 reserved memory: 30.5 GiB
                second job
                model loaded, reserved memory: 4.5 GiB
                state loaded, reserved memory: 17.0 GiB
                """);
        List<MemorySeries> reserved = file.measurements().series().stream()
                .filter(series -> series.subject.quantity() == Quantity.RESERVED)
                .toList();
        assertThat(reserved.getFirst().size()).isEqualTo(2);
        assertThat(reserved).allMatch(series -> series.size() < 3);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"resources\":{\"requests\":{\"memory\":\"48Gi\"},\"limits\":{\"memory\":\"60Gi\"}}}",
                "The new server can use total_gpu_memory (47.5 GiB) of it"
            })
    void whatIsRequestedOrPlannedIsNoMeasurement(String text) throws IOException {
        assertThat(FigureTexts.of(text + "\nmem_allocated: 2.0 GiB\n")).hasSize(1);
    }

    @Test
    void aQuestionBelowATableIsNoRowOfIt() throws IOException {
        Content.Figures file = FigureTexts.read("""
                NAME        CPU(cores)   MEMORY(bytes)
                trainer-7   1200m        5120Mi

                We have set it to 48Gi so far. Is it better with 96Gi?
                """);
        assertThat(FigureTexts.values(only(file, Quantity.HOST_USED))).containsExactly(5 * ByteSize.GIB);
    }

    @Test
    void inALineOfAStepASizeBehindTheDeviceIsWhatItUses() throws IOException {
        assertThat(FigureTexts.values(only(
                        FigureTexts.read("step 40 loss 2.91 gpu 7.5 GiB\nstep 80 loss 2.80 gpu 7.5 GiB\n"),
                        Quantity.DEVICE_USED)))
                .containsExactly(15 * ByteSize.GIB / 2, 15 * ByteSize.GIB / 2);
    }
}
