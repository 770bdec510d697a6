package dev.leakline.known.source;

import dev.leakline.finding.FindingBuilder;
import dev.leakline.known.Diagnosis;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Kind;
import dev.leakline.result.Finding.Proof;
import dev.leakline.result.Frame;
import dev.leakline.result.Site;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Lines of Python as evidence: the line that allocates begins with {@code >}, those that called it with {@code ^}, the innermost first. */
final class PythonLines {
    /** What says that a module allocated. */
    static final Proof MODULE =
            new Proof("64 blocks", new Site(Site.Kind.TORCH, new Frame("/t/torch/nn/linear.py", 1, "forward")), 1, 1);

    private PythonLines() {}

    /** A finding of a diagnosis, after its lines were read. */
    static Finding read(Diagnosis diagnosis, String source, Proof... proofs) {
        List<String> lines = source.lines().toList();
        List<Integer> calls =
                Stream.concat(marked(lines, ">"), marked(lines, "^")).toList();
        List<String> file =
                lines.stream().map(text -> text.replaceFirst("^[>^]", " ")).toList();
        return SourceReading.of(
                finding(diagnosis, calls, proofs), _ -> "", _ -> String.join("\n", file) + "\nimport torch\n");
    }

    private static Stream<Integer> marked(List<String> lines, String mark) {
        return IntStream.range(0, lines.size())
                .filter(index -> lines.get(index).startsWith(mark))
                .mapToObj(index -> index + 1);
    }

    /** A finding of calls at some lines of a file, the innermost first. */
    static Finding finding(Diagnosis diagnosis, List<Integer> calls, Proof... proofs) {
        List<Frame> stack = calls.stream()
                .map(line -> new Frame("/app/train.py", line, "main"))
                .toList();
        return new FindingBuilder(Kind.LEAK, "id")
                .cause(diagnosis.told())
                .site(new Site(Site.Kind.USER, stack.getFirst()))
                .stack(stack)
                .proofs(List.of(proofs))
                .advice(diagnosis.advice(1024, false))
                .build();
    }
}
