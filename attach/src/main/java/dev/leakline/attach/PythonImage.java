package dev.leakline.attach;

import dev.leakline.attach.linux.ElfFile;
import dev.leakline.attach.linux.LiveException;
import dev.leakline.attach.linux.Mapping;
import dev.leakline.attach.linux.ProcFile;
import dev.leakline.attach.linux.RemoteMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The file of a running process that is Python: its program, or the library that a program has in itself.
 *
 * @param file the file, open
 * @param path its path as the process sees it
 * @param moved how far it was moved when it was loaded: add to addresses in the file
 * @param minor the second number of the version: 11 of 3.11
 * @param isFreeThreaded whether it was built without a global lock
 */
record PythonImage(ElfFile file, String path, long moved, int minor, boolean isFreeThreaded) implements AutoCloseable {
    /** Any of these functions is in Python itself and in nothing else. */
    private static final String PROOF = "Py_AddPendingCall";

    private static final Pattern VERSION = Pattern.compile("python3\\.(\\d{1,2})");
    /** The first bytes of what Python 3.13 and later tell debuggers: "xdebugpy". */
    static final long COOKIE = 0x7970_6775_6265_6478L;

    /** The first release that says its version in its memory, in {@code Py_Version}, is 3.11. */
    private static final int OLDEST_TOLD = 11;

    /** Finds Python in a process; throws {@link LiveException} where there is none. */
    static PythonImage find(int pid, RemoteMemory memory) throws IOException {
        List<Mapping> mappings = Mapping.of(pid);
        for (Mapping mapping : candidates(pid, mappings)) {
            ElfFile file = open(pid, mapping, memory);
            if (file != null) {
                return describe(file, mapping, mappings, memory);
            }
        }
        throw new LiveException(
                "process " + pid + " is not Python: none of its files contains CPython",
                "give the PID of the Python process, not of the shell or launcher that started it (leakline ps lists them)");
    }

    /** Beginnings of files, those first whose names promise most: a library of Python, its program, then anything like it. */
    private static List<Mapping> candidates(int pid, List<Mapping> mappings) throws IOException {
        Path program = program(pid);
        List<Mapping> candidates = new ArrayList<>(mappings.stream()
                .filter(mapping -> mapping.offset() == 0 && mapping.path().startsWith("/"))
                .filter(mapping ->
                        mapping.fileName().contains("python") || mapping.path().equals(program.toString()))
                .toList());
        candidates.sort(Comparator.comparing(mapping -> !mapping.fileName().startsWith("libpython")));
        return candidates;
    }

    private static Path program(int pid) throws IOException {
        return Files.readSymbolicLink(ProcFile.of(pid, "exe"));
    }

    /** The file of a mapping, looked for as the process sees it and as we do; null where that is not Python. */
    private static @org.jspecify.annotations.Nullable ElfFile open(int pid, Mapping mapping, RemoteMemory memory)
            throws IOException {
        for (Path place :
                List.of(ProcFile.of(pid, "root" + mapping.path()), Path.of(mapping.path()), ProcFile.of(pid, "exe"))) {
            if (!Files.isRegularFile(place)) {
                continue;
            }
            ElfFile file = ElfFile.open(place, mapping.path());
            if (isLoaded(file, mapping, memory) && file.symbol(PROOF).isPresent()) {
                return file;
            }
            file.close();
        }
        return null;
    }

    /** Returns whether the file is the one that the process has loaded, and not another of the same name: its first page says so. */
    private static boolean isLoaded(ElfFile file, Mapping mapping, RemoteMemory memory) throws IOException {
        ByteBuffer beginning = file.beginning();
        return memory.read(mapping.start(), beginning.limit()).equals(beginning);
    }

    private static PythonImage describe(ElfFile file, Mapping mapping, List<Mapping> mappings, RemoteMemory memory)
            throws IOException {
        long moved = mapping.start() - file.base();
        int minor = minor(file, mapping, mappings, moved, memory);
        return new PythonImage(file, mapping.path(), moved, minor, isFreeThreaded(file, mapping, moved, memory));
    }

    private static int minor(ElfFile file, Mapping mapping, List<Mapping> mappings, long moved, RemoteMemory memory)
            throws IOException {
        OptionalLong told = file.symbol("Py_Version");
        if (told.isPresent()) {
            int version = (int) memory.word(told.getAsLong() + moved);
            if (version >>> 24 == 3 && ((version >>> 16) & 0xff) >= OLDEST_TOLD) {
                return (version >>> 16) & 0xff;
            }
        }
        List<Mapping> named = new ArrayList<>(List.of(mapping));
        named.addAll(mappings);
        for (Mapping other : named) {
            Matcher version = VERSION.matcher(other.path());
            if (version.find()) {
                return Integer.parseInt(version.group(1));
            }
        }
        throw new LiveException(
                "the version of Python in " + mapping.path() + " cannot be determined",
                "start the job with leakline run instead");
    }

    private static boolean isFreeThreaded(ElfFile file, Mapping mapping, long moved, RemoteMemory memory)
            throws IOException {
        OptionalLong runtime = file.sectionAddress(".PyRuntime");
        if (runtime.isPresent()) {
            ByteBuffer words = memory.read(runtime.getAsLong() + moved, 3 * Long.BYTES);
            return words.getLong(0) == COOKIE && words.getLong(16) != 0;
        }
        return mapping.fileName().matches(".*python3\\.\\d+t.*");
    }

    /** Where a function of Python is in the process. */
    long function(String name) throws IOException {
        OptionalLong address = file.symbol(name);
        if (address.isEmpty()) {
            throw new LiveException(
                    path + " does not export the function " + name, "start the job with leakline run instead");
        }
        return address.getAsLong() + moved;
    }

    /** The version in words. */
    String version() {
        return "Python 3." + minor + (isFreeThreaded ? "t" : "");
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
