package dev.leakline.testkit.pickle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leakline.testkit.Unpickled;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class PickleWriterTest {
    /** What {@code pickle.dumps({'a': [1, 'b', (0, 1)], 'c': True}, protocol)} gives in CPython 3.11. */
    @ParameterizedTest
    @CsvSource({
        "PROTOCOL_0, 286470300a56610a70310a286c70320a49310a6156620a70330a612849300a49310a7470340a617356630a70350a"
                + "4930310a732e",
        "PROTOCOL_1, 7d71002858010000006171015d7102284b015801000000627103284b004b017471046558010000006371054930310a"
                + "752e",
        "PROTOCOL_2, 80027d71002858010000006171015d7102284b0158010000006271034b004b0186710465580100000063710588752e",
        "PROTOCOL_3, 80037d71002858010000006171015d7102284b0158010000006271034b004b0186710465580100000063710588752e",
        "PROTOCOL_4, 8004951e000000000000007d94288c0161945d94284b018c0162944b004b018694658c01639488752e",
        "PROTOCOL_5, 8005951e000000000000007d94288c0161945d94284b018c0162944b004b018694658c01639488752e",
    })
    void writesPythonsBytes(Dialect dialect, String hex) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("a", List.of(1, "b", PyTuple.of(0, 1)));
        tree.put("c", true);

        assertThat(dialect.bytes(tree)).asHexString().isEqualToIgnoringCase(hex);
    }

    @ParameterizedTest
    @EnumSource(names = {"PROTOCOL_1", "PROTOCOL_2", "PROTOCOL_3", "PROTOCOL_4", "PROTOCOL_5", "CPP"})
    void whatIsOneObjectStaysOneObject(Dialect dialect) {
        List<Object> frames = List.of("inner", "outer");
        List<?> read = (List<?>) Unpickled.of(dialect.bytes(List.of(frames, List.of("inner", "outer"), frames)));

        assertThat(read.get(2)).isSameAs(read.get(0));
        assertThat(read.get(1)).isEqualTo(read.get(0)).isNotSameAs(read.get(0));
    }

    @Test
    void equalStringsThatAreTwoObjectsStayTwo() {
        String first = "N/A";
        String second = String.valueOf(first.toCharArray());
        List<?> read = (List<?>) Unpickled.of(Dialect.PROTOCOL_4.bytes(List.of(first, second, first)));

        assertThat(read.get(1)).isEqualTo(read.get(0)).isNotSameAs(read.get(0));
        assertThat(read.get(2)).isSameAs(read.get(0));
    }

    @Test
    void aFrameEndsBeforeTheFirstValueAfter64KiB() {
        byte[] file = Dialect.PROTOCOL_4.bytes(List.of("a".repeat(65_535), "b", "c"));

        assertThat(placesOfFrames(file)).containsExactly(2, 2 + 9 + 65_535 + 9);
    }

    @Test
    void aTreeOfOtherThingsIsRefused() {
        assertThatThrownBy(() -> Dialect.PROTOCOL_4.bytes(List.of(new StringBuilder())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("StringBuilder");
    }

    @Test
    void aContainerOfAnotherSizeThanAnnouncedIsRefused() throws IOException {
        ValueStream stream = Dialect.PROTOCOL_4.open(new ByteArrayOutputStream());
        stream.beginList(1);

        assertThatThrownBy(stream::endList).hasMessage("announced 1 items, got 0");
        assertThatThrownBy(stream::endDict).hasMessageContaining("not a DICT");
        assertThatThrownBy(stream::close).hasMessage("1 containers are still open");
    }

    private static List<Integer> placesOfFrames(byte[] file) {
        ByteBuffer in = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).position(2);
        List<Integer> places = new ArrayList<>();
        while (in.hasRemaining()) {
            places.add(in.position());
            assertThat(in.get()).isEqualTo((byte) Op.FRAME);
            long length = in.getLong();
            in.position(in.position() + (int) length);
        }
        return places;
    }
}
