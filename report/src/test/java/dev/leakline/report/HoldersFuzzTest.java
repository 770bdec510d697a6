package dev.leakline.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.leakline.HolderDump;
import dev.leakline.codec.Codec;
import dev.leakline.read.dump.MadeUpDump;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.Holders;
import dev.leakline.result.Holders.Group;
import dev.leakline.source.ReadException;
import dev.leakline.testkit.Fuzzing;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Any bytes as a holder dump: it is explained, or refused with a {@link ReadException}. See {@link PickleFuzzTest}. */
class HoldersFuzzTest {
    private static final byte[] MAGIC = "LKLHOLD1".getBytes(StandardCharsets.US_ASCII);

    private static final int RUNS_ON_PUSH = 1_000;

    @FuzzTest(maxDuration = "5m")
    void anyDumpIsReadOrRefused(byte[] content) {
        byte[] file = Arrays.copyOf(MAGIC, MAGIC.length + content.length);
        System.arraycopy(content, 0, file, MAGIC.length, content.length);
        wholeWay(file);
    }

    /** Two dumps whose form is right, so that no time is lost on sums: what they say is nonsense. */
    @FuzzTest(maxDuration = "5m")
    void anyGraphIsExplainedOrRefused(byte[] choices) {
        ByteBuffer left = ByteBuffer.wrap(choices);
        byte[] before = MadeUpDump.of(left);
        wholeWay(before, MadeUpDump.of(left));
    }

    /** The same from random choices, as many as take minutes. */
    @Test
    void manyGraphsAreExplainedOrRefused() {
        Fuzzing.runs(RUNS_ON_PUSH, random -> {
            byte[] choices = new byte[random.nextInt(400)];
            random.nextBytes(choices);
            anyGraphIsExplainedOrRefused(choices);
        });
    }

    private static void wholeWay(byte[]... files) {
        try {
            report(HolderDump.explain(
                    Arrays.stream(files).map(HoldersFuzzTest::read).toList()));
        } catch (UncheckedIOException e) {
            assertThat(e.getCause())
                    .as("readers may throw nothing but ReadException")
                    .isInstanceOf(ReadException.class);
        }
    }

    private static HolderDump read(byte[] file) {
        try {
            return HolderDump.read("file", new ByteArrayInputStream(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What is said must add up, and must not drive a terminal. */
    private static void report(Holders holders) {
        long bytes = holders.groups().stream().mapToLong(Group::bytes).sum();
        assertThat(bytes).isEqualTo(holders.dumps().getLast().storageBytes());
        assertThat(holders.groups()).allMatch(group -> group.retainedBytes() >= 0);
        Codec.write(holders, new PrintWriter(new StringWriter()));
        String text = HoldersText.of(holders, Integer.MAX_VALUE, new Style(80, false, true));
        assertThat(List.of(text.split("\n", -1))).noneMatch(line -> line.indexOf('\u001b') >= 0);
    }
}
