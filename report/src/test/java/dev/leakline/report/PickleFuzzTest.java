package dev.leakline.report;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.leakline.source.ReadException;

/**
 * Any bytes as a pickle: they are read and reported, or refused with a {@link ReadException}, and nothing else comes out.
 *
 * <p>The build replays the inputs below {@code PickleFuzzTestInputs}: seeds, and whatever ever failed. With {@code JAZZER_FUZZ=1}
 * in the environment new inputs are looked for (see the profile {@code fuzz} of the build).
 */
public class PickleFuzzTest {
    private static final byte[] PROTOCOL_4 = {(byte) 0x80, 4};

    @FuzzTest(maxDuration = "5m")
    void anyBytesAreReadOrRefused(byte[] file) {
        try {
            WholeWay.of(file);
        } catch (ReadException e) {
            // refused, as most inputs are
        }
    }

    /** The same behind a beginning that says what it is, so that no time is lost on other kinds of files. */
    @FuzzTest(maxDuration = "5m")
    void anyPickleIsReadOrRefused(byte[] operations) {
        byte[] file = java.util.Arrays.copyOf(PROTOCOL_4, PROTOCOL_4.length + operations.length);
        System.arraycopy(operations, 0, file, PROTOCOL_4.length, operations.length);
        anyBytesAreReadOrRefused(file);
    }
}
