package dev.leakline.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.leakline.read.Formats;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** JSON that Python writes, and what is said of JSON that is none. */
class JsonParsersTest {
    private static String snapshot(String event) {
        return "{\"segments\": [], \"device_traces\": [[" + event + "]]}";
    }

    private static String event(String time) {
        return "{\"action\": \"alloc\", \"addr\": 4096, \"size\": 512, \"time_us\": " + time + "}";
    }

    @ParameterizedTest
    @ValueSource(strings = {"NaN", "Infinity", "-Infinity", "null"})
    void aNumberThatIsNoneIsUnknown(String value) throws IOException {
        Content.Recording read = read(snapshot(event(value)));
        assertThat(read.columns().events.timeMicros(0)).isZero();
        assertThat(read.columns().counters.counts()).containsOnlyKeys("'time_us' of an unexpected type");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"segments\": [}",
                "{\"segments\": [nan]}",
                "{\"segments\": 012}",
                "{\"segments\": \u0001}",
                "{'segments': []}",
                "{\"segments\": 1e99999999999}",
                "{\"segments\": [1,]}",
                "{\"segments\": \"\\x\"}"
            })
    void errorsNameNothingOfTheParser(String text) {
        assertThat(refusal(text).getMessage()).doesNotContain("Source", "`", "Exception", "tools.", "Feature");
    }

    @Test
    void limitsNameNothingOfTheParser() {
        assertThat(refusal("{\"segments\": " + "[".repeat(200)).getMessage())
                .contains("nesting depth", "at byte")
                .doesNotContain("`", "Constraints");
        assertThat(refusal("{\"segments\": " + "9".repeat(2000) + "}").getMessage())
                .doesNotContain("`", "Constraints");
    }

    private static Content.Recording read(String text) throws IOException {
        return (Content.Recording) new Formats(ReadLimits.DEFAULT, _ -> {})
                .read(new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1)));
    }

    private static ReadException refusal(String text) {
        return catchThrowableOfType(ReadException.class, () -> read(text));
    }
}
