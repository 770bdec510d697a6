package dev.leakline.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is left of made-up secrets and names in texts of many forms; a new form is a new line of the tables. */
class ScrubberTest {
    private static final Pattern MARKED = Pattern.compile("«([^»]+)»");
    private static final Pattern STAYS = Pattern.compile("‹([^›]+)›");
    private static final int FORMS = 240;
    /** Forms of the tables that were written by whoever had not seen the scrubber. */
    private static final int FORMS_OF_OTHERS = FORMS / 2;

    private static List<String> forms(String... tables) throws IOException {
        List<String> forms = new ArrayList<>();
        for (String name : tables) {
            try (InputStream in = Objects.requireNonNull(ScrubberTest.class.getResourceAsStream(name))) {
                new String(in.readAllBytes(), StandardCharsets.UTF_8)
                        .lines()
                        .filter(line -> line.matches("[!~] .*«.*"))
                        .forEach(forms::add);
            }
        }
        return forms;
    }

    @Test
    void nothingIsLeftOfSecretsAndOnRequestOfNames() throws IOException {
        List<String> left = new ArrayList<>();
        for (String form : forms("forms.txt", "forms-outside.txt", "forms-stranger.txt")) {
            String marked =
                    form.substring(2).replace("·", "").replace('⏎', '\n').replace('␀', '\0');
            String text = marked.replaceAll("[«»‹›]", "");
            for (boolean isFull : form.startsWith("!") ? new boolean[] {false, true} : new boolean[] {true}) {
                Scrubber scrubber = new Scrubber(isFull);
                scrubber.learn(text);
                String scrubbed = scrubber.scrub(text);
                STAYS.matcher(marked)
                        .results()
                        .map(match -> match.group(1))
                        .filter(figure -> !scrubbed.contains(figure))
                        .forEach(figure -> left.add(figure + " is missing in " + scrubbed));
                for (Matcher secret = MARKED.matcher(marked); secret.find(); ) {
                    if (Pattern.compile("(?<![A-Za-z0-9])" + Pattern.quote(secret.group(1)) + "(?![A-Za-z0-9])")
                            .matcher(scrubbed)
                            .find()) {
                        left.add(secret.group(1) + " in " + scrubbed);
                    }
                }
            }
        }
        assertThat(left).isEmpty();
    }

    @Test
    void theTableHasManyForms() throws IOException {
        assertThat(forms("forms.txt", "forms-outside.txt", "forms-stranger.txt"))
                .hasSizeGreaterThanOrEqualTo(FORMS);
        assertThat(forms("forms-outside.txt", "forms-stranger.txt")).hasSizeGreaterThanOrEqualTo(FORMS_OF_OTHERS);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 23.64 GiB of which 1.11 GiB is free.",
                "  File \"/usr/lib/python3.11/site-packages/torch/nn/modules/module.py\", line 1553, in _wrapped_call_impl",
                "PYTORCH_CUDA_ALLOC_CONF=max_split_size_mb:128,expandable_segments:True",
                "max_tokens=8192 num_batched_tokens: 2048 tokens: 4096 past_key_values=None token 1523 of 4096",
                "forward pass: 12.5 ms, backward pass: 25 ms, Missing key(s) in state_dict: \"layers.0.weight\"",
                "ampere_sgemm_128x128_tn sm80_xmma_gemm_f16f16_f16f32_f32_tn_n_tilesize128x128x32_stage4_warpsize2x2x1",
                "_ZN3c1010TensorImpl17release_resourcesEv ConvolutionBackward0 ProcessGroupNCCL.cpp:1234",
                "torch 2.10.0.dev20261124+cu128 cp313-cp313-manylinux_2_28_x86_64.whl driver 550.54.15",
                "2026-11-24T10:00:00.123456Z 0x7f12345678ab 127.0.0.1 Killed process 4711 (python3) total-vm:12345678kB",
                "see https://docs.pytorch.org/docs/stable/notes/cuda.html#memory-management for details",
                "[rank0]: RuntimeError: NCCL error in: ../torch/csrc/distributed/c10d/NCCLUtils.hpp:219",
                "EOF token: <|endoftext|>, 12 MiB / step, GPU 0: 3 of 8, /proc/meminfo, /dev/shm/",
            })
    void whatIsHarmlessStays(String text) {
        Scrubber scrubber = new Scrubber(true);
        scrubber.learn(text);
        assertThat(scrubber.scrub(text)).isEqualTo(text);
    }

    @Test
    void wordsOfMessagesAreNoNames() {
        String text = "/home/torch/x.py /home/memory/x.py /home/GiB/x.py hostname=Tried\n"
                + "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.";
        Scrubber scrubber = new Scrubber(true);
        scrubber.learn(text);
        assertThat(scrubber.scrub(text))
                .endsWith("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.");
    }

    @Test
    void aDocumentStaysOne() {
        String json =
                "{\"path\":\"/data/My Secret/train.py\",\"text\":\"token=\\\"abc\\\\def\\\" \\n \\u00e9\",\"n\":1.50,\"key\":null}";
        Scrubber plain = new Scrubber(false);
        assertThat(plain.scrubJson("{\"a\" : [1.50, \"x\"]}")).isEqualTo("{\"a\" : [1.50, \"x\"]}");
        Scrubber scrubber = new Scrubber(true);
        assertThat(scrubber.scrubJson(json))
                .isEqualTo(
                        "{\"path\":\"/path1/train.py\",\"text\":\"token=\\\"[secret]\\\" \\n é\",\"n\":1.50,\"key\":null}");
    }

    @Test
    void timeIsLinearInTheText() {
        for (String unit : List.of(
                "a",
                "0",
                "a-",
                "a.",
                "/a",
                "a@",
                "a:",
                "=a",
                "\\",
                "://",
                "a1",
                "key",
                "key ",
                "é",
                "ab:",
                "1.",
                "\"",
                "-p ",
                "#a=",
                "password ")) {
            double few = seconds(unit.repeat(25_000 / unit.length()));
            double many = seconds(unit.repeat(200_000 / unit.length()));
            assertThat(many)
                    .as(unit)
                    .isLessThan(Math.max(
                            0.5, 24 * few)); // 8 times as long, and three times that for the noise of a busy machine
        }
    }

    /** Returns seconds of the processor, so that other tests do not count. */
    private static double seconds(String text) {
        long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        Scrubber scrubber = new Scrubber(true);
        scrubber.learn(text);
        scrubber.scrub(text);
        return (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start) / 1e9;
    }

    @Test
    void ofACommandThereAreProgramScriptAndNamesOfOptions() {
        assertThat(Surroundings.command(List.of(
                        "python",
                        "p.py",
                        "--api-key",
                        "CLIKEY777777",
                        "--lr=0.1",
                        "--auth=bob:x",
                        "-m",
                        "torch.run",
                        "12",
                        "hello")))
                .isEqualTo("python p.py --api-key [...] --lr=0.1 --auth=[...] -m torch.run 12 [...]");
    }
}
