package dev.leakline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.leakline.report.HoldersText;
import dev.leakline.report.Style;
import dev.leakline.result.Holders;
import dev.leakline.result.Holders.Group;
import dev.leakline.result.Holders.Hop;
import dev.leakline.result.Holders.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Dumps that the probe wrote inside leakbench's programs at their ends: the first group names what keeps the tensors. */
class HoldersOfScenariosTest {
    private static final Path FOLDER = Repository.root().resolve("core/src/test/resources/holders/leakbench");

    /** For each program the owner that its source makes, and the references to blame, as a reader would write them. */
    private static final Map<String, String> OWNERS = Map.ofEntries(
            Map.entry("awaitable_cycle", "a cycle of function AwaitableView.__init__.<locals>.<lambda>"),
            Map.entry("checkpoints_kept", "best of module checkpoints_kept"),
            Map.entry("errors_kept", "failures of module errors_kept"),
            Map.entry("eval_outputs_kept", "main.keep of module eval_outputs_kept"),
            Map.entry("fragmented", "kept of running call of main"),
            Map.entry("hooks_pile_up", "seen of module hooks_pile_up"),
            Map.entry("leak_starts_late", "debug of module leak_starts_late"),
            Map.entry("losses_kept", "losses of module losses_kept"),
            Map.entry("one_endpoint_leaks", "sessions of module one_endpoint_leaks"),
            Map.entry("running_loss_graph", "main.total of module running_loss_graph"),
            Map.entry("shape_cache", "main.cache.masks of module shape_cache"),
            Map.entry("simple_cycle", "a cycle of simple_cycle.Node"),
            Map.entry("slices_of_activations", "logs['z'] of module slices_of_activations"));

    @TestFactory
    Stream<DynamicTest> theFirstGroupNamesTheOwner() {
        return OWNERS.entrySet().stream()
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
            List<String> clean = files.map(file -> file.getFileName().toString().replace(".holders.gz", ""))
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
        assertThat(narrow.lines()).allMatch(line -> line.length() <= 40);
        assertThat(narrow.chars()).allMatch(character -> character < 128);
    }

    private static Holders explain(String name) throws IOException {
        return HolderDump.explain(List.of(HolderDump.open(FOLDER.resolve(name + ".holders.gz"))));
    }
}
