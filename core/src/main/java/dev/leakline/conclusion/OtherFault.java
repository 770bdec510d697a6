package dev.leakline.conclusion;

import dev.leakline.result.Finding.Advice;
import dev.leakline.source.Clue.Kind;
import dev.leakline.text.DataFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * An error that users of GPUs meet and that memory is not the reason of: a row of {@code faults.txt}, which explains its form.
 *
 * @param mark what tells that it happened
 * @param sentence what it is
 * @param advice what to do about it
 */
record OtherFault(Kind mark, String sentence, Advice advice) {
    private static final List<OtherFault> ALL = read();

    /** The first of them that a text shows: those that cause others come first. */
    static Optional<OtherFault> of(CaseTexts texts) {
        return ALL.stream().filter(fault -> texts.has(fault.mark)).findFirst();
    }

    private static List<OtherFault> read() {
        List<OtherFault> faults = new ArrayList<>();
        String mark = "";
        String sentence = "";
        String step = "";
        for (String line : DataFile.read(OtherFault.class, "faults.txt").lines().toList()) {
            if (line.startsWith("= ")) {
                mark = line.substring(2);
            } else if (line.startsWith("is : ")) {
                sentence = line.substring(5);
            } else if (line.startsWith("do : ")) {
                step = line.substring(5);
            } else if (line.startsWith("why : ")) {
                faults.add(new OtherFault(Kind.valueOf(mark), sentence, Advice.of(step, line.substring(6), 0)));
            }
        }
        return List.copyOf(faults);
    }
}
