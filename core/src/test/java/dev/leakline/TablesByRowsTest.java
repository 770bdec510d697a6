package dev.leakline;

import static dev.leakline.PastedTablesTest.explain;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.result.Conclusion;
import dev.leakline.result.Conclusion.Resource;
import java.io.IOException;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Forms that are read by rows of {@code tables.txt} alone, a text of each program as it prints it. */
class TablesByRowsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "│ 0 │ 18.00 GiB / 31.25 GiB │ 12.05% │;│ 1 │ 30.00 GiB / 31.25 GiB │ 97.00% │ ~ full ~ DEVICE ~ 30.0"
                        + " GiB of 31.3 GiB of device 1 are in use (96%), the most of 2",
                "│   0  A100-SXM4-40GB      Off  │ 00000000:3B:00.0 Off │                    0 │;│ N/A   61C    P0   "
                        + " 312W / 400W │  38.1GiB / 40.00GiB │     98%      Default │ ~ full ~ DEVICE ~ 38.1 GiB of 40.0"
                        + " GiB of device 0 are in use (95%)",
                "MiB Mem : 257640.6 total,   1200.2 free, 250000.1 used,   6440.3 buff/cache ~ full ~ HOST ~ 244 GiB"
                        + " of 252 GiB of host memory",
                "[0] A100 | 61'C,  98 % | 78012 / 81920 MB | bob(77900M);[1] A100 | 33'C,   0 % |     3 / 81920 MB | ~"
                        + " full ~ DEVICE ~ 76.2 GiB of 80.0 GiB of device 0 are in use (95%), the most of 2 that are"
                        + " listed, at this moment; bob holds 76.1 GiB",
                "| HL-SMI Version: hl-1.20.0 |;|   0  HL-225  N/A  | 0000:33:00.0     N/A |     0 |;| N/A   24C   N/A "
                        + "   98W / 600W |   49152MiB / 98304MiB |     0%           N/A | ~ fine ~ DEVICE ~ 48.0 GiB of"
                        + " 96.0 GiB of device 0 are in use (50%)",
                "NAME          ID              SIZE      PROCESSOR    UNTIL;llama3.1:70b  711a5e8463af    42 GB    "
                        + " 100% GPU     4 minutes from now ~ fine ~ DEVICE ~ llama3.1:70b holds 42.0 GiB of GPU memory",
                "NAME          ID              SIZE      PROCESSOR          UNTIL;llama3.1:70b  711a5e8463af    42 GB "
                        + "    48%/52% CPU/GPU    4 minutes from now ~ fine ~ DEVICE ~ 48 % of the model are on the CPU",
                "-- sprofile report (node03) --;RAM peak mem: 7G / 8G;GPU peak mem: 39G / 40G ~ full ~ DEVICE ~ 39.0"
                        + " GiB of 40.0 GiB",
                "GPU memory usage per node - maximum used/total;    node-g2 (GPU 0): 29.5GB/40.0GB (73.7%);    node-g2"
                        + " (GPU 1): 20.0GB/40.0GB (50.0%) ~ fine ~ DEVICE ~ 29.5 GiB of 40.0 GiB of device 0 are in use"
                        + " (74%), the most of 2",
                "CPU memory usage per node - used/allocated;    node-g2: 122.5GB/128.0GB (5.1GB/5.3GB per core of 24)"
                        + " ~ full ~ HOST ~ 123 GiB of the limit of 128 GiB",
                "● trainer.service - Training;     Active: active (running) since Mon 2026-01-05 08:00:00 UTC; 3h ago;"
                        + "     Memory: 15.5G (max: 16.0G available: 512.0M peak: 15.9G) ~ full ~ HOST ~ 15.5 GiB of the"
                        + " limit of 16.0 GiB",
                "2026-01-05 10:00:01,250 - distributed.worker.memory - WARNING - Worker is at 85% memory usage."
                        + " Pausing worker.  Process memory: 3.40 GiB -- Worker memory limit: 4.00 GiB ~ fine ~ HOST ~"
                        + " 3.40 GiB of the limit of 4.00 GiB",
                "Job Id: 4711.server;    resources_used.mem = 16252928kb;    resources_used.vmem = 99252928kb;   "
                        + " Resource_List.mem = 16gb ~ full ~ HOST ~ 15.5 GiB of the limit of 16.0 GiB",
                "Resource usage summary:;;    CPU time :                                   512.00 sec.;    Max Memory"
                        + " :                                 15872 MB;    Average Memory :                            "
                        + " 9000.00 MB;    Total Requested Memory :                     16384.00 MB ~ full ~ HOST ~ 15.5"
                        + " GiB of the limit of 16.0 GiB",
                "55d0c0000000-7ffd0000 ---p 00000000 00:00 0    [rollup];Rss:             9437184 kB;Pss:            "
                        + " 9000000 kB;Private_Dirty:   8000000 kB ~ fine ~ HOST ~ process of smaps_rollup holds 9.00 GiB"
                        + " of host memory",
                "Address           Kbytes     RSS   Dirty Mode  Mapping;total kB        19437184 9437184 8000000 ~"
                        + " fine ~ HOST ~ process of pmap holds 9.00 GiB of host memory",
                "python.exe                    4711 Console                    1  9,437,184 K;explorer.exe            "
                        + "       812 Console                    1     94,371 K ~ fine ~ HOST ~ process 4711 (python.exe)"
                        + " holds 9.00 GiB of host memory, the most of 2",
                "PhysMem: 31G used (2563M wired, 11G compressor), 1024M unused. ~ fine ~ HOST ~ 31.0 GiB of host"
                        + " memory are in use",
                "[12.345s][info][gc] GC(45) Pause Young (Normal) (G1 Evacuation Pause) 1024M->512M(2048M) 12.345ms ~"
                        + " fine ~ HOST ~ 512 MiB of 2.00 GiB of host memory are in use (25%)",
                "Per-node process memory usage (in MBs) for PID 4711 (python);                           Node 0       "
                        + "   Node 1           Total;Private                  51234.11         1102.44       "
                        + " 52336.55;Total                    52046.34         1114.84        53161.18 ~ fine ~ HOST ~"
                        + " process of numastat holds 51.9 GiB of host memory",
                "Allocated: 8123456512, active: 9012346880, metadata: 81234560 (n_thp 0), resident: 10123456512,"
                        + " mapped: 11012346880, retained: 2123456512 ~ fine ~ HOST ~ host memory (jemalloc, monitor):"
                        + " 9.43 GiB",
                "01/05/2026 08:00:31 - INFO - __main__ - GPU Total Peak Memory consumed during the train (max): 16323"
                        + " ~ fine ~ DEVICE ~ peak allocated 15.9 GiB",
                "# cat memory.max;34359738368;# cat memory.current;34120130560 ~ full ~ HOST ~ 31.8 GiB of the limit"
                        + " of 32.0 GiB are in use (99%)",
                "$ watch -n 9 'echo $(date +%T) $(ps -o rss= -p 4121)';08:00:01 3000000;08:00:10 3200000;08:00:19"
                        + " 3400000;08:00:28 3600000 ~ grows ~ HOST ~ each of 4 readings is higher than the one before:"
                        + " host memory (monitor) rises from 2.86 GiB to 3.43 GiB",
                "$ watch -n 9 'date && ps -o rss= -p 4121';Mon Jan  5 08:00:01 UTC 2026;3000000;Mon Jan  5 08:00:10"
                        + " UTC 2026;3200000;Mon Jan  5 08:00:19 UTC 2026;3400000 ~ grows ~ HOST ~ each of 3 readings is"
                        + " higher than the one before: host memory (monitor) rises from 2.86 GiB to 3.24 GiB",
                "08:00:01 3000000;08:00:10 3200000;08:00:19 3400000;08:00:28 3600000 ~ undetermined ~ UNKNOWN ~ the"
                        + " text has no message about memory that ran out and no figures of memory",
                "trying batch size 128;CUDA out of memory. Tried to allocate 2.00 GiB.;Decreasing batch size to:"
                        + " 64.;trying batch size 64;{'train_runtime': 312.11, 'epoch': 1.0} ~ recovered ~ DEVICE ~ the"
                        + " message does not say",
                "CUDA out of memory. Tried to allocate 2.00 GiB.;Decreasing batch size to: 64.;CUDA out of memory."
                        + " Tried to allocate 1.00 GiB. ~ device_oom ~ DEVICE ~ the message does not say",
                "Total VRAM 24564 MB, total RAM 65458 MB;pytorch version: 2.7.0+cu128 ~ fine ~ DEVICE ~ ComfyUI: total"
                        + " 24.0 GiB"
            })
    void aFormIsAFewRows(String text, String verdict, Resource resource, String sentence) throws IOException {
        Conclusion said = explain(text.replace(';', '\n'));
        assertThat(said.sentence()).startsWith(sentence);
        assertThat(said.verdict()).hasToString(verdict.toUpperCase(Locale.ROOT));
        assertThat(said.resource()).isEqualTo(resource);
    }
}
