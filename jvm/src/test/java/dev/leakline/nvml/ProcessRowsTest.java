package dev.leakline.nvml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leakline.nvml.GpuDevice.Use;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProcessRowsTest {
    private static final long TOTAL = 80L << 30;
    private static final long[][] ROWS = {{4711, 1_234_567_890L}, {4712, 999_424L}, {31_337, 39L << 30}};

    @ParameterizedTest
    @ValueSource(ints = {16, 24, 32})
    void rowsAreReadAtTheLengthThatTheDriverWritesThem(int length) throws IOException {
        assertThat(ProcessRows.read(room(length, ROWS), 3, TOTAL, "Compute"))
                .containsExactly(
                        new Use(4711, 1_234_567_890L, "Compute"),
                        new Use(4712, 999_424L, "Compute"),
                        new Use(31_337, 39L << 30, "Compute"));
    }

    @ParameterizedTest
    @ValueSource(ints = {16, 24, 32})
    void aSingleRowIsReadToo(int length) throws IOException {
        assertThat(ProcessRows.read(room(length, ROWS[0]), 1, TOTAL, "Graphics"))
                .containsExactly(new Use(4711, 1_234_567_890L, "Graphics"));
    }

    @Test
    void memoryThatTheDriverDoesNotKnowIsUnknown() throws IOException {
        assertThat(ProcessRows.read(room(24, new long[] {99, -1}), 1, TOTAL, "Compute"))
                .containsExactly(new Use(99, Use.UNKNOWN, "Compute"));
    }

    @Test
    void rowsOfNoKnownLengthAreAnError() {
        assertThatThrownBy(() -> ProcessRows.read(room(40, ROWS), 3, TOTAL, "Compute"))
                .hasMessageContaining("matches no known layout");
    }

    @Test
    void moreBytesThanTheDeviceHasAreAnError() {
        assertThatThrownBy(() -> ProcessRows.read(room(24, new long[] {99, TOTAL + 1}), 1, TOTAL, "Compute"))
                .hasMessageContaining("matches no known layout");
    }

    @Test
    void noProcessesAreNoRows() throws IOException {
        assertThat(ProcessRows.read(room(24), 0, TOTAL, "Compute")).isEmpty();
    }

    private static ByteBuffer room(int length, long[]... rows) {
        byte[] bytes = new byte[20 * ProcessRows.LARGEST + 40];
        Arrays.fill(bytes, ProcessRows.UNTOUCHED);
        Arrays.fill(bytes, 0, rows.length * length, (byte) 0xff);
        ByteBuffer room = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < rows.length; i++) {
            room.putLong(i * length, rows[i][0]).putLong(i * length + 8, rows[i][1]);
        }
        return room;
    }
}
