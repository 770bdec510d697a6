package dev.leakline.holders.graph;

import static org.assertj.core.api.Assertions.assertThat;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.objects.EdgeColumns;
import dev.leakline.objects.ReferenceKind;
import java.util.BitSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Dominators against two other ways to find them. */
class DominatorsTest {
    private static final int SEEDS = 300;

    @Test
    void whatHasTwoWaysIsDominatedByWhereTheyPart() {
        EdgeColumns.Draft draft = new EdgeColumns.Draft();
        int[][] edges = {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {3, 4}, {4, 3}};
        for (int[] edge : edges) {
            draft.add(edge[0], edge[1], 0, ReferenceKind.UNKNOWN);
        }
        long[] bytes = {1, 10, 100, 1000, 10_000, 7};
        Dominators dominators = Dominators.of(draft.build(6), IntArrayList.from(0), bytes);
        assertThat(dominators.of(3)).isZero();
        assertThat(dominators.of(4)).isEqualTo(3);
        assertThat(dominators.of(0)).isEqualTo(Dominators.VIRTUAL);
        assertThat(dominators.of(5)).isEqualTo(Dominators.VIRTUAL);
        assertThat(bytes).containsExactly(11_111, 10, 100, 11_000, 10_000, 7);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.7, 1.2, 2.5, 6})
    void theyAgreeWithTheDataFlowEquations(double density) {
        for (int seed = 0; seed < SEEDS; seed++) {
            int vertices = 1 + seed % 60;
            agree(RandomGraph.of(vertices, density, seed), roots(vertices, seed));
            agree(RandomGraph.deep(vertices, density, seed), roots(vertices, seed));
        }
    }

    @Test
    void theyAgreeOnALargeGraph() {
        agree(RandomGraph.of(200_000, 3, 42), roots(200_000, 41));
        agree(RandomGraph.deep(200_000, 2, 42), IntArrayList.from(0, 77));
    }

    @Test
    void whatIsDominatedIsReachedInNoOtherWay() {
        for (int seed = 0; seed < 60; seed++) {
            EdgeColumns edges = RandomGraph.of(30, 2, seed);
            IntArrayList roots = roots(30, seed);
            Dominators dominators = Dominators.of(edges, roots, new long[edges.vertices()]);
            for (int vertex = 0; vertex < 30; vertex++) {
                int dominator = dominators.of(vertex);
                if (dominator != Dominators.VIRTUAL) {
                    assertThat(reached(edges, roots, dominator).get(vertex))
                            .as("seed %s, %s without %s", seed, vertex, dominator)
                            .isFalse();
                }
            }
        }
    }

    private static IntArrayList roots(int vertices, int seed) {
        return IntArrayList.from(0, seed % vertices, vertices / 2, 0);
    }

    private static void agree(EdgeColumns edges, IntArrayList roots) {
        Dominators dominators = Dominators.of(edges, roots, new long[edges.vertices()]);
        int[] expected = new DataFlowDominators(edges, roots).find();
        int[] found = new int[edges.vertices()];
        for (int vertex = 0; vertex < found.length; vertex++) {
            found[vertex] = dominators.of(vertex);
        }
        assertThat(found).isEqualTo(expected);
    }

    private static BitSet reached(EdgeColumns edges, IntArrayList roots, int without) {
        BitSet reached = new BitSet();
        IntArrayList waiting = new IntArrayList(roots);
        while (!waiting.isEmpty()) {
            int vertex = waiting.removeLast();
            if (vertex != without && !reached.get(vertex)) {
                reached.set(vertex);
                for (int edge = edges.outStart(vertex); edge < edges.outStart(vertex + 1); edge++) {
                    waiting.add(edges.to(edge));
                }
            }
        }
        return reached;
    }
}
