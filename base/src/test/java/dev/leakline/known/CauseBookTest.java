package dev.leakline.known;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.text.DataRow;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CauseBookTest {
    private static final List<DataRow> ROWS = DataRow.read(CauseBook.class, "causes.txt", Set.of("as", "why"));

    @Test
    void eachCauseOfTheFileHasItsConstantAndEachConstantItsCause() {
        List<String> constants = Arrays.stream(Cause.class.getFields())
                .filter(field -> Modifier.isStatic(field.getModifiers()))
                .map(Field::getName)
                .toList();
        assertThat(ROWS.stream().map(DataRow::head).filter(head -> head.contains(" ")))
                .map(head -> head.substring(0, head.indexOf(' ')))
                .hasSameElementsAs(constants);
    }

    @Test
    void eachRemedyThatStandsByItselfIsOneOfSeveralCauses() {
        List<String> used = ROWS.stream()
                .filter(row -> row.end().equals("as"))
                .map(row -> row.says("as"))
                .toList();
        assertThat(ROWS.stream().map(DataRow::head).filter(head -> !head.contains(" ")))
                .allSatisfy(
                        name -> assertThat(used.stream().filter(name::equals)).hasSizeGreaterThan(1));
    }

    @Test
    void anIdOfHolderDumpsIsTheFirstCauseThatHasItWhichDumpsTell() {
        assertThat(Cause.ofHolders("hook")).contains(Cause.HOOKS_KEEP);
        assertThat(Cause.ofHolders(Cause.CHECKPOINTS.id())).isEmpty();
    }
}
