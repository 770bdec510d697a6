package dev.leakline;

import java.nio.file.Files;
import java.nio.file.Path;

/** Finds the repository that the tests run in. */
public final class Repository {

    private Repository() {}

    /** The nearest folder, from the working directory upwards, that holds all modules. */
    public static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("core/pom.xml"))) {
            folder = folder.getParent();
            if (folder == null) throw new IllegalStateException("run this test inside the repository");
        }
        return folder;
    }
}
