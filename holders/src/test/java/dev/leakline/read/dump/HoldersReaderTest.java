package dev.leakline.read.dump;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.leakline.objects.NodeKind;
import dev.leakline.objects.ObjectGraph;
import dev.leakline.objects.ReferenceKind;
import dev.leakline.source.ReadException;
import dev.leakline.source.ReadException.Code;
import dev.leakline.testkit.fault.Faults;
import dev.leakline.testkit.holders.HolderDumpBuilder;
import dev.leakline.testkit.holders.Item;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Holder dumps as they should be, cut, damaged and made up to do harm. */
class HoldersReaderTest {
    private static final byte[] GOOD = good();

    private static byte[] good() {
        HolderDumpBuilder dump = new HolderDumpBuilder();
        Item tensor = dump.tensor("[64, 512]", 131_072);
        dump.module("train").key("losses", dump.list(1).item(0, tensor));
        return dump.write();
    }

    @Test
    void everyColumnIsRead() throws IOException {
        ObjectGraph graph = read(GOOD);
        assertThat(graph.header.pid()).isEqualTo(4242);
        assertThat(graph.header.step()).isEqualTo(30);
        assertThat(graph.header.rank()).isEqualTo(-1);
        assertThat(graph.nodes.size()).isEqualTo(3);
        assertThat(graph.kind(0)).isEqualTo(NodeKind.TENSOR);
        assertThat(graph.kind(1)).isEqualTo(NodeKind.MODULE);
        assertThat(graph.text(1)).isEqualTo("train");
        assertThat(graph.nodes.references(0)).isEqualTo(1);
        assertThat(graph.texts.get(graph.tensors.shape(0))).isEqualTo("[64, 512]");
        assertThat(graph.storages.bytes(0)).isEqualTo(131_072);
        assertThat(graph.edges.size()).isEqualTo(3);
        int edge = graph.edges.outStart(1);
        assertThat(graph.label(edge)).isEqualTo("losses");
        assertThat(graph.edges.kind(edge)).isEqualTo(ReferenceKind.TEXT_KEY);
        assertThat(graph.edges.to(edge)).isEqualTo(2);
        assertThat(graph.edges.to(graph.edges.outStart(0))).isEqualTo(graph.vertex(0));
        assertThat(graph.incomplete).isNull();
        assertThat(graph.fileBytes).isEqualTo(GOOD.length);
    }

    @Test
    void compressionIsTakenAway() throws IOException {
        assertThat(read(gzip(GOOD)).edges.size()).isEqualTo(3);
    }

    @Test
    void sectionsThatNobodyKnowsAreSkipped() throws IOException {
        byte[] more = HolderDumpBuilder.section("STEP", bytes -> bytes.writeBytes(new byte[70_000]));
        int done = GOOD.length - 16;
        assertThat(read(join(Arrays.copyOf(GOOD, done), more, Arrays.copyOfRange(GOOD, done, GOOD.length))).incomplete)
                .isNull();
    }

    @Test
    void aDumpMayBeCutAnywhereWhatWasWholeIsUsedOrTheErrorNamesTheByte() throws IOException {
        int used = 0;
        for (int length = 1; length < GOOD.length; length++) {
            byte[] cut = Arrays.copyOf(GOOD, length);
            try {
                assertThat(read(cut).incomplete).as("cut to " + length).contains("at byte " + length);
                used++;
            } catch (ReadException e) {
                assertThat(e.code()).as("cut to " + length).isIn(Code.TRUNCATED, Code.NOT_A_SNAPSHOT);
            }
        }
        assertThat(used).isGreaterThan(GOOD.length / 10);
    }

    @Test
    void aDumpCutBeforeItsReferencesSaysSo() throws IOException {
        int references = new String(GOOD, StandardCharsets.ISO_8859_1).indexOf("EDGE");
        ObjectGraph graph = read(Arrays.copyOf(GOOD, references + 20));
        assertThat(graph.incomplete).contains("its references are lost");
        assertThat(graph.storages.size()).isEqualTo(1);
        int storages = new String(GOOD, StandardCharsets.ISO_8859_1).indexOf("STOR");
        assertThat(read(Arrays.copyOf(GOOD, storages + 20)).tensors.size()).isZero();
    }

    @Test
    void everyFlippedBitIsAnErrorOrHarmless() {
        int errors = 0;
        for (int at = 0; at < GOOD.length; at++) {
            try {
                read(Faults.flipped(GOOD, at, at % 8));
            } catch (IOException e) {
                assertThat(e).isInstanceOf(ReadException.class);
                errors++;
            }
        }
        assertThat(errors).as("of %s", GOOD.length).isGreaterThan(GOOD.length / 2);
    }

    @Test
    void aWrongSumIsAnErrorWithTheByte() {
        int nodes = new String(GOOD, StandardCharsets.ISO_8859_1).indexOf("NODE");
        byte[] flipped = Faults.flipped(GOOD, nodes + 12 + 12, 3);
        ReadException refusal = refusal(flipped);
        assertThat(refusal.code()).isEqualTo(Code.DAMAGED);
        assertThat(refusal).hasMessageContaining("at byte " + (nodes + 12)).hasMessageContaining("sum");
    }

    @ParameterizedTest
    @ValueSource(strings = {"NODE", "TENS", "STOR", "EDGE"})
    void indicesBeyondTheirTableAreErrorsWithTheByte(String tag) {
        int row = new String(GOOD, StandardCharsets.ISO_8859_1).indexOf(tag) + 12;
        byte[] file = GOOD.clone();
        ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).putInt(row, 1_000_000);
        ReadException refusal = refusal(file);
        assertThat(refusal.code()).isEqualTo(Code.DAMAGED);
        assertThat(refusal).hasMessageContaining("at byte " + row).hasMessageContaining("1000000");
    }

    @ParameterizedTest
    @ValueSource(strings = {"STRS", "NODE", "TENS", "STOR", "EDGE", "WHAT"})
    void lengthsThatNoFileHasTakeNoMemory(String tag) {
        byte[] head = Arrays.copyOf(GOOD, new String(GOOD, StandardCharsets.ISO_8859_1).indexOf("STRS"));
        byte[] claim = ByteBuffer.allocate(16)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(tag.getBytes(StandardCharsets.US_ASCII))
                .putLong(24L * 5 * (1L << 55))
                .putInt(Integer.MAX_VALUE)
                .array();
        assertThat(refusal(join(head, claim)).code()).isIn(Code.LIMIT, Code.DAMAGED, Code.TRUNCATED);
    }

    @Test
    void headersOfOtherSchemasAreRefused() {
        byte[] other = new HolderDumpBuilder()
                .header("schema", "\"leakline.holders/2\"")
                .write();
        assertThat(refusal(other)).hasMessageContaining("leakline.holders/2");
        byte[] huge = GOOD.clone();
        ByteBuffer.wrap(huge).order(ByteOrder.LITTLE_ENDIAN).putInt(8, 1 << 21);
        assertThat(refusal(huge).code()).isEqualTo(Code.LIMIT);
        assertThat(refusal("something else".getBytes(StandardCharsets.UTF_8)).code())
                .isEqualTo(Code.NOT_A_SNAPSHOT);
        assertThat(refusal(new byte[0]).code()).isEqualTo(Code.EMPTY);
    }

    @Test
    void headersMayLackEverythingButTheSchema() throws IOException {
        HolderDumpBuilder dump = new HolderDumpBuilder()
                .header("gc", "null")
                .header("notes", "null")
                .header("pid", "\"x\"")
                .header("pause_ms", "12.5");
        ObjectGraph graph = read(dump.write());
        assertThat(graph.header.pid()).isZero();
        assertThat(graph.header.pauseMillis()).isEqualTo(12);
    }

    @Test
    void whatUnfoldsToMoreThanTheLimitIsRefused() throws IOException {
        HolderLimits usual = HolderLimits.DEFAULT;
        HolderLimits small = new HolderLimits(usual.headerBytes(), 9, 99, 99, 99, 99, 99, 200);
        ReadException refusal = catchThrowableOfType(
                ReadException.class, () -> HoldersReader.read(new ByteArrayInputStream(gzip(GOOD)), small));
        assertThat(refusal.code()).isEqualTo(Code.LIMIT);
    }

    private static ObjectGraph read(byte[] file) throws IOException {
        return HoldersReader.read(new ByteArrayInputStream(file));
    }

    private static ReadException refusal(byte[] file) {
        return catchThrowableOfType(ReadException.class, () -> read(file));
    }

    private static byte[] gzip(byte[] plain) throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (GZIPOutputStream stream = new GZIPOutputStream(file)) {
            stream.write(plain);
        }
        return file.toByteArray();
    }

    private static byte[] join(byte[]... parts) {
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        Arrays.stream(parts).forEach(whole::writeBytes);
        return whole.toByteArray();
    }
}
