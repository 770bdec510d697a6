package dev.leakline.read.figures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.source.Content;
import dev.leakline.testkit.Thoroughness;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Lines whose form was read before are not read again, and tell the same as if they were. In UTF-16 no line has a form, so each is read. */
class RepeatedFormsTest {
    /** Lines of all kinds that open, go on and end something; {@code N} is a number, {@code F} one with a fraction. */
    private static final List<String> LINES = List.of(
            "2026-11-22 10:N:0N INFO step N loss F lr Fe-05",
            "1N:2N:3N step N/N loss F",
            "epoch N step N/100 loss F",
            "Epoch [N][N/50] loss F",
            "epoch F | loss F",
            "step F of the warm-up",
            "rank N says hello, device N is ready",
            "rank N0000 says hello",
            "stepN loss F",
            "| N/5000 [0N:1N<08:20, 9.87it/s, loss=F]",
            " 45%|████  | N/100 [00:N<00:10, F it/s]",
            "after N: ok",
            "after N iterations",
            "iteration N took F s",
            "loss F and nothing else",
            "memory allocated: F GB, reserved: F GB",
            "step N mem F GB",
            "VRAM after prediction N: F GB",
            "GPU N: F/24.0 GB",
            "a share of F/F GB of files",
            "peak memory N / N",
            "GPU KV cache usage: F%",
            "step,memory_used_mb",
            "N,N",
            "N,N,N",
            "  PID    RSS COMMAND",
            "N  N python",
            "VmRSS and nothing else",
            "N",
            "memory used (GiB) by device",
            "| step | gpu0 | gpu1 |",
            "| N | N | N |",
            "               total        used        free      shared",
            "Mem:             N          N           N",
            "| Processes:                                                  |",
            "|    0   N/A  N/A     N      C   python                 NMiB |",
            "+-------------------------------------------------------------+",
            "# gpu   pid   fb",
            "N 12N 4N",
            "",
            "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate N.00 MiB. GPU 0 has a total capacity of 79.15 GiB of which F GiB is free.",
            "  File \"/app/train.py\", line N, in main",
            "ran out",
            "of memory at N",
            "{\"step\": N, \"memory_allocated\": N}",
            "[rankN]: step N loss F",
            "[rankN]: memory allocated: F GB",
            "café step N loss F");

    /** Lines of crashes: messages, whole and in pieces, what stands around them, and what nearly is one. */
    private static final List<String> CRASHES = List.of(
            "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate N.00 MiB. GPU N has a total capacity of 79.15 GiB of which F GiB is free. Of the allocated memory N.1F GiB is allocated by PyTorch, and F GiB is reserved by PyTorch but unallocated.",
            "RuntimeError: CUDA out of memory. Tried to allocate N.00 MiB (GPU N; 10.76 GiB total capacity; F GiB already allocated; N.N6 MiB free;",
            " F GiB reserved in total by PyTorch)",
            "CUDA out of memory. Tried to",
            "allocate F GiB. Process N1234 has N.1F GiB memory in use. Process N has N MiB memory in use.",
            "Tried to allocate F",
            "GiB. Including non-PyTorch memory, this process has F GiB memory in use.",
            "N GiB is free. N,N00,000 bytes",
            "2026-11-22 10:N:0N INFO launcher.py:N starting, attempt N",
            "2026-11-22 10:N:0N ERROR train.py:N CUDA out of memory. Tried to allocate N.00 GiB",
            "2026-11-22 10:N:0N ERROR train.py:N  (GPU N; 10.76 GiB total capacity; F GiB already allocated)",
            "  File \"/app/model.py\", line N, in forward",
            "    loss = model(batch).mean()",
            "does not fit any of the given device: N",
            "the process exited with code 13N",
            "Memory cgroup out of memory: Killed process N1 (python) total-vm:NkB, anon-rss:N00000kB",
            "<pre>CUDA out of memory. Tried to allocate N.00 MiB</pre> (GPU&nbsp;N; 10.76 GiB total capacity)",
            "{\"level\": \"error\", \"message\": \"CUDA out of memory. Tried to allocate N.00 MiB\", \"step\": N}",
            "[rankN]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate N.00 MiB. GPU N has a total capacity of F GiB",
            "[rankN]:  of which F GiB is free.",
            "ValueError: Free memory on device (F/79.1 GiB) on startup is less than desired GPU memory utilization (0.9, F GiB)",
            "");

    private static final int TEXTS = Thoroughness.of(80, 400);

    private final Random random = new Random(7);

    @Test
    void linesOfAFormThatWasReadTellTheSame() throws IOException {
        for (int i = 0; i < TEXTS; i++) {
            assertSame(text(i % 2 == 0));
        }
    }

    @Test
    void messagesInLinesOfAFormThatWasReadAreTheSame() throws IOException {
        for (int i = 0; i < TEXTS; i++) {
            assertSame(text(
                    random.ints(8, 0, CRASHES.size()).mapToObj(CRASHES::get).toList()));
        }
    }

    private static void assertSame(String text) throws IOException {
        assertThat(shown(text.getBytes(StandardCharsets.UTF_8)))
                .as(text)
                .isEqualTo(shown(("\ufeff" + text).getBytes(StandardCharsets.UTF_16LE)));
    }

    /** A text of few kinds of lines, either with messages or with characters of several bytes, at which texts of messages are cut elsewhere. */
    private String text(boolean isAscii) {
        List<String> some = random.ints(0, LINES.size())
                .mapToObj(LINES::get)
                .filter(line ->
                        isAscii ? line.chars().allMatch(character -> character < 128) : !line.contains("memory. "))
                .limit(8)
                .toList();
        return text(some);
    }

    private String text(List<String> some) {
        return "mem_allocated: 1.0 GB\n"
                + IntStream.range(0, 120)
                        .mapToObj(_ -> filled(some.get(random.nextInt(some.size()))))
                        .collect(Collectors.joining("\n"))
                + "\nmem_allocated: 2.0 GB\n";
    }

    private String filled(String line) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < line.length(); i++) {
            boolean isAlone = i == 0 || !Character.isUpperCase(line.charAt(i - 1));
            boolean isSlot = isAlone && (i + 1 == line.length() || !Character.isUpperCase(line.charAt(i + 1)));
            switch (isSlot ? line.charAt(i) : ' ') {
                case 'N' -> text.append(random.nextInt(random.nextBoolean() ? 10 : 100));
                case 'F' ->
                    text.append(random.nextInt(10)).append('.').append(random.nextBoolean() ? 0 : random.nextInt(10));
                default -> text.append(line.charAt(i));
            }
        }
        return text.toString();
    }

    /** Figures and messages, without the places in the input, of which UTF-16 has twice as many. */
    private static List<String> shown(byte[] bytes) throws IOException {
        Content.Figures file = FigureTexts.read(bytes);
        List<String> shown = new ArrayList<>(FigureTexts.shown(file));
        if (file.messages() != null) {
            file.messages()
                    .found()
                    .forEach(found -> shown.add(found.message() + " " + found.count() + " in line "
                            + found.places().getFirst().line()));
        }
        return shown;
    }
}
