package dev.leakline;

import static dev.leakline.PastedTablesTest.bytes;
import static dev.leakline.PastedTablesTest.explain;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.result.Conclusion;
import dev.leakline.result.Conclusion.Resource;
import dev.leakline.result.Conclusion.Unknown;
import dev.leakline.text.ByteSize;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How what a text tells of memory goes on: it is solved, it stays, it never comes back, it is killed and begins again, it is only the start. */
class ToldEndingsTest {
    private static final String GREW = "VRAM grows by 800 MB each epoch and in the end I get CUDA out of memory.\n";

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "Edit: fixed, it was the metric that kept its graph.",
                "Thanks! That was it. 40 epochs at 9 GB so far.",
                "Marked as solution",
                "Update 2: deleting the cache of samples did the trick"
            })
    void aProblemThatSomebodyLaterCallsSolvedIsSolved(String end) throws IOException {
        Conclusion said = explain(GREW + "\n" + end);
        assertThat(said.verdict()).isEqualTo(Conclusion.STEADY);
        assertThat(said.sentence()).contains("solved");
        assertThat(said.unknown()).isEmpty();
        assertThat(said.advice().getFirst().action()).startsWith("Nothing");
        assertThat(said.evidence().getFirst().line()).isEqualTo(3);
    }

    @Test
    void aTitleThatSaysSolvedCountsWhateverStandsBelow() throws IOException {
        assertThat(explain("[Solved] VRAM fills up\n" + GREW).verdict()).isEqualTo(Conclusion.STEADY);
    }

    @Test
    void whoClosesAnIssueAsSolvedTellsBelowWhatItWas() throws IOException {
        assertThat(explain("Update for others: solved, closing this.\n\n" + GREW)
                        .verdict())
                .isEqualTo(Conclusion.STEADY);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "It is not solved, any ideas?",
                "I hoped that this fixed it.",
                "If this solved it for you, tell me.",
                "Edit: fixed a typo above? No, still the same leak, memory grows"
            })
    void hopesAndDenialsSolveNothing(String end) throws IOException {
        assertThat(explain(GREW + "\n" + end).verdict()).isEqualTo(Conclusion.GROWS);
    }

    @Test
    void whatGrowsAgainBehindTheWordIsNotSolved() throws IOException {
        assertThat(explain("Update: fixed by an older driver.\n" + GREW).verdict())
                .isEqualTo(Conclusion.GROWS);
    }

    @Test
    void aRiseToALevelThatIsSaidToStayIsWarmUp() throws IOException {
        Conclusion said = explain(
                "GPU memory climbed from 3.1 GB to 9.4 GB within the first 25 steps. Ten hours later it still shows 9.4 GB.");
        assertThat(said.verdict()).isEqualTo(Conclusion.STEADY);
        assertThat(said.sentence()).contains("stays there");
        assertThat(explain(
                                "GPU memory climbed from 3.1 GB to 9.4 GB within 25 steps. Without workers it stays at 3.1 GB.")
                        .verdict())
                .isEqualTo(Conclusion.GROWS);
    }

    @Test
    void growthThatIsToldWithoutNumbersIsGrowthAsTold() throws IOException {
        Conclusion said = explain(
                "The RAM of our API server fills up with every request and is never released, until it is killed.");
        assertThat(said.verdict()).isEqualTo(Conclusion.GROWS);
        assertThat(said.resource()).isEqualTo(Resource.HOST);
        assertThat(said.sentence()).contains("by what the text says");
        assertThat(said.unknown()).doesNotContain(Unknown.GROWTH);
    }

    @Test
    void inputsOfManyShapesAreAskedAboutFirstWhereTheHostsMemoryGrows() throws IOException {
        Conclusion said = explain("Host memory (RSS) grows and never comes back. Texts have different lengths.");
        assertThat(said.advice().getFirst().action()).contains("one length");
    }

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
        assertThat(said.verdict()).isEqualTo(Conclusion.GROWS);
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
        assertThat(said.verdict()).isEqualTo("host_oom");
        assertThat(said.facts()).doesNotContainKey("growth_per_step");
        assertThat(said.advice().getFirst().action()).contains("offload");
    }

    @Test
    void aRateIsPerTheUnitThatReadingsAreNumberedBy() throws IOException {
        Conclusion steps = explain("iter 100: 3.00 GiB\niter 200: 4.00 GiB\niter 300: 5.00 GiB\niter 400: 6.00 GiB");
        assertThat(bytes(steps, "growth_per_step")).isBetween(10 * ByteSize.MIB, 11 * ByteSize.MIB);
        Conclusion hours = explain("""
                hour 1
                CONTAINER ID   NAME    CPU %     MEM USAGE / LIMIT     MEM %     NET I/O           BLOCK I/O        PIDS
                b7f01c2d33aa   api     12.40%    2.000GiB / 8GiB      25.00%    18.2GB / 310MB    1.1GB / 0B       8

                hour 2
                CONTAINER ID   NAME    CPU %     MEM USAGE / LIMIT     MEM %     NET I/O           BLOCK I/O        PIDS
                b7f01c2d33aa   api     12.40%    3.000GiB / 8GiB      37.50%    18.2GB / 310MB    1.1GB / 0B       8

                hour 3
                CONTAINER ID   NAME    CPU %     MEM USAGE / LIMIT     MEM %     NET I/O           BLOCK I/O        PIDS
                b7f01c2d33aa   api     12.40%    4.000GiB / 8GiB      50.00%    18.2GB / 310MB    1.1GB / 0B       8
                """);
        assertThat(hours.facts().get("growth_per_step").text()).isEqualTo("per hour");
        assertThat(bytes(hours, "used")).isEqualTo(4 * ByteSize.GIB);
        assertThat(hours.sentence()).contains("4.00 GiB of 8.00 GiB are left, full after 4 hours more");
    }

    @Test
    void rowsThatNameTheirNumberFirstAreReadings() throws IOException {
        Conclusion said = explain("""
                nvidia-smi, T4:
                - after 500 calls: 4.0 GB
                - after 1000 calls: 5.0 GB
                - after 1500 calls: 6.0 GB
                """);
        assertThat(said.verdict()).isEqualTo(Conclusion.GROWS);
        assertThat(said.facts().get("growth_per_step").text()).isEqualTo("per call");
        assertThat(bytes(said, "growth_per_step")).isEqualTo(Math.round(2 * ByteSize.GIB / 1000.0));
    }

    @Test
    void rowsOfAPrintWithAFormattedStringAreReadings() throws IOException {
        Conclusion said = explain("""
                        print(i, f"{torch.cuda.memory_allocated()/1e9:.2f} GB")

                0 2.00 GB
                50 3.00 GB
                100 4.00 GB
                """);
        assertThat(bytes(said, "growth_per_step")).isEqualTo(20_000_000);
    }

    @Test
    void aSizeBehindItsNumberIsAReadingOfIt() throws IOException {
        Conclusion said = explain(
                "driver_allocated_memory is 2.0 GB after picture 1, 4.0 GB after picture 3 and 8.0 GB after picture 7");
        assertThat(bytes(said, "growth_per_step")).isEqualTo(ByteSize.GIB);
        assertThat(said.facts().get("growth_per_step").text()).isEqualTo("per picture");
    }

    @Test
    void aTypedTableThatNeverFallsIsGrowth() throws IOException {
        Conclusion said = explain("""
                Memory keeps climbing with inputs of different sizes:

                images    used MiB
                0         900
                100       1900
                200       1900
                300       3900
                400       7900
                500       7900

                onnxruntime: BFCArena::AllocateRawInternal Failed to allocate memory for requested buffer of size 2147483648
                """);
        assertThat(said.verdict()).isEqualTo(Conclusion.GROWS);
        assertThat(bytes(said, "growth_total")).isEqualTo(7000 * ByteSize.MIB);
        assertThat(said.advice().getFirst().action()).contains("kSameAsRequested");
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
