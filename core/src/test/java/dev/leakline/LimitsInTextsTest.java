package dev.leakline;

import static dev.leakline.PastedTablesTest.bytes;
import static dev.leakline.PastedTablesTest.explain;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.result.Conclusion;
import dev.leakline.text.ByteSize;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Limits that stand in a text are told as limits, and what follows a failure in a log is weighed. */
class LimitsInTextsTest {
    private static final String STATISTICS = """
            W external/xla/xla/tsl/framework/bfc_allocator.cc:501] Allocator (GPU_0_bfc) ran out of memory trying to allocate 2.00GiB (rounded to 2147483648)requested by op
            I external/xla/xla/tsl/framework/bfc_allocator.cc:1126] Stats:
            Limit:                      8589934592
            InUse:                      7516192768
            """;
    private static final String DEVICE =
            "|  0%%   38C    P2   58W / 450W |   5440MiB /  %dMiB |      0%%      Default |\n";
    private static final String FAILED = """
            2026-11-16 10:02:40 | INFO | trying batch size 64
            2026-11-16 10:02:58 | WARNING | failed: CUDA out of memory. Tried to allocate 2.25 GiB. GPU 0 has a total capacity of 22.07 GiB of which 1.31 GiB is free. Including non-PyTorch memory, this process has 20.75 GiB memory in use. Of the allocated memory 20.12 GiB is allocated by PyTorch, and 295.44 MiB is reserved by PyTorch but unallocated.
            2026-11-16 10:02:59 | INFO | trying batch size 32
            """;

    @Test
    void anAllocatorsLimitIsTheReasonWhereTheDeviceHasRoom() throws IOException {
        Conclusion said = explain("JAX\n" + DEVICE.formatted(24564) + STATISTICS);
        assertThat(said.verdict()).isEqualTo(Conclusion.Kind.DEVICE_OOM_LIMIT);
        assertThat(bytes(said, "limit")).isEqualTo(8 * ByteSize.GIB);
        assertThat(bytes(said, "allocated")).isEqualTo(7 * ByteSize.GIB);
        assertThat(said.advice().getFirst().action()).contains("MEM_FRACTION");
    }

    @Test
    void aLimitNearTheSizeOfTheDeviceIsNotTheReason() throws IOException {
        assertThat(explain("JAX\n" + DEVICE.formatted(8192) + STATISTICS).verdict())
                .isEqualTo(Conclusion.Kind.DEVICE_OOM);
    }

    @Test
    void theLimitOfAControlGroupIsNotTheHosts() throws IOException {
        Conclusion said = explain("""
                python invoked oom-killer: gfp_mask=0x100cca(GFP_HIGHUSER_MOVABLE), order=0, oom_score_adj=0
                memory: usage 67108864kB, limit 67108864kB, failcnt 209341
                Memory cgroup stats for /docker/5f0c:
                anon 20937965568
                shmem 46170898432
                oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=5f0c,mems_allowed=0-1,oom_memcg=/docker/5f0c,task=python,pid=28114,uid=0
                Memory cgroup out of memory: Killed process 28114 (python) total-vm:98123456kB, anon-rss:14680064kB, file-rss:182272kB
                """);
        assertThat(said.verdict()).isEqualTo(Conclusion.Kind.HOST_OOM);
        assertThat(said.sentence()).contains("container's limit").contains("43.0 GiB of the 64.0 GiB");
        assertThat(bytes(said, "shared")).isEqualTo(46170898432L);
        assertThat(said.advice().getFirst().action()).contains("/dev/shm");
    }

    @Test
    void aSliceOfACardIsNotTheCard() throws IOException {
        Conclusion said = explain("CUDA_VISIBLE_DEVICES=MIG-5c7e1c10-0000\n" + DEVICE.formatted(81559)
                + "torch.OutOfMemoryError: CUDA out of memory."
                + " Tried to allocate 128.00 MiB. GPU 0 has a total capacity of 9.50 GiB of which 34.81 MiB is free. Including"
                + " non-PyTorch memory, this process has 9.46 GiB memory in use. Of the allocated memory 9.08 GiB is allocated by"
                + " PyTorch, and 61.40 MiB is reserved by PyTorch but unallocated.");
        assertThat(said.sentence()).contains("MIG slice of 9.50 GiB");
        assertThat(said.advice().getFirst().action()).contains("larger slice");
    }

    @Test
    void anEvictionForAnotherResourceIsNoneOfMemory() throws IOException {
        Conclusion said = explain("Exit code 137. I raised limits.memory from 64Gi to 96Gi.\n"
                + "Message: The node was low on resource: ephemeral-storage. Container trainer was using 61438912Ki");
        assertThat(said.verdict()).isEqualTo(Conclusion.Kind.NOT_MEMORY);
        assertThat(said.sentence()).contains("disk");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "I raised limits.memory from 64Gi to 96Gi and the memory is full.",
                "We increased the RAM from 64 GB to 128 GB.",
                "We increased the memory request from 32Gi to 48Gi.",
                "The memory limit was raised from 16 GB to 32 GB."
            })
    void aLimitThatSomebodyRaisesIsNoGrowth(String text) throws IOException {
        assertThat(explain(text).verdict()).isNotEqualTo(Conclusion.Kind.GROWS);
    }

    @Test
    void aJobThatASchedulerEndsAtItsLimitIsNoneOfMemoryWhateverItsTitleAsks() throws IOException {
        Conclusion said = explain(
                "GPU memory leak?\n\nslurmstepd: error: *** JOB 771 ON n3 CANCELLED AT 2026-11-20T03:14:07 DUE TO TIME LIMIT ***");
        assertThat(said.verdict()).isEqualTo(Conclusion.Kind.NOT_MEMORY);
        assertThat(said.sentence()).contains("at its time limit");
    }

    @Test
    void aFailureBehindWhichTheLogReachesItsEndIsRecovered() throws IOException {
        Conclusion said = explain(FAILED + "2026-11-16 12:43:40 | INFO | training finished, exit 0\n");
        assertThat(said.verdict()).isEqualTo(Conclusion.Kind.RECOVERED);
        assertThat(said.advice().getFirst().action()).startsWith("Nothing");
    }

    @Test
    void aFailureAtTheEndOfALogIsNotRecovered() throws IOException {
        assertThat(explain("2026-11-16 09:00:00 | INFO | training finished, exit 0\n" + FAILED)
                        .verdict())
                .isEqualTo(Conclusion.Kind.DEVICE_OOM);
    }

    @Test
    void aKillBehindGrowthOfTheHostIsTold() throws IOException {
        StringBuilder log = new StringBuilder();
        for (int step = 1; step <= 6; step++) {
            log.append("step ")
                    .append(step * 100)
                    .append(" gpu_alloc 18.2GB rss ")
                    .append(30 + 11 * step)
                    .append(".2GB\n");
        }
        Conclusion said = explain(log + "Killed\n");
        assertThat(said.verdict()).isEqualTo(Conclusion.Kind.GROWS);
        assertThat(said.sentence()).contains("the process was killed").contains("GPU memory stays at 18.2 GiB");
    }
}
