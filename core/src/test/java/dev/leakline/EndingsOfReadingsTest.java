package dev.leakline;

import static dev.leakline.PastedTablesTest.explain;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.result.Conclusion;
import dev.leakline.result.Conclusion.Resource;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** How readings of memory go on: a process is killed and begins again, a program only starts, a rise ends. */
class EndingsOfReadingsTest {
    @Test
    void aRiseBetweenTwoStartsIsGrowthOfTheProcessThatIsKilled() throws IOException {
        Conclusion said = explain("""
                    Last State:     Terminated
                      Reason:       OOMKilled
                $ kubectl top pod api-1
                09:00
                api-1   120m   2000Mi
                09:20
                api-1   118m   2900Mi
                09:40
                api-1   121m   3810Mi
                10:00
                api-1   119m   4700Mi
                10:20
                api-1   120m   5590Mi
                10:40
                api-1   123m   1950Mi
                """);
        assertThat(said.verdict()).isEqualTo(Conclusion.Kind.GROWS);
        assertThat(said.resource()).isEqualTo(Resource.HOST);
        assertThat(said.sentence()).contains("5 readings", "2.63 GiB per hour", "begins anew");
    }

    @Test
    void phasesOfAStartAreNoStepsAndTheirRiseIsNoGrowth() throws IOException {
        Conclusion said = explain("""
                [10:00:01] Before creating the model
                [10:00:01] CPU Virtual Memory:  used = 20.1 GB, percent = 16.0%
                [10:00:40] After creating the model
                [10:00:40] CPU Virtual Memory:  used = 61.5 GB, percent = 49.0%
                [10:01:20] After initializing optimizer states
                [10:01:20] CPU Virtual Memory:  used = 118.9 GB, percent = 95.1%
                Out of memory: Killed process 4711 (python) total-vm:98841236kB, anon-rss:63118772kB, file-rss:71204kB, shmem-rss:0kB, UID:1004
                offload_optimizer is on
                """);
        assertThat(said.verdict()).isEqualTo(Conclusion.Kind.HOST_OOM);
        assertThat(said.facts()).doesNotContainKey("growth_per_step");
        assertThat(said.advice().getFirst().action()).contains("RAM");
    }

    @Test
    void whereItStoppedRisingIsTheFirstOfTheLevel() throws IOException {
        StringBuilder log = new StringBuilder();
        for (int i = 1; i <= 20; i++) {
            log.append("step=")
                    .append(10 * i)
                    .append(" gpu_mem=")
                    .append(Math.min(4 + i, 10))
                    .append(".5GiB\n");
        }
        assertThat(explain(log.toString()).sentence()).contains("grew until step 60;");
    }
}
