package dev.leakline.known;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CollectorFrameTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "gc_collect_main",
                "gc_collect_generations",
                "gc_collect",
                "delete_garbage.isra.0",
                "_Py_RunGC",
                "PyGC_Collect"
            })
    void theCollectorsFunctions(String function) {
        assertThat(CollectorFrame.is(function)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "list_dealloc",
                "subtype_dealloc",
                "THPVariable_clear",
                "c10::cuda::garbage_collect_cached_blocks",
                ""
            })
    void others(String function) {
        assertThat(CollectorFrame.is(function)).isFalse();
    }
}
