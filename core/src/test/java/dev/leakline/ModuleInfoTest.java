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
import org.junit.jupiter.api.Test;

/** Keeps what the module core shows of itself small, and enough for our own modules, which run from the class path and so would not notice. */
final class ModuleInfoTest {
    /** What a newcomer can take in. The adapters that the build generates beside the records are not counted. */
    private static final int MOST_PUBLIC = 65;

    private static final Pattern PUBLIC =
            Pattern.compile("(?m)^public (?:(?:abstract|final|sealed|non-sealed) )*(?:class|record|@?interface|enum) ");

    @Test
    void everyoneSeesFewTypes() throws IOException {
        Set<String> shown = descriptor().exports().stream()
                .filter(exports -> !exports.isQualified())
                .map(Exports::source)
                .collect(toSet());
        List<String> types = new ArrayList<>();
        for (Path source : LayoutTest.sources("core")) {
            String code = Files.readString(source);
            if (PUBLIC.matcher(code).find() && shown.contains(LayoutTest.fullPackage(code))) {
                types.add(source.getFileName().toString());
            }
        }
        assertThat(types).isNotEmpty().hasSizeLessThanOrEqualTo(MOST_PUBLIC);
    }

    @Test
    void ourModulesSeeWhatTheyUse() throws IOException {
        ModuleDescriptor core = descriptor();
        for (String module : List.of("report", "jvm", "attach", "lint", "fleet", "app")) {
            Set<String> shown = core.exports().stream()
                    .filter(exports ->
                            !exports.isQualified() || exports.targets().contains("dev.leakline." + module))
                    .map(Exports::source)
                    .collect(toSet());
            Set<String> used = LayoutTest.referenced(module);
            used.retainAll(core.packages());
            assertThat(shown).as("packages of core that %s sees", module).containsAll(used);
        }
    }

    @Test
    void nothingIsShownToAModuleThatHasNoUseForIt() throws IOException {
        for (Exports exports : descriptor().exports()) {
            for (String module : exports.targets()) {
                assertThat(LayoutTest.referenced(module.replaceFirst(".*\\.", "")))
                        .as("packages that %s uses", module)
                        .contains(exports.source());
            }
        }
    }

    private static ModuleDescriptor descriptor() throws IOException {
        Path classes = Repository.root().resolve("core/target/classes");
        try (InputStream file = Files.newInputStream(classes.resolve("module-info.class"))) {
            return ModuleDescriptor.read(file);
        }
    }
}
