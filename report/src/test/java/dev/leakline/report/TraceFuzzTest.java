package dev.leakline.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.leakline.source.ReadException;

/** Any events as those of a profiler's trace: they are read and reported, or refused with a {@link ReadException}. See {@link PickleFuzzTest}. */
class TraceFuzzTest {
    private static final byte[] BEGINNING = ("{\"schemaVersion\": 1, \"traceEvents\": ["
                    + "{\"ph\": \"i\", \"name\": \"[memory]\", \"pid\": 7, \"tid\": 7, \"ts\": 5, \"args\": {\"Bytes\": 512, \"Addr\": 4096,"
                    + " \"Device Type\": 1, \"Device Id\": 0, \"Total Allocated\": 1024, \"Total Reserved\": 2097152}}, ")
            .getBytes(UTF_8);

    @FuzzTest(maxDuration = "5m")
    void anyEventsAreReadOrRefused(byte[] events) {
        byte[] file = java.util.Arrays.copyOf(BEGINNING, BEGINNING.length + events.length);
        System.arraycopy(events, 0, file, BEGINNING.length, events.length);
        try {
            WholeWay.of(file);
        } catch (ReadException e) {
            // refused, as most inputs are
        }
    }
}
