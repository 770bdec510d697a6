package dev.leakline;

import dev.leakline.cases.CaseTexts;
import dev.leakline.finding.FindingBuilder;
import dev.leakline.known.Cause;
import dev.leakline.known.Diagnosis;
import dev.leakline.known.source.SourceReading;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Advice;
import dev.leakline.result.Finding.Basis;
import dev.leakline.result.Finding.SourceLines;
import dev.leakline.result.FindingHolder;
import dev.leakline.result.Frame;
import dev.leakline.result.Holders;
import dev.leakline.result.Holders.Group;
import dev.leakline.result.Site;
import dev.leakline.source.Clue;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Adds lines of the user's source code to findings, if the files are available.
 *
 * <p>Paths come from the snapshot, which anybody may have made, and a report may be sent to anybody. So nothing is looked at but what
 * stands beneath a folder that was named for this, links resolved: regular files whose name ends in {@code .py}, of which no more than
 * {@link #MOST_BYTES} are read. Without a folder, nothing is read at all.
 */
public final class Sources {
    /** The most that is read of a file: the largest of CPython's standard library has a fifth of that. */
    private static final int MOST_BYTES = 4 << 20;
    /** The most that is read of a line; no terminal shows more. */
    private static final int MOST_COLUMNS = 200;

    private static final String COLLECTING = "collect(";

    /** Lines shown on either side of the one that matters. */
    private static final int CONTEXT = 2;
    /** The last parts of a path that are looked for; deeper folders do not make a file more certain. */
    private static final int MOST_PARTS = 32;

    /** No sources. */
    public static final Sources NONE = of(List.of());

    private static final String TO_DUMP =
            Cause.UNSEEN.advice(0, false).getFirst().action();

    private final List<Path> folders;
    private final boolean isElsewhere;
    /** When the job was started, in milliseconds; all files are those that ran where it is the greatest. */
    private final long started;

    private final Set<String> changed = Collections.synchronizedSet(new TreeSet<>());

    private Sources(List<Path> folders, boolean isElsewhere, long started) {
        this.folders = folders;
        this.isElsewhere = isElsewhere;
        this.started = started;
    }

    /** Sources of recordings that may come from other machines: files count where the longest end of their path is beneath a folder. */
    public static Sources of(List<Path> folders) {
        return new Sources(folders, true, Long.MAX_VALUE);
    }

    /**
     * Sources of a job that ran on this machine, in a folder: files beneath it count at the path that the recording gives, and no others; nor such as
     * have changed since the job was started, which are not those that ran.
     */
    public static Sources ofJob(Path workingFolder, Instant started) {
        return new Sources(
                List.of(workingFolder), false, started.equals(Instant.MAX) ? Long.MAX_VALUE : started.toEpochMilli());
    }

    /** Names of files that were looked for and left out so far, since they have changed. */
    public Set<String> changed() {
        return changed;
    }

    /**
     * The result, with the source of each finding whose file is found beneath one of the folders: at the path that the recording gives,
     * else where the longest end of that path is. Lines that a finding has already, because it comes from a report, stay unless a folder
     * was named and has the file: files change, and the report shows those that ran.
     */
    public AnalysisResult attach(AnalysisResult result) {
        return result.withFindings(attach(result.findings(), !result.dumps().isEmpty()));
    }

    /** The same of findings without their result, and without holder dumps. */
    public List<Finding> attach(List<Finding> findings) {
        return attach(findings, false);
    }

    /** The same of findings; where there are holder dumps, nobody is sent for one. */
    List<Finding> attach(List<Finding> findings, boolean areDumped) {
        List<Finding> attached = findings.stream()
                .map(finding -> finding.withSource(find(finding)))
                .map(finding -> SourceReading.of(finding, this::patchable, this::text))
                .map(finding -> areDumped ? finding.withoutAdvice(TO_DUMP) : finding)
                .toList();
        for (PatchMaker maker : Services.MAKERS) {
            attached = maker.attach(attached, this);
        }
        Set<String> patches = new HashSet<>();
        return attached.stream()
                .map(finding -> finding.withAdvice(finding.advice().stream()
                        .map(advice -> advice.patch() == null
                                        || patches.add(
                                                finding.keptAt() == null
                                                        ? advice.patch()
                                                        : finding.keptAt().toString())
                                ? advice
                                : advice.withExample("", ""))
                        .toList()))
                .toList();
    }

    /** Owners in dumps, with the line that adds to each of those that grew from every dump to the next, and how to change it. */
    public Holders attach(Holders holders) {
        String program = holders.dumps().getLast().program();
        return holders.withGroups(holders.groups().stream()
                .map(group -> group.verdict() != Holders.Verdict.EXPECTED
                                && group.growth() != null
                                && group.growth().isSteady()
                        ? added(group, program)
                        : group)
                .toList());
    }

    private Group added(Group group, String program) {
        Diagnosis diagnosis =
                new Diagnosis(Cause.ofHolders(group.cause()).orElse(Cause.CONTAINER), Basis.DUMP, List.of());
        Finding grown = new FindingBuilder(Finding.Kind.LEAK, group.signature())
                .site(new Site(Site.Kind.FIGURE, new Frame("", 0, group.title())))
                .held(group.bytes(), group.storages())
                .cause(diagnosis.told())
                .build()
                .withHolders(
                        List.of(FindingHolder.of(0, program, group.bytes(), group.storages(), group, null)),
                        diagnosis.advice(group, false));
        Finding read = attach(List.of(grown), true).getFirst();
        return read.keptAt() == null ? group : group.withKeptAt(read.keptAt(), read.advice());
    }

    /** Advice of all services about the code in a case's texts. */
    static List<Advice> changes(CaseTexts texts) {
        return texts.clues(Clue.Kind.PYTHON_CODE)
                .flatMap(code -> Services.READERS.stream()
                        .flatMap(reader -> reader.read(code.clue().text()).stream()))
                .toList();
    }

    /** The services at hand, looked for once: a fleet has thousands of recordings. */
    private static final class Services {
        static final List<PatchMaker> MAKERS = all(PatchMaker.class);
        static final List<CodeReader> READERS = all(CodeReader.class);

        private static <T> List<T> all(Class<T> service) {
            List<T> found = new ArrayList<>();
            ServiceLoader.load(service, service.getClassLoader()).forEach(found::add);
            return found;
        }
    }

    /** A service that finds what may keep memory in Python that a text shows, such as the code of a report in fences of Markdown. */
    public interface CodeReader {
        /** Changes to a program, the surest first, with lines of the text as their places; none where it shows nothing. */
        List<Advice> read(String code);
    }

    /**
     * A service that adds patches to findings where the sources are at hand. Each that is on the class path takes its turn, so that every caller of
     * {@link Analysis} gets the findings that the command line shows.
     */
    public interface PatchMaker {
        /** Findings with patches in their advice, in the same order; those that it knows nothing of as they are. */
        List<Finding> attach(List<Finding> findings, Sources sources);
    }

    /**
     * A file of sources.
     *
     * @param name its path beneath the folder that was named, links resolved, with slashes
     * @param text all of it
     */
    public record SourceFile(String name, String text) {}

    /** The file of a frame; empty where it is not at hand, is larger than what is read of a file, or no UTF-8. */
    public Optional<SourceFile> whole(Frame frame) {
        try {
            Path file = file(frame);
            if (file == null) {
                return Optional.empty();
            }
            byte[] bytes = head(file, MOST_BYTES + 1);
            return bytes.length > MOST_BYTES
                    ? Optional.empty()
                    : Optional.of(new SourceFile(nameOf(file), decoded(bytes)));
        } catch (IOException | InvalidPathException e) {
            return Optional.empty();
        }
    }

    private String text(Frame frame) {
        return whole(frame).map(SourceFile::text).orElse("");
    }

    /** The path of a frame's file in patches; empty where a patch could not be applied to what was read of it. */
    private String patchable(Frame frame) {
        return whole(frame)
                .filter(file -> file.text().endsWith("\n")
                        && file.text().indexOf('\r') < 0
                        && file.name().chars().noneMatch(Character::isISOControl))
                .map(SourceFile::name)
                .orElse("");
    }

    /** Returns whether a line does nothing but call the garbage collector; not where its file is not at hand. */
    boolean collectsGarbage(Frame frame) {
        return line(frame).filter(text -> text.contains(COLLECTING)).isPresent()
                && new dev.leakline.python.flow.SourceFile(frame.file(), text(frame)).isCollection(frame.line());
    }

    private static String decoded(byte[] bytes) throws CharacterCodingException {
        return StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(bytes))
                .toString();
    }

    private String nameOf(Path file) throws IOException {
        Path real = file.toRealPath();
        for (Path folder : folders) {
            Path root = folder.toRealPath();
            if (real.startsWith(root)) {
                return root.relativize(real).toString().replace('\\', '/');
            }
        }
        return file.toString();
    }

    private @Nullable SourceLines find(Finding finding) {
        SourceLines known = finding.source();
        SourceLines found =
                known != null && folders.isEmpty() ? null : find(finding.site().frame());
        return found == null ? known : found;
    }

    private @Nullable SourceLines find(Frame frame) {
        try {
            Path file = file(frame);
            return file == null ? null : read(file, frame.line());
        } catch (IOException | InvalidPathException e) {
            return null;
        }
    }

    /** The line of a frame; empty where its file is not at hand, or does not have it. */
    private Optional<String> line(Frame frame) {
        try {
            Path file = file(frame);
            return file == null
                    ? Optional.empty()
                    : lines(file, frame.line(), frame.line()).stream().findFirst();
        } catch (IOException | InvalidPathException e) {
            return Optional.empty();
        }
    }

    private @Nullable Path file(Frame frame) throws IOException {
        if (frame.line() <= 0 || !isPython(frame.file())) {
            return null;
        }
        List<String> parts = parts(frame.file());
        Path file = parts.isEmpty() ? null : here(frame.file());
        return file == null && isElsewhere ? beneath(parts) : file;
    }

    private static boolean isPython(String name) {
        return name.endsWith(".py");
    }

    /** The file at the very path, where that is beneath a folder as it is written: of others, not even whether they exist is asked. */
    private @Nullable Path here(String name) throws IOException {
        for (Path folder : folders) {
            Path file = folder.toAbsolutePath().resolve(name);
            boolean isBeneath = file.startsWith(folder.toAbsolutePath()) || file.startsWith(folder.toRealPath());
            if (isBeneath && Files.isRegularFile(file) && isWithin(folder, file)) {
                if (file.toFile().lastModified() <= started) {
                    return file;
                }
                changed.add(name);
            }
        }
        return null;
    }

    /** The longest end of a path that there is beneath a folder; of equal ones that in the folder named first. */
    private @Nullable Path beneath(List<String> parts) throws IOException {
        for (int first = 0; first < parts.size(); first++) {
            String end = String.join("/", parts.subList(first, parts.size()));
            for (Path folder : folders) {
                Path file = folder.resolve(end);
                if (Files.isRegularFile(file) && isWithin(folder, file)) {
                    return file;
                }
            }
        }
        return null;
    }

    /** The parts of a path, however it is written; none where it climbs, because then its end means something else. */
    private static List<String> parts(String name) {
        List<String> parts = Arrays.stream(name.split("[/\\\\]", -1))
                .filter(part -> !part.isEmpty() && !part.equals("."))
                .toList();
        return parts.contains("..") ? List.of() : parts.subList(Math.max(parts.size() - MOST_PARTS, 0), parts.size());
    }

    private static boolean isWithin(Path folder, Path file) throws IOException {
        Path real = file.toRealPath();
        return real.startsWith(folder.toRealPath()) && isPython(real.toString());
    }

    /** The lines around one; null where the file does not have it, or nothing is on it, so that it is not the file that ran. */
    private static @Nullable SourceLines read(Path file, int line) throws IOException {
        int first = Math.max(line - CONTEXT, 1);
        List<String> lines = lines(file, first, line + (long) CONTEXT);
        int index = line - first;
        return index >= lines.size() || lines.get(index).isBlank()
                ? null
                : new SourceLines(file.toString(), first, lines);
    }

    private static List<String> lines(Path file, int first, long last) throws IOException {
        String text = new String(head(file, MOST_BYTES), StandardCharsets.UTF_8);
        return text.lines()
                .skip(first - 1L)
                .limit(last - first + 1)
                .map(Sources::cut)
                .toList();
    }

    private static byte[] head(Path file, int most) throws IOException {
        try (InputStream stream = Files.newInputStream(file)) {
            return stream.readNBytes(most);
        }
    }

    private static String cut(String line) {
        if (line.length() <= MOST_COLUMNS) {
            return line;
        }
        int end = Character.isHighSurrogate(line.charAt(MOST_COLUMNS - 1)) ? MOST_COLUMNS - 1 : MOST_COLUMNS;
        return line.substring(0, end);
    }
}
