package dev.leakline.lint;

import dev.leakline.lint.LintResult.Unreadable;
import dev.leakline.lint.Linter.FileResult;
import dev.leakline.python.PythonText;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/** Judges files and folders, on all processors at once. */
public final class Lint {
    /** Folders of tools and of installed packages, unless they are named themselves. */
    private static final Set<String> SKIPPED = Set.of(
            ".git",
            ".hg",
            ".svn",
            ".venv",
            "venv",
            "node_modules",
            "__pycache__",
            ".tox",
            ".nox",
            ".eggs",
            ".ipynb_checkpoints",
            ".mypy_cache",
            ".ruff_cache",
            "site-packages",
            "dist-packages");

    private static final String NOTEBOOK = ".ipynb";
    /** No Python that people write is as long as that. */
    private static final long MOST_BYTES = 64L << 20;

    private final Configuration configuration;
    private final @Nullable ChangedLines changed;
    private final Queue<LintFinding> findings = new ConcurrentLinkedQueue<>();
    private final Queue<Unreadable> errors = new ConcurrentLinkedQueue<>();
    private final Queue<Integer> lines = new ConcurrentLinkedQueue<>();

    private Lint(Configuration configuration, @Nullable ChangedLines changed) {
        this.configuration = configuration;
        this.changed = changed;
    }

    /**
     * Judges Python files, notebooks, and all such in folders.
     *
     * @param since only lines that changed since this commit, or null for all
     */
    public static LintResult run(List<Path> paths, Configuration configuration, @Nullable String since) {
        Path first = paths.getFirst().toAbsolutePath();
        Path folder = Files.isDirectory(first) ? first : first.getParent();
        Lint lint = new Lint(configuration, since == null || folder == null ? null : ChangedLines.since(since, folder));
        Set<Path> files = lint.collect(paths);
        lint.judge(new ConcurrentLinkedQueue<>(files), files.size());
        return lint.result(files.size());
    }

    /** Judges the Python files and notebooks whose bytes are at hand, by their names. */
    public static LintResult run(Map<String, byte[]> files, Configuration configuration) {
        Lint lint = new Lint(configuration, null);
        Linter linter = new Linter(configuration::isOn);
        files.forEach((name, bytes) -> lint.judge(name, bytes, linter));
        return lint.result(files.size());
    }

    private LintResult result(int files) {
        List<LintFinding> sorted = new ArrayList<>(findings);
        sorted.sort(Linter.ORDER);
        List<Unreadable> unreadable = new ArrayList<>(errors);
        unreadable.sort(java.util.Comparator.comparing(Unreadable::file));
        return new LintResult(
                sorted,
                unreadable,
                files,
                lines.stream().mapToLong(Integer::longValue).sum());
    }

    /** Returns whether a file is in a folder of tools or of installed packages. */
    static boolean isSkipped(String file) {
        return Stream.of(file.split("/", -1)).anyMatch(SKIPPED::contains);
    }

    /** The Python files and notebooks that are named, or in folders that are. */
    static Set<Path> files(List<Path> paths, Configuration configuration) {
        return new Lint(configuration, null).collect(paths);
    }

    private Set<Path> collect(List<Path> paths) {
        Set<Path> files = new LinkedHashSet<>();
        paths.forEach(path -> collect(path, files));
        return files;
    }

    private void collect(Path path, Set<Path> files) {
        if (!Files.isDirectory(path)) {
            files.add(path);
            return;
        }
        try {
            Files.walkFileTree(path, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                    Path name = folder.getFileName();
                    boolean skipped = !folder.equals(path)
                            && name != null
                            && (SKIPPED.contains(name.toString()) || configuration.excludes(folder));
                    return skipped ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    String name = file.toString();
                    boolean python = name.endsWith(".py") || name.endsWith(".pyi") || name.endsWith(NOTEBOOK);
                    if (python && Files.isRegularFile(file) && !configuration.excludes(file)) {
                        files.add(file);
                    }
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException failure) {
                    errors.add(new Unreadable(file.toString(), 0, "cannot be read"));
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            errors.add(new Unreadable(path.toString(), 0, "cannot be read"));
        }
    }

    private void judge(Queue<Path> files, int count) {
        int workers = Math.max(1, Math.min(Runtime.getRuntime().availableProcessors(), count));
        List<Thread> threads = new ArrayList<>();
        Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        for (int i = 0; i < workers; i++) {
            Thread thread = DeepStack.thread(() -> work(files));
            thread.setUncaughtExceptionHandler((_, failure) -> failures.add(failure));
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
        Throwable failure = failures.peek();
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure instanceof RuntimeException exception) {
            throw exception;
        }
    }

    private void work(Queue<Path> files) {
        Linter linter = new Linter(configuration::isOn);
        for (Path file = files.poll(); file != null; file = files.poll()) {
            judge(file, linter);
        }
    }

    private void judge(Path file, Linter linter) {
        String name = file.toString();
        try {
            if (Files.size(file) > MOST_BYTES) {
                errors.add(new Unreadable(name, 0, "is larger than 64 MiB"));
                return;
            }
            judge(name, Files.readAllBytes(file), linter);
        } catch (IOException e) {
            errors.add(new Unreadable(name, 0, "cannot be read: " + e.getMessage()));
        }
    }

    private void judge(String name, byte[] bytes, Linter linter) {
        try {
            Notebook notebook = name.endsWith(NOTEBOOK) ? Notebook.parse(bytes) : null;
            add(linter.lint(name, notebook == null ? PythonText.decode(bytes) : notebook.source()), notebook);
        } catch (JacksonException e) {
            errors.add(new Unreadable(name, 0, "is no notebook"));
        } catch (RuntimeException e) { // one file's failure is that file's
            errors.add(new Unreadable(name, 0, "cannot be judged, please report it: " + e));
        }
    }

    private void add(FileResult result, @Nullable Notebook notebook) {
        lines.add(result.lines());
        if (result.error() != null) {
            errors.add(result.error());
        }
        for (LintFinding finding : result.findings()) {
            boolean sure = finding.confidence() >= configuration.minConfidence();
            boolean meant = changed == null
                    || changed.touches(
                            finding.file(), finding.line(), finding.range().endLine());
            if (sure && meant) {
                findings.add(notebook == null ? finding : finding.inNotebook(notebook.place(finding.line())));
            }
        }
    }
}
