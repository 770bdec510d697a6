package dev.leakline.watch;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Small files of {@code /proc}, read in one buffer. Those that say what is resident stay open: to open one costs more than to read it, and one that
 * is open never tells of another process that was given the number. For one thread.
 */
final class ProcText implements AutoCloseable {
    /** Half of what a process may open where nobody says otherwise. */
    private static final int MOST_OPEN = 512;

    private static final int AT_PAGESZ = 6;
    private static final int USUAL_PAGE = 4096;

    private final String proc;
    private final long page = page();
    private final Map<Long, RandomAccessFile> open = new HashMap<>();
    private byte[] buffer = new byte[4096];

    ProcText(Path proc) {
        this.proc = proc + "/";
    }

    /** The content of a process's file, such as {@code stat}. */
    String of(long pid, String file) throws IOException {
        try (FileInputStream in = new FileInputStream(proc + pid + "/" + file)) {
            int size = 0;
            for (int read = in.read(buffer); read > 0; read = in.read(buffer, size, buffer.length - size)) {
                size += read;
                buffer = size < buffer.length ? buffer : Arrays.copyOf(buffer, 2 * size);
            }
            return new String(buffer, 0, size, StandardCharsets.ISO_8859_1);
        }
    }

    /** The resident bytes of a process, 0 of one that has none left; throws where it has ended since its first reading. */
    long resident(long pid) throws IOException {
        RandomAccessFile file = open.get(pid);
        if (file == null) {
            if (open.size() >= MOST_OPEN) {
                close();
            }
            file = new RandomAccessFile(proc + pid + "/statm", "r");
            open.put(pid, file);
        }
        try {
            file.seek(0);
            return page * secondNumber(file.read(buffer));
        } catch (IOException e) {
            open.remove(pid);
            close(file);
            throw e;
        }
    }

    /** The second number of a line. */
    private long secondNumber(int length) throws IOException {
        int at = 0;
        while (at < length && buffer[at] != ' ') {
            at++;
        }
        long number = 0;
        for (at++; at < length && buffer[at] != ' '; at++) {
            number = number * 10 + buffer[at] - '0';
        }
        if (at >= length) {
            throw new IOException("the process has ended");
        }
        return number;
    }

    /** The bytes of a page of memory, as the kernel tells each program that it starts. */
    private static long page() {
        try {
            ByteBuffer pairs = ByteBuffer.wrap(Files.readAllBytes(Path.of("/proc/self/auxv")))
                    .order(ByteOrder.nativeOrder());
            while (pairs.remaining() >= 2 * Long.BYTES) {
                long key = pairs.getLong();
                long value = pairs.getLong();
                if (key == AT_PAGESZ) {
                    return value;
                }
            }
        } catch (IOException e) {
            // Then there is no /proc to read pages of either.
        }
        return USUAL_PAGE;
    }

    @Override
    public void close() {
        open.values().forEach(ProcText::close);
        open.clear();
    }

    private static void close(RandomAccessFile file) {
        try {
            file.close();
        } catch (IOException e) {
            // It was only read.
        }
    }
}
