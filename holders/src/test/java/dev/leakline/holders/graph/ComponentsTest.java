package dev.leakline.holders.graph;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.objects.EdgeColumns;
import dev.leakline.objects.ReferenceKind;
import org.junit.jupiter.api.Test;

class ComponentsTest {
    @Test
    void twoVerticesAreInOneComponentIfEachReachesTheOther() {
        for (int seed = 0; seed < 200; seed++) {
            int vertices = 2 + seed % 25;
            EdgeColumns edges = RandomGraph.of(vertices, 1.4, seed);
            Components components = Components.of(edges);
            boolean[][] reach = reach(edges);
            for (int one = 0; one < vertices; one++) {
                for (int other = 0; other < vertices; other++) {
                    assertThat(components.of(one) == components.of(other))
                            .as("seed %s, %s and %s", seed, one, other)
                            .isEqualTo(reach[one][other] && reach[other][one]);
                }
            }
        }
    }

    @Test
    void referencesLeadToComponentsOfTheSameOrASmallerNumber() {
        EdgeColumns edges = RandomGraph.deep(100_000, 1, 5);
        Components components = Components.of(edges);
        assertThat(components.count()).isEqualTo(100_000);
        for (int edge = 0; edge < edges.size(); edge++) {
            assertThat(components.of(edges.to(edge))).isLessThanOrEqualTo(components.of(edges.from(edge)));
        }
    }

    @Test
    void ofAPartOnlyTheReferencesWithinItCount() {
        EdgeColumns.Draft draft = new EdgeColumns.Draft();
        int[][] edges = {{0, 1}, {1, 2}, {2, 0}, {1, 3}, {3, 1}};
        for (int[] edge : edges) {
            draft.add(edge[0], edge[1], 0, ReferenceKind.UNKNOWN);
        }
        Components components = Components.of(draft.build(4), vertex -> vertex != 2);
        assertThat(components.count()).isEqualTo(2);
        assertThat(components.of(2)).isNegative();
        assertThat(components.members(components.of(1)).toArray()).containsExactlyInAnyOrder(1, 3);
        assertThat(components.members(components.of(0)).toArray()).containsExactly(0);
    }

    private static boolean[][] reach(EdgeColumns edges) {
        int vertices = edges.vertices();
        boolean[][] reach = new boolean[vertices][vertices];
        for (int vertex = 0; vertex < vertices; vertex++) {
            reach[vertex][vertex] = true;
            for (int edge = edges.outStart(vertex); edge < edges.outStart(vertex + 1); edge++) {
                reach[vertex][edges.to(edge)] = true;
            }
        }
        for (int via = 0; via < vertices; via++) {
            for (int from = 0; from < vertices; from++) {
                for (int to = 0; to < vertices; to++) {
                    reach[from][to] |= reach[from][via] && reach[via][to];
                }
            }
        }
        return reach;
    }
}
