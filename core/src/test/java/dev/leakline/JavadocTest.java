package dev.leakline;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Keeps the first sentence of each Javadoc to the JDK's form: a noun phrase, or a verb in the third person. */
@Tag("house")
final class JavadocTest {
    private static final Pattern BEGINS_OTHERWISE = Pattern.compile(
            "/\\*\\*\\s*(?:\\*\\s*)?(?:What|Who|Whom|Whose|Whether|Those|Of|So)\\b(?:(?!\\*/)[\\s\\S])*+\\*/");

    @Test
    void membersAreSaidToBeOrToDoSomething() throws IOException {
        List<String> others = new ArrayList<>();
        for (Path source : LayoutTest.allSources()) {
            Matcher found = BEGINS_OTHERWISE.matcher(Files.readString(source));
            while (found.find()) {
                others.add(source.getFileName() + ": " + found.group());
            }
        }
        assertThat(others).isEmpty();
    }
}
