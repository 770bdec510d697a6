package dev.leakline.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.leakline.source.ReadException;

/** Any text as JSON: it is read and reported, or refused with a {@link ReadException}. See {@link PickleFuzzTest}. */
class JsonFuzzTest {
    @FuzzTest(maxDuration = "5m")
    void anyJsonIsReadOrRefused(byte[] members) {
        try {
            WholeWay.of(object(members));
        } catch (ReadException e) {
            // refused, as most inputs are
        }
    }

    /** An object that is a snapshot already, unless the members say otherwise. */
    private static byte[] object(byte[] members) {
        byte[] beginning = "{\"segments\": [], ".getBytes(UTF_8);
        byte[] file = java.util.Arrays.copyOf(beginning, beginning.length + members.length);
        System.arraycopy(members, 0, file, beginning.length, members.length);
        return file;
    }
}
