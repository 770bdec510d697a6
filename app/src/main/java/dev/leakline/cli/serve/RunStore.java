package dev.leakline.cli.serve;

import dev.leakline.Input;
import dev.leakline.Input.Demand;
import dev.leakline.InputSource;
import dev.leakline.Report;
import dev.leakline.attach.PrivateFiles;
import dev.leakline.codec.Codec;
import dev.leakline.result.AnalysisResult;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The saved results beneath a folder: files whose name ends in {@code .json} and that say so themselves. What a table shows of each is kept in
 * an index in the folder, so that files are read again only where they changed; without it, or where it is damaged, all are read again.
 */
final class RunStore {
    static final String INDEX = ".leakline-index";
    private static final String FORMAT = "leakline.index/1";

    /** The beginning of a file that names its schema. */
    private static final int HEAD = 256;
    /** Folders in folders. */
    private static final int DEPTH = 16;
    /** Milliseconds for which the folder is believed to be as it was. */
    private static final long FRESH = 1000;

    private static final int LONGEST_NAME = 80;
    private static final Pattern ODD = Pattern.compile("[^A-Za-z0-9._-]");
    private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT);

    private final Path folder;
    private Map<String, Run> files;
    private List<Run> newest = List.of();
    private long looked;

    RunStore(Path folder) {
        this.folder = folder;
        files = readIndex();
    }

    /** A file as the system shows it. */
    private record Seen(String file, long bytes, long modified) {
        boolean is(@Nullable Run known) {
            return known != null && known.bytes() == bytes && known.modified() == modified;
        }
    }

    /** All results, the newest first. */
    synchronized List<Run> runs() throws IOException {
        long now = System.currentTimeMillis();
        if (now - looked > FRESH || now < looked) {
            refresh();
            looked = System.currentTimeMillis();
        }
        return newest;
    }

    /** The result that a file holds; null where none of the store's does. */
    @Nullable
    AnalysisResult result(String file) throws IOException {
        return runs().stream().anyMatch(run -> run.file().equals(file)) ? read(folder.resolve(file)) : null;
    }

    /** Saves a result under a name that tells when, and of what; answers it. */
    String save(String name, AnalysisResult result) throws IOException {
        String plain = ODD.matcher(name).replaceAll("_");
        String saved = LocalDateTime.now(ZoneId.systemDefault()).format(STAMP) + "-"
                + plain.substring(Math.max(plain.length() - LONGEST_NAME, 0)) + ".json";
        PrivateFiles.write(
                folder.resolve(saved),
                out -> Codec.write(
                        result.shown(Integer.MAX_VALUE, false), new OutputStreamWriter(out, StandardCharsets.UTF_8)),
                PrivateFiles.FILE);
        synchronized (this) {
            looked = 0;
        }
        return saved;
    }

    private void refresh() throws IOException {
        List<Seen> seen = look();
        Map<String, Run> now = new HashMap<>();
        boolean isNew = seen.size() != files.size();
        for (Seen file : seen) {
            Run known = files.get(file.file);
            isNew |= !file.is(known);
            now.put(file.file, known != null && file.is(known) ? known : run(file));
        }
        if (isNew || newest.isEmpty()) {
            files = now;
            newest = now.values().stream()
                    .filter(Run::isResult)
                    .sorted(Comparator.comparingLong(Run::modified)
                            .reversed()
                            .thenComparing(Run::file, Comparator.reverseOrder()))
                    .toList();
        }
        if (isNew) {
            writeIndex();
        }
    }

    private List<Seen> look() throws IOException {
        List<Seen> seen = new java.util.ArrayList<>();
        Files.walkFileTree(folder, Set.<FileVisitOption>of(), DEPTH, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (attributes.isRegularFile() && file.toString().endsWith(".json")) {
                    String name = folder.relativize(file).toString().replace('\\', '/');
                    seen.add(new Seen(
                            name,
                            attributes.size(),
                            attributes.lastModifiedTime().toMillis()));
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failure) {
                return FileVisitResult.CONTINUE;
            }
        });
        return seen;
    }

    private Run run(Seen seen) {
        try {
            AnalysisResult result = read(folder.resolve(seen.file));
            if (result != null) {
                return Run.of(seen.file, seen.bytes, seen.modified, result);
            }
        } catch (IOException e) {
            // damaged, or gone by now: no result
        }
        return new Run(seen.file, seen.bytes, seen.modified, "", "", List.of());
    }

    private static @Nullable AnalysisResult read(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            String head = new String(in.readNBytes(HEAD), StandardCharsets.ISO_8859_1);
            if (!head.contains("\"" + AnalysisResult.SCHEMA + "\"")) {
                return null;
            }
        }
        return Input.open(InputSource.of(file), Demand.EVIDENCE) instanceof Report(AnalysisResult result)
                ? result
                : null;
    }

    private Map<String, Run> readIndex() {
        Map<String, Run> known = new HashMap<>();
        try (DataInputStream in =
                new DataInputStream(new BufferedInputStream(Files.newInputStream(folder.resolve(INDEX))))) {
            if (in.readUTF().equals(FORMAT)) {
                for (int left = in.readInt(); left > 0; left--) {
                    Run run = Run.read(in);
                    known.put(run.file(), run);
                }
                return known;
            }
        } catch (IOException e) {
            // none yet, or not whole: it is made again
        }
        return new HashMap<>();
    }

    private void writeIndex() {
        try {
            PrivateFiles.write(
                    folder.resolve(INDEX),
                    target -> {
                        DataOutputStream out = new DataOutputStream(new BufferedOutputStream(target));
                        out.writeUTF(FORMAT);
                        out.writeInt(files.size());
                        for (Run run : files.values()) {
                            run.write(out);
                        }
                        out.flush();
                    },
                    PrivateFiles.FILE);
        } catch (IOException | UnsupportedOperationException e) {
            // the folder cannot be written to: it is read again next time
        }
    }
}
