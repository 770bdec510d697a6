package dev.leakline.testkit.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leakline.testkit.Python;
import dev.leakline.testkit.Unpickled;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FaultsTest {
    private static final String FIND = """
            import os, pickletools, sys
            for path in sys.argv[1:]:
                name = os.path.basename(path)
                found = [at for opcode, _, at in pickletools.genops(open(path, 'rb')) if opcode.name == name]
                print(name, *found)
            """;

    private static final String LOAD = """
            import os, pickle, sys
            class Reader(pickle.Unpickler):
                def find_class(self, module, name):
                    raise pickle.UnpicklingError('asked for ' + module + '.' + name)
            for path in sys.argv[1:]:
                try:
                    Reader(open(path, 'rb')).load()
                    print(os.path.basename(path), 'was read')
                except Exception as refusal:
                    print(os.path.basename(path), 'was refused')
            """;

    @Test
    void aFaultSpoilsWhatItSays() {
        byte[] file = {1, 2, 3, 4};

        assertThat(Faults.truncated(file, 0.5)).containsExactly(1, 2);
        assertThat(Faults.flipped(file, 2, 7)).containsExactly(1, 2, 0x83, 4);
        assertThat(file).containsExactly(1, 2, 3, 4);
    }

    @Test
    void aForbiddenOpcodeIsWhereItSays(@TempDir Path folder) throws Exception {
        Python.assumePresent();
        Map<String, byte[]> files = new LinkedHashMap<>();
        List<String> expected = new ArrayList<>();
        for (ForbiddenOpcode opcode : ForbiddenOpcode.values()) {
            files.put(opcode.name(), opcode.file());
            expected.add(opcode.name() + " " + opcode.offset());
        }

        assertThat(Python.run(folder, FIND, files)).isEqualTo(expected);
    }

    /** Two are left out: Python sets aside the memory that they claim. */
    @Test
    void pythonRefusesAllButWhatHoldsItself(@TempDir Path folder) throws Exception {
        Python.assumePresent();
        Map<String, byte[]> files = new LinkedHashMap<>();
        for (Malformation malformation : Malformation.values()) {
            files.put(malformation.name(), malformation.file());
        }
        files.remove(Malformation.MEMO_INDEX_4_BILLION.name());
        files.remove(Malformation.BYTEARRAY8_200_GB.name());

        assertThat(Python.run(folder, LOAD, files))
                .hasSameSizeAs(files.keySet())
                .filteredOn(line -> line.endsWith("read"))
                .containsExactly("SELF_REFERENCE was read", "SELF_REFERENCE_IN_DICT was read");
    }

    @Test
    void aNestIsAsDeepAsItSays() {
        assertThat(depth(Unpickled.of(Faults.nestedLists(100_000)))).isEqualTo(100_000);
        assertThat(depth(((Map<?, ?>) Unpickled.of(Faults.nestedSegments(50))).get("segments")))
                .isEqualTo(50);
        assertThat(Faults.nestedJson(3)).asString().isEqualTo("[[[]]]");
    }

    @Test
    void theAttackImportsOsSystem() {
        assertThatThrownBy(() -> Unpickled.of(Faults.callOfOsSystem())).hasMessage("opcode 0x63");
        assertThat(Faults.callOfOsSystem()).asString().contains("cos\nsystem\n");
    }

    @Test
    void aBombIsSmallUntilItIsUnpacked() throws IOException {
        byte[] bomb = Faults.gzipBombOfPops(10_000_000);
        byte[] unpacked = new GZIPInputStream(new ByteArrayInputStream(bomb)).readAllBytes();

        assertThat(bomb).hasSizeLessThan(20_000);
        assertThat(unpacked)
                .hasSizeBetween(9_900_000, 10_000_100)
                .startsWith(0x80, 2, 'N', '0')
                .endsWith('0', ']', '.');
        assertThat(Faults.gzipBombOfMarks(10_000_000)).hasSizeLessThan(20_000);
    }

    private static int depth(Object nest) {
        int depth = 0;
        for (List<?> list = (List<?>) nest; list != null; list = inner(list)) {
            depth++;
        }
        return depth;
    }

    private static List<?> inner(List<?> list) {
        return list.isEmpty() ? null : (List<?>) list.getFirst();
    }
}
