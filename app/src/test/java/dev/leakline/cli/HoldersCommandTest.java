package dev.leakline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.cli.Program.Outcome;
import dev.leakline.testkit.holders.HolderDumpBuilder;
import dev.leakline.testkit.holders.Item;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command {@code leakline holders} as users call it. */
class HoldersCommandTest {
    @TempDir
    private Path folder;

    @Test
    void theOwnerIsNamedFromAFileOrFromStandardInput() throws Exception {
        Path dump = Files.write(folder.resolve("a.holders"), dump(3));
        Outcome file = run("holders", "a.holders");
        assertThat(file.exit()).as(file.err()).isZero();
        assertThat(file.out()).contains("losses of module train", "1.50 KiB in 3 storages", "~~~~~~");
        Outcome stdin = new Program(folder).run(dump, Map.of("leakline.columns", "50"), "holders", "-");
        assertThat(stdin.out()).startsWith("standard input\n");
        assertThat(stdin.out().lines()).allMatch(line -> line.length() <= 50);
        assertThat(file.err() + stdin.err()).isEmpty();
    }

    @Test
    void jsonHasEveryHop() throws Exception {
        Files.write(folder.resolve("a.holders"), dump(3));
        Outcome outcome = run("holders", "--format", "json", "a.holders");
        assertThat(outcome.out())
                .startsWith("{\n  \"schema\" : \"leakline.held/1\"")
                .contains("\"label\" : \"losses\"", "\"suspect\" : true", "\"retained_bytes\" : 1536")
                .endsWith("}\n");
    }

    @Test
    void reportSaysTheSameOfDumpsAlone() throws Exception {
        Files.write(folder.resolve("a.holders"), dump(3));
        Files.write(folder.resolve("b.holders"), dump(7));
        Outcome outcome = run("report", "a.holders", "b.holders");
        assertThat(outcome.exit()).as(outcome.err()).isZero();
        assertThat(outcome.out())
                .isEqualTo(run("holders", "a.holders", "b.holders").out());
        assertThat(run("report", "--format", "json", "a.holders").out()).contains("\"leakline.held/1\"");
    }

    @Test
    void whatNeedsASnapshotSaysSo() throws Exception {
        Files.write(folder.resolve("a.holders"), dump(3));
        Outcome page = run("report", "--html", "a.html", "a.holders");
        assertThat(page.exit()).isEqualTo(2);
        assertThat(page.err()).contains("--html needs a snapshot, but only holder dumps were given");
        Outcome diff = run("diff", "a.holders", "a.holders");
        assertThat(diff.exit()).isEqualTo(2);
        assertThat(diff.err()).contains("leakline holders BEFORE AFTER compares dumps of one process");
        Outcome whatIf = run("whatif", "a.holders");
        assertThat(whatIf.exit()).isEqualTo(3);
        assertThat(whatIf.err()).contains("a holder dump; use leakline holders");
    }

    @Test
    void severalDumpsShowWhatGrew() throws Exception {
        Files.write(folder.resolve("a.holders"), dump(3));
        Files.write(folder.resolve("b.holders"), dump(7));
        Outcome outcome = run("holders", "a.holders", "b.holders");
        assertThat(outcome.out()).contains("Grew: 1.50 KiB, 3.50 KiB from dump to dump; items 3, 7; 4 new storages");
    }

    @Test
    void fewerGroupsAreToldOfWhereThatIsAskedFor() throws Exception {
        Files.write(folder.resolve("a.holders"), dump(3));
        Outcome outcome = run("holders", "--top", "0", "a.holders");
        assertThat(outcome.out()).contains("and 1 more group of 1.50 KiB").doesNotContain("~~~");
        assertThat(run("holders", "--top", "-1", "a.holders").exit()).isEqualTo(2);
    }

    @Test
    void whatCannotBeReadIsToldOfAndTheRestIsReported() throws Exception {
        byte[] whole = dump(3);
        Files.write(folder.resolve("a.holders"), whole);
        Files.write(folder.resolve("cut.holders"), Arrays.copyOf(whole, whole.length - 10));
        Files.writeString(folder.resolve("text"), "no dump");
        Outcome outcome = run("holders", "missing", "text", "a.holders");
        assertThat(outcome.exit()).isEqualTo(3);
        assertThat(outcome.out()).contains("losses of module train");
        assertThat(outcome.errLines()).hasSize(2).first().isEqualTo("leakline: missing: no such file");
        Outcome cut = run("holders", "cut.holders");
        assertThat(cut.exit()).isEqualTo(3);
        assertThat(cut.out()).contains("losses of module train", "incomplete: truncated");
    }

    private static byte[] dump(int items) {
        HolderDumpBuilder dump =
                new HolderDumpBuilder().header("time_us", String.valueOf(1_700_000_000_000_000L + items));
        Item losses = dump.list(items);
        for (int i = 0; i < items; i++) {
            losses.item(i, dump.view("[]", dump.storage(512, 4096L * (i + 1), -1)));
        }
        dump.module("train").key("losses", losses);
        return dump.write();
    }

    private Outcome run(String... arguments) throws Exception {
        return new Program(folder).run(arguments);
    }
}
