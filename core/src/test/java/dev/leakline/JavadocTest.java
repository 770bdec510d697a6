package dev.leakline;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Keeps the first sentence of each Javadoc to the JDK's form: a noun phrase, or a verb in the third person. */
final class JavadocTest {
    /** Modules in which only public members are held to this so far; none is added. */
    private static final Set<String> PUBLIC_ONLY = Set.of("growth", "recordings", "python", "lint", "web");

    private static final String OTHERWISE =
            "/\\*\\*\\s*(?:\\*\\s*)?(?:What|Who|Whom|Whose|Whether|Those|Of|So)\\b(?:(?!\\*/)[\\s\\S])*+\\*/";
    private static final Pattern BEGINS_OTHERWISE = Pattern.compile(OTHERWISE);
    private static final Pattern PUBLIC_BEGINS_OTHERWISE =
            Pattern.compile(OTHERWISE + "\\s*(?:@\\w+(?:\\([^)]*\\))?\\s*)*+(?:public|protected) [^({;=]*[({]");

    @Test
    void membersAreSaidToBeOrToDoSomething() throws IOException {
        List<String> others = new ArrayList<>();
        for (Path source : LayoutTest.allSources()) {
            String module = Repository.root().relativize(source).getName(0).toString();
            Pattern form = PUBLIC_ONLY.contains(module) ? PUBLIC_BEGINS_OTHERWISE : BEGINS_OTHERWISE;
            Matcher found = form.matcher(Files.readString(source));
            while (found.find()) {
                others.add(source.getFileName() + ": " + found.group());
            }
        }
        assertThat(others).isEmpty();
    }
}
