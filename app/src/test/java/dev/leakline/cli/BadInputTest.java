package dev.leakline.cli;

import static dev.leakline.testkit.snapshot.SnapshotBuilder.snapshot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.github.luben.zstd.Zstd;
import dev.leakline.cli.Program.Outcome;
import dev.leakline.testkit.fault.Faults;
import dev.leakline.testkit.fault.ForbiddenOpcode;
import dev.leakline.testkit.fault.Malformation;
import dev.leakline.testkit.pickle.Dialect;
import dev.leakline.testkit.snapshot.Wrapping;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** What people give the program by mistake or in malice: it says what is wrong in a line, and runs nothing. */
class BadInputTest {
    private static final long MB = 1 << 20;
    private static final long UNFOLDED = 128 * MB;
    private static final int UNREADABLE = 3;

    /** Oddities beside which there is still a snapshot: what is odd is counted, the rest reported. */
    private static final Set<Malformation> TOLERATED = EnumSet.of(
            Malformation.FRAME_200_GB,
            Malformation.SELF_REFERENCE,
            Malformation.KEY_UNHASHABLE,
            Malformation.TEXT_NOT_UTF8);

    @TempDir
    private Path folder;

    // ---- something else than a snapshot

    @Test
    void aDirectoryIsRefused() throws Exception {
        Files.createDirectory(folder.resolve("snapshots"));
        assertRefused("snapshots", "the folder is empty");
    }

    @TestFactory
    Stream<DynamicTest> theSameMistakeHasTheSameAnswerByAllCommands() {
        return Stream.of(
                        "report X",
                        "gate X",
                        "verify X -- true",
                        "holders X",
                        "explain X",
                        "ranks X",
                        "diff X X",
                        "fit --device-memory 24GiB X",
                        "whatif X",
                        "export --to csv -o out.csv X")
                .flatMap(command -> Stream.of(
                        answered(command, "missing.pickle", "no such file"),
                        answered(command, "nothing", "the folder is empty"),
                        answered(command, "empty.pickle", "empty input")));
    }

    private DynamicTest answered(String command, String input, String says) {
        String typed = command.replace("X", input);
        return dynamicTest(typed, () -> {
            Files.createDirectories(folder.resolve("nothing"));
            Files.write(folder.resolve("empty.pickle"), new byte[0]);
            Outcome outcome = program().run(typed.split(" ", -1));
            assertThat(outcome.exit()).as(outcome.err()).isEqualTo(UNREADABLE);
            assertThat(outcome.out()).isEmpty();
            assertThat(outcome.err()).contains(input + ": " + says).containsPattern("(try|see)");
        });
    }

    @Test
    void aMissingFileIsRefused() throws Exception {
        assertRefused("missing.pickle", "no such file");
    }

    @Test
    void aFileWithoutPermissionIsRefused() throws Exception {
        Path file = Files.write(folder.resolve("secret.pickle"), sample());
        assertThat(file.toFile().setReadable(false)).isTrue();
        assumeTrue(!Files.isReadable(file), "the superuser reads everything");
        assertRefused("secret.pickle", "no permission");
    }

    @TestFactory
    Stream<DynamicTest> otherFilesAreRefusedForWhatTheyAre() {
        return Stream.of(
                refused("empty.pickle", new byte[0], "empty input"),
                refused("notes.txt", ascii("loss is 0.25\n"), "it begins with the text 'loss is 0.25'"),
                refused("plot.png", bytes("\u0089PNG\r\n\u001a\n"), "a PNG image"),
                refused("model.pt", checkpoint(), "a torch checkpoint"),
                refused("old.pt", legacyCheckpoint(), "an old torch checkpoint"),
                refused(
                        "page.html",
                        ascii("<!DOCTYPE html><html></html>"),
                        "an HTML page that contains neither a snapshot"),
                refused("empty.gz", Wrapping.gzip(new byte[0]), "empty input"),
                refused("stub.gz", bytes("\u001f\u008b"), "truncated"),
                refused("stub.zst", bytes("(\u00b5/\u00fd"), "compressed data"),
                refused("config.json", ascii("{\"lr\": 0.1, \"steps\": 5}"), "a dictionary with 'lr', 'steps'"));
    }

    // ---- malice

    @Test
    void aCallOfOsSystemIsNotExecuted() throws Exception {
        Path marker = folder.resolve("executed");
        String call = "(X\u000e\0\0\0touch executedtR.";
        byte[] byName = bytes("\u0080\2cos\nsystem\n" + call);
        byte[] fromStack = bytes("\u0080\4\u008c\2os\u008c\6system\u0093" + call);
        Files.write(folder.resolve("global.pickle"), byName);
        Files.write(folder.resolve("stack_global.pickle"), fromStack);
        assertRefused("global.pickle", "to import 'os.system'");
        assertRefused("stack_global.pickle", "to import 'os.system'");
        assertThat(marker).doesNotExist();
    }

    @TestFactory
    Stream<DynamicTest> everyOpcodeThatRunsSomethingIsRefusedByItsByte() {
        return Arrays.stream(ForbiddenOpcode.values())
                .map(opcode -> refused(opcode + ".pickle", opcode.file(), "at byte " + opcode.offset()));
    }

    @TestFactory
    Stream<DynamicTest> contradictionsAreRefused() {
        return Arrays.stream(Malformation.values())
                .filter(malformation -> !TOLERATED.contains(malformation))
                .map(malformation -> dynamicTest(malformation.name(), () -> {
                    Files.write(folder.resolve("damaged.pickle"), malformation.file());
                    Outcome outcome = report("damaged.pickle");
                    assertRefusal(outcome, "damaged.pickle", "byte |it ends with 0 values");
                    assertThat(outcome.out()).isEmpty();
                }));
    }

    @TestFactory
    Stream<DynamicTest> odditiesBesideASnapshotAreTolerated() {
        return TOLERATED.stream()
                .map(oddity -> dynamicTest(oddity.name(), () -> {
                    Files.write(folder.resolve("odd.pickle"), oddity.file());
                    Outcome outcome = report("odd.pickle");
                    assertThat(outcome.exit()).as(outcome.err()).isZero();
                    assertThat(outcome.errors()).isEmpty();
                }));
    }

    @TestFactory
    Stream<DynamicTest> nestsAreRefused() {
        return Stream.of(
                refused("lists.pickle", Faults.nestedLists(100_000), "not a memory snapshot"),
                refused("marks.pickle", bytes("\u0080\2" + "](".repeat(100_000)), "nested containers"),
                refused("arrays.json", Faults.nestedJson(100_000), "at byte"),
                refused("objects.json", ascii("{\"a\":".repeat(100_000)), "at byte"));
    }

    @Test
    void aBombOfPopsTakesTimeButNoMemory() throws Exception {
        Files.write(folder.resolve("bomb.gz"), Faults.gzipBombOfPops(UNFOLDED));
        Outcome outcome = report("bomb.gz");
        assertThat(outcome.exit()).as(outcome.err()).isZero();
        assertThat(outcome.out()).contains("128 MiB", "No device held any memory");
    }

    @Test
    void aBombOfMarksIsRefused() throws Exception {
        Files.write(folder.resolve("bomb.gz"), Faults.gzipBombOfMarks(UNFOLDED));
        assertRefused("bomb.gz", "nested containers");
    }

    @Test
    void aNameThatDrivesTheTerminalIsShownEscaped() throws Exception {
        String name = "a\u001b[31m\nb.pickle";
        Files.write(folder.resolve(name), new byte[0]);
        assertRefusal(report(name), "a\\u001b[31m\\u000ab.pickle", "empty input");
    }

    // ---- files that end too early

    @TestFactory
    Stream<DynamicTest> aCutFileGivesWhatWasWholeAndAWarning() {
        Map<String, byte[]> files = Map.of(
                "plain.pickle", sample(),
                "text.pickle", dialect(Dialect.PROTOCOL_0),
                "cpp.pickle", dialect(Dialect.CPP),
                "gzip.pickle.gz", Wrapping.gzip(sample()),
                "zstd.pickle.zst", Zstd.compress(sample()),
                "plain.json", dialect(Dialect.JSON));
        return files.entrySet().stream()
                .flatMap(file -> Stream.of(0.10, 0.50, 0.99)
                        .map(share -> dynamicTest(
                                file.getKey() + " cut at " + share,
                                () -> checkCut(file.getKey(), file.getValue(), share))));
    }

    private void checkCut(String name, byte[] whole, double share) throws Exception {
        Files.write(folder.resolve(name), Faults.truncated(whole, share));
        Outcome outcome = report(name);
        boolean isReported = outcome.err().contains("; reporting on the part before");
        assertRefusal(outcome, name, "truncated after|damaged after");
        assertThat(outcome.out().contains("incomplete: ")).isEqualTo(isReported);
        assertThat(outcome.out().isEmpty()).isNotEqualTo(isReported);
        if (share > 0.9 && !name.contains("z")) {
            assertThat(outcome.out()).contains("train.py:41 train");
        }
    }

    // ---- several inputs, standard input

    @Test
    void aBadFileAmongGoodOnesDoesNotHideThem() throws Exception {
        Files.write(folder.resolve("rank0.pickle"), sample());
        Files.write(folder.resolve("rank1.pickle"), ascii("oops"));
        Files.write(folder.resolve("rank2.pickle"), sample());
        Outcome outcome = report("rank0.pickle", "rank1.pickle", "rank2.pickle");
        assertRefusal(outcome, "rank1.pickle", "it begins with the text 'oops'");
        assertThat(outcome.out()).contains("device 0 of rank0.pickle", "device 0 of rank2.pickle");
        assertThat(outcome.out()).doesNotContain("rank1.pickle");
    }

    @Test
    void aDashIsStandardInput() throws Exception {
        Path file = Files.write(folder.resolve("good.pickle"), sample());
        Outcome outcome = program().run(file, Map.of(), "report", "--full", "-");
        assertThat(outcome.exit()).as(outcome.err()).isZero();
        assertThat(outcome.out()).startsWith("standard input\n").contains("train.py:41 train");
    }

    @Test
    void anEmptyStandardInputIsRefused() throws Exception {
        assertRefusal(program().run("report", "-"), "-", "empty input");
    }

    // ---- wrong usage

    @TestFactory
    Stream<DynamicTest> wrongUsageIsExitCode2() {
        return Stream.of(
                misused("Unknown option: '--colour'", "report", "--colour", "good.pickle"),
                misused("Missing required parameter: 'FILE'", "report"),
                misused("'reprot'", "reprot", "good.pickle"),
                misused("'noon' is not a moment of a recording", "report", "--from", "noon", "good.pickle"),
                misused("'--device'", "report", "--device", "first", "good.pickle"),
                misused("device 7 has no memory", "report", "--device", "7", "good.pickle"),
                misused("'--fail-on'", "report", "--fail-on", "spike", "good.pickle"),
                misused("'lots' is not a memory size", "report", "--device-memory", "lots", "good.pickle"),
                misused("is the unit missing", "report", "--device-memory", "24", "good.pickle"),
                misused("is not a regular expression", "report", "--pattern", "(?<mem>", "good.pickle"),
                misused("has the groups []", "report", "--pattern", "mem (\\d+)", "good.pickle"),
                misused("no such folder", "report", "--source", "missing", "good.pickle"),
                misused("--top is -1", "report", "--top", "-1", "good.pickle"));
    }

    @Test
    void aNarrowTerminalIsWideEnough() throws Exception {
        Path file = Files.write(folder.resolve("good.pickle"), sample());
        Outcome outcome = program().run(file, Map.of("leakline.columns", "20"), "report", "--full", "-");
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.out()
                        .lines()
                        .filter(line ->
                                !line.matches(" +[-+] .*|\\s*\\S*/\\S*"))) // code, links and paths to copy are whole
                .allMatch(line -> line.length() <= 40);
    }

    private DynamicTest misused(String says, String... arguments) {
        return dynamicTest("leakline " + String.join(" ", arguments), () -> {
            Files.write(folder.resolve("good.pickle"), sample());
            Outcome outcome = program().run(arguments);
            assertThat(outcome.exit()).isEqualTo(2);
            assertThat(outcome.out()).isEmpty();
            assertThat(outcome.err()).contains(says).doesNotContain("\tat ");
        });
    }

    // ---- checks

    private DynamicTest refused(String name, byte[] content, String says) {
        return dynamicTest(name, () -> {
            Files.write(folder.resolve(name), content);
            assertRefused(name, says);
        });
    }

    private void assertRefused(String name, String says) throws Exception {
        Outcome outcome = report(name);
        assertRefusal(outcome, name, Pattern.quote(says));
        assertThat(outcome.out()).isEmpty();
    }

    private static void assertRefusal(Outcome outcome, String name, String says) {
        assertThat(outcome.exit()).as(outcome.err()).isEqualTo(UNREADABLE);
        assertThat(outcome.errLines()).hasSize(outcome.out().isEmpty() ? 2 : 1);
        assertThat(outcome.errLines().getLast()).containsPattern(outcome.out().isEmpty() ? "(try|see)" : "");
        assertThat(outcome.err()).startsWith("leakline: " + name + ": ").containsPattern(says);
        assertThat(outcome.err()).doesNotContain("Exception", "\tat ", "null");
    }

    private Outcome report(String... files) throws Exception {
        return program()
                .run(Stream.concat(Stream.of("report", "--full"), Stream.of(files))
                        .toArray(String[]::new));
    }

    private Program program() {
        return new Program(folder);
    }

    // ---- inputs

    private static byte[] sample() {
        return dialect(Dialect.PROTOCOL_4);
    }

    private static byte[] dialect(Dialect dialect) {
        return snapshot()
                .preexisting("weights", 37 * MB + 5)
                .repeat(
                        300,
                        (s, i) -> s.alloc("loss" + i, 2 * MB + i, "train.py:41 train", "main.py:7 main")
                                .step())
                .repeat(200, (s, i) -> s.free("loss" + i, "train.py:52 train"))
                .write(dialect);
    }

    private static byte[] checkpoint() {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(file)) {
            zip.putNextEntry(new ZipEntry("model/data.pkl"));
            zip.write(sample());
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return file.toByteArray();
    }

    /** The magic number that torch.save wrote before 1.6, as the first of several pickles. */
    private static byte[] legacyCheckpoint() {
        return bytes("\u0080\2\u008a\nl\u00fc\u009cF\u00f9 j\u00a8P\u0019.\u0080\2M\u00e9\3.");
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
