package dev.leakline.conclusion;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.text.DataRow;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class KnownStepTest {
    @ParameterizedTest
    @EnumSource(KnownStep.class)
    void eachSaysWhatToDoAndWhy(KnownStep step) {
        assertThat(step.advice().action()).isNotBlank();
        assertThat(step.advice().why()).endsWith(".");
    }

    @Test
    void theFileHasARowForEachAndNoOther() {
        assertThat(KnownStep.rows("steps.txt"))
                .extracting(DataRow::head)
                .containsExactlyElementsOf(
                        Arrays.stream(KnownStep.values()).map(Enum::name).toList());
    }
}
