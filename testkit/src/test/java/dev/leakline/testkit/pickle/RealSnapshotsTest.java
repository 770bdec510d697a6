package dev.leakline.testkit.pickle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.testkit.Unpickled;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Snapshots by PyTorch, read and written again. */
@EnabledIfEnvironmentVariable(named = "LEAKLINE_DATA", matches = ".+")
class RealSnapshotsTest {
    @ParameterizedTest
    @MethodSource("snapshots")
    void everyByteIsPyTorchs(Path path) throws IOException {
        byte[] file = unpacked(path);
        byte[] again = Dialect.PROTOCOL_4.bytes(Unpickled.of(file));

        assertThat(again).isEqualTo(withoutPadding(file));
    }

    static List<Path> snapshots() throws IOException {
        Path data = Path.of(System.getenv("LEAKLINE_DATA"));
        try (Stream<Path> golden = Files.list(data.resolve("allocator-golden"));
                Stream<Path> corpus = Files.list(data.resolve("corpus/snapshots"))) {
            return Stream.concat(golden, corpus)
                    .filter(path -> path.toString().matches(".*\\.(pickle|pkl)\\.gz"))
                    .filter(path -> !path.endsWith("cpp_writer.pickle.gz"))
                    .sorted()
                    .toList();
        }
    }

    private static byte[] unpacked(Path path) throws IOException {
        try (GZIPInputStream in = new GZIPInputStream(Files.newInputStream(path))) {
            return in.readAllBytes();
        }
    }

    /** A pickle from a memory_viz page has NUL bytes behind. */
    private static byte[] withoutPadding(byte[] file) {
        int length = file.length;
        while (file[length - 1] == 0) {
            length--;
        }
        return Arrays.copyOf(file, length);
    }
}
