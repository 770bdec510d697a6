package dev.leakline;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Exports;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Keeps what the modules that analyse show of themselves small, and enough for our own modules, which run from the class path and so would not notice. */
@Tag("house")
final class ModuleInfoTest {
    /** What a newcomer can take in. The adapters that the build generates beside the records are not counted. */
    private static final int MOST_PUBLIC = 66;

    private static final List<String> ROOMS = List.of("base", "growth", "holders", "recordings", "texts", "core");
    private static final List<String> USERS = List.of("report", "jvm", "attach", "lint", "fleet", "app");

    private static final Pattern PUBLIC =
            Pattern.compile("(?m)^public (?:(?:abstract|final|sealed|non-sealed) )*(?:class|record|@?interface|enum) ");

    @Test
    void everyoneSeesFewTypes() throws IOException {
        List<String> types = new ArrayList<>();
        for (String room : ROOMS) {
            Set<String> shown = descriptor(room).exports().stream()
                    .filter(exports -> !exports.isQualified())
                    .map(Exports::source)
                    .collect(toSet());
            for (Path source : LayoutTest.sources(room)) {
                String code = Files.readString(source);
                if (PUBLIC.matcher(code).find() && shown.contains(LayoutTest.fullPackage(code))) {
                    types.add(source.getFileName().toString());
                }
            }
        }
        assertThat(types).isNotEmpty().hasSizeLessThanOrEqualTo(MOST_PUBLIC);
    }

    @Test
    void ourModulesSeeWhatTheyUse() throws IOException {
        for (String room : ROOMS) {
            ModuleDescriptor described = descriptor(room);
            for (String module : USERS) {
                Set<String> shown = described.exports().stream()
                        .filter(exports ->
                                !exports.isQualified() || exports.targets().contains("dev.leakline." + module))
                        .map(Exports::source)
                        .collect(toSet());
                Set<String> used = LayoutTest.referenced(module);
                used.retainAll(described.packages());
                assertThat(shown)
                        .as("packages of %s that %s sees", room, module)
                        .containsAll(used);
            }
        }
    }

    @Test
    void nothingIsShownToAModuleThatHasNoUseForIt() throws IOException {
        for (String room : ROOMS) {
            for (Exports exports : descriptor(room).exports()) {
                for (String module : exports.targets()) {
                    assertThat(LayoutTest.referenced(module.replaceFirst(".*\\.", "")))
                            .as("packages that %s uses", module)
                            .contains(exports.source());
                }
            }
        }
    }

    private static ModuleDescriptor descriptor(String room) throws IOException {
        Path classes = Repository.root().resolve(room + "/target/classes");
        try (InputStream file = Files.newInputStream(classes.resolve("module-info.class"))) {
            return ModuleDescriptor.read(file);
        }
    }
}
