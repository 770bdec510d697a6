package dev.leakline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.leakline.report.HoldersText;
import dev.leakline.report.terminal.Style;
import dev.leakline.result.Holders;
import dev.leakline.result.Holders.Group;
import dev.leakline.result.Holders.Hop;
import dev.leakline.result.Holders.Verdict;
import dev.leakline.testkit.holders.KnownOwners;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Dumps that the probe wrote inside leakbench's programs at their ends: the first group names what keeps the tensors. */
class HoldersOfScenariosTest {
    private static final Path FOLDER = Repository.root().resolve("core/src/test/resources/holders/leakbench");

    @TestFactory
    Stream<DynamicTest> theFirstGroupNamesTheOwner() {
        return KnownOwners.LEAKBENCH.entrySet().stream()
                .map(owner -> dynamicTest(
                        owner.getKey(),
                        () -> assertThat(explain(owner.getKey())
                                        .groups()
                                        .getFirst()
                                        .title())
                                .startsWith(owner.getValue())));
    }

    @Test
    void programsThatKeepNothingHaveNothingButWhatShouldBeThere() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            List<String> clean = files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".holders.gz"))
                    .map(name -> name.replace(".holders.gz", ""))
                    .filter(name -> name.startsWith("clean_") && !name.equals("clean_bounded_cache"))
                    .toList();
            assertThat(clean).hasSize(7);
            for (String name : clean) {
                assertThat(explain(name).groups()).as(name).allMatch(group -> group.verdict() == Verdict.EXPECTED);
            }
        }
    }

    @Test
    void everythingThatOneReferenceHoldsComesBackWithIt() throws IOException {
        for (String name : List.of("errors_kept", "eval_outputs_kept", "leak_starts_late", "simple_cycle")) {
            Group group = explain(name).groups().getFirst();
            assertThat(group.retainedBytes()).as(name).isEqualTo(group.bytes());
        }
    }

    @Test
    void theCycleIsCutWhereTheProgramMadeIt() throws IOException {
        assertThat(cut("awaitable_cycle")).isEqualTo(".callback");
        assertThat(cut("simple_cycle")).isEqualTo(".link");
        assertThat(explain("simple_cycle").cycles()).hasSize(1);
    }

    private static String cut(String name) throws IOException {
        return explain(name).cycles().getFirst().hops().stream()
                .filter(Hop::isSuspect)
                .map(Hop::label)
                .collect(Collectors.joining(", "));
    }

    @Test
    void theTextUnderlinesTheReferencesToBlame() throws IOException {
        String text = HoldersText.of(explain("losses_kept"), 1, new Style(100, false, true));
        assertThat(text).contains("│    ↓ losses\n│      ~~~~~~\n", "│    ↓ [*]\n│      ~~~\n", "├─ list, 300 items");
        String narrow = HoldersText.of(explain("errors_kept"), 1, new Style(40, false, false));
        assertThat(narrow.lines()).allMatch(line -> line.length() <= 40 || line.matches("\\s*\\S*/\\S*"));
        assertThat(narrow.chars()).allMatch(character -> character < 128);
    }

    private static Holders explain(String name) throws IOException {
        return HolderDump.explain(List.of(HolderDump.open(FOLDER.resolve(name + ".holders.gz"))));
    }
}
