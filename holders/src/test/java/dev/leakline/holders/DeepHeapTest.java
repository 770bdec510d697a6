package dev.leakline.holders;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.read.dump.HoldersReader;
import dev.leakline.result.Holders;
import dev.leakline.result.Holders.Cycle;
import dev.leakline.result.Holders.Group;
import dev.leakline.testkit.holders.HolderDumpBuilder;
import dev.leakline.testkit.holders.Item;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Chains as long as programs make them: time and what is said must not grow with the square of their length. */
@Timeout(60)
class DeepHeapTest {
    private static final int LENGTH = 30_000;
    /** What fits on a screen. */
    private static final int MOST_HOPS = 12;

    private final HolderDumpBuilder dump = new HolderDumpBuilder();

    @Test
    void aLinkedListIsItsHeadAndTheRestHoweverLongItIs() throws IOException {
        Item[] nodes = chain("next");
        for (int i = 0; i < LENGTH; i++) {
            nodes[i].attribute("value", dump.tensor("[1]", 7));
        }
        dump.module("train").key("head", nodes[0]);
        assertThat(holders().groups())
                .extracting(Group::title)
                .containsExactly("head.next.value of module train", "head.value of module train");
        assertThat(holders().groups()).extracting(Group::retainedBytes).containsExactly(7L * (LENGTH - 1), 7L);
    }

    @Test
    void theWayToTheEndOfALinkedListFitsOnAScreen() throws IOException {
        Item[] nodes = chain("next");
        nodes[LENGTH - 1].attribute("value", dump.tensor("[1]", 7));
        dump.module("train").key("head", nodes[0]);
        Group group = only();
        assertThat(group.path()).hasSizeLessThan(MOST_HOPS);
        assertThat(group.path()).anyMatch(hop -> hop.label().equals(".next → … " + (LENGTH - 4) + " more …"));
        assertThat(group.path().getLast().label()).isEqualTo(".value");
    }

    @Test
    void listsWithinListsEndSomewhere() throws IOException {
        Item inner = dump.tensor("[1]", 7);
        for (int i = 0; i < LENGTH; i++) {
            inner = i % 2 == 0 ? dump.list(1).item(0, inner) : dump.dict(1).key("part", inner);
        }
        dump.module("train").key("outer", dump.object("Tree").attribute("top", inner));
        assertThat(only().path()).hasSizeLessThan(50);
    }

    @Test
    void aRingThatNothingRefersToIsShownInAFewSteps() throws IOException {
        Item[] nodes = chain("next");
        nodes[LENGTH - 1].attribute("next", nodes[0]).attribute("value", dump.tensor("[1]", 7));
        Cycle cycle = holders().cycles().getFirst();
        assertThat(cycle.objects()).isEqualTo(LENGTH);
        assertThat(cycle.bytes()).isEqualTo(7);
        assertThat(cycle.hops()).hasSizeLessThan(MOST_HOPS);
    }

    @Test
    void whatDominatesInALongChainIsCountedOnce() throws IOException {
        Item[] nodes = chain("next");
        for (int i = 0; i < LENGTH; i++) {
            nodes[i].attribute("values", dump.list(1).item(0, dump.tensor("[1]", 7)));
        }
        dump.module("train").key("head", nodes[0]);
        assertThat(holders().groups()).extracting(Group::retainedBytes).containsExactly(7L * (LENGTH - 1), 7L);
    }

    private Item[] chain(String reference) {
        Item[] nodes = new Item[LENGTH];
        for (int i = 0; i < LENGTH; i++) {
            nodes[i] = dump.object("Node");
            if (i > 0) {
                nodes[i - 1].attribute(reference, nodes[i]);
            }
        }
        return nodes;
    }

    private Group only() throws IOException {
        List<Group> groups = holders().groups();
        assertThat(groups).hasSize(1);
        return groups.getFirst();
    }

    private Holders holders() throws IOException {
        return HolderAnalysis.run(
                "1", List.of("dump"), List.of(HoldersReader.read(new ByteArrayInputStream(dump.write()))));
    }
}
