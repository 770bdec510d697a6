package dev.leakline;

import static dev.leakline.testkit.snapshot.SnapshotBuilder.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.testkit.snapshot.SnapshotBuilder;
import dev.leakline.testkit.snapshot.event.Stage;
import java.util.function.ObjIntConsumer;
import org.junit.jupiter.api.Test;

/** What the rest of a recording tells of who keeps a leak, and that the same leak without it is only something's that keeps it. */
class KeepersTest {
    private static final long KB = 1 << 10;
    private static final String MODULE = "/app/job.py:99 <module>";
    private static final String CALL = "/x/site-packages/torch/nn/modules/module.py:1794 _call_impl";
    private static final String LINEAR = "/x/site-packages/torch/nn/modules/linear.py:134 forward";
    private static final String BACKWARD = "/x/site-packages/torch/autograd/__init__.py:354 backward";
    private static final String ENGINE = "??:0 torch::autograd::Engine::thread_main";
    private static final String CAST = "??:0 at::autocast::cached_cast(c10::ScalarType,at::Tensor)";
    private static final String COPY = "??:0 at::native::_to_copy(at::Tensor)";
    private static final String TASK = "/usr/lib/python3.12/asyncio/events.py:88 _run";
    private static final String LOOP = "/usr/lib/python3.12/asyncio/base_events.py:1987 _run_once";

    @Test
    void hooksThatRunMoreOftenAtEachStepKeepWhatGrowsWithThem() {
        assertThat(cause((s, i) -> hooked(s, i, i + 1))).isEqualTo("hook");
        assertThat(cause((s, i) -> hooked(s, i, 3))).isEqualTo("kept_in_container");
    }

    private static void hooked(SnapshotBuilder s, int step, int runs) {
        s.alloc("hidden" + step, 64 * KB, LINEAR, CALL, "/app/job.py:12 main", MODULE);
        s.alloc("seed", KB, BACKWARD, "/app/job.py:15 main", MODULE);
        for (int run = 0; run < runs; run++) {
            brief(s, 2 * KB, "/app/job.py:5 compare");
        }
        s.free("seed", "/app/job.py:15 main", MODULE);
        s.annotation("Optimizer.step#SGD.step", Stage.START);
        brief(s, 3 * KB, "/app/job.py:16 main", MODULE);
        s.annotation("Optimizer.step#SGD.step", Stage.END);
    }

    @Test
    void backwardPassesThatGrowLongerGoThroughGraphsThatAreKept() {
        assertThat(cause((s, i) -> passed(s, i, i + 1))).isEqualTo("autograd_graph_kept");
        assertThat(cause((s, i) -> passed(s, i, 3))).isEqualTo("kept_in_container");
    }

    private static void passed(SnapshotBuilder s, int step, int layers) {
        s.alloc("state" + step, 64 * KB, LINEAR, CALL, "/app/job.py:12 main", MODULE);
        s.alloc("seed", KB, BACKWARD, "/app/job.py:15 main", MODULE);
        for (int layer = 0; layer < layers; layer++) {
            brief(s, 2 * KB, ENGINE);
        }
        s.free("seed", "/app/job.py:15 main", MODULE);
        s.annotation("Optimizer.step#SGD.step", Stage.START);
        brief(s, 3 * KB, "/app/job.py:16 main", MODULE);
        s.annotation("Optimizer.step#SGD.step", Stage.END);
    }

    @Test
    void whatAutocastCastsIsKeptByItsCache() {
        assertThat(cause((s, i) -> cast(s, i, CAST))).isEqualTo("autocast_cache");
        assertThat(cause((s, i) -> cast(s, i, COPY))).isEqualTo("kept_in_container");
    }

    private static void cast(SnapshotBuilder s, int step, String caster) {
        s.alloc("prompt" + step, 96 * KB, "/app/job.py:13 main", MODULE);
        s.alloc("half" + step, 48 * KB, caster, "/app/job.py:14 main", MODULE);
        brief(s, 3 * KB, LINEAR, CALL, "/app/job.py:14 main", MODULE);
    }

    /** Every third task leaks. The others run to their last line, in the next turn of the event loop; or all run to it, and some results are kept. */
    @Test
    void tasksThatNeverCameToTheirLastLineKeepTheirVariables() {
        assertThat(cause((s, i) -> task(s, i, i % 3 != 1))).isEqualTo("generator");
        assertThat(cause((s, i) -> task(s, i, true))).isEqualTo("kept_in_container");
    }

    private static void task(SnapshotBuilder s, int step, boolean ends) {
        s.alloc(
                "state" + step,
                16 * KB,
                LINEAR,
                CALL,
                "/app/serve.py:15 stream",
                TASK,
                LOOP,
                "/app/serve.py:40 main",
                MODULE);
        brief(s, KB, "/app/serve.py:17 stream", TASK, LOOP, "/app/serve.py:40 main", MODULE);
        if (step > 0 && ends) {
            brief(s, 2 * KB, "/app/serve.py:20 stream", TASK, LOOP, "/app/serve.py:40 main", MODULE);
        }
        if (step > 0 && step % 3 != 1) {
            s.free("state" + (step - 1), TASK, LOOP, "/app/serve.py:40 main", MODULE);
        }
    }

    private static String cause(ObjIntConsumer<SnapshotBuilder> step) {
        return String.valueOf(Analysed.recording(snapshot().repeat(60, step))
                .findings()
                .getFirst()
                .cause());
    }

    private static void brief(SnapshotBuilder s, long size, String... stack) {
        s.alloc("brief", size, stack).free("brief", stack);
    }
}
