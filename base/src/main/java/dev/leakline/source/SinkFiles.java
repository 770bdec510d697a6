package dev.leakline.source;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.io.SequenceInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/** The files of lines that stormlog's sink fills one after the other, in a folder with a manifest: one stream, in the order of their numbers. */
public final class SinkFiles {
    private static final String NAMES = "segment-*.jsonl";
    /** A record has about a kilobyte; a file that ends in the middle of one was being written when its process died. */
    private static final int MOST_TORN = 1 << 16;

    private SinkFiles() {}

    /** The files of a folder; empty where it has none. */
    public static List<Path> of(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            var names = folder.getFileSystem().getPathMatcher("glob:" + NAMES);
            return files.filter(file -> names.matches(file.getFileName()))
                    .sorted()
                    .toList();
        }
    }

    /** Their whole lines. */
    public static InputStream open(List<Path> files) throws IOException {
        List<InputStream> streams = new ArrayList<>();
        for (Path file : files) {
            streams.add(new FirstBytes(Source.open(file), endOfLines(file)));
        }
        return new SequenceInputStream(Collections.enumeration(streams));
    }

    private static long endOfLines(Path path) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "r")) {
            byte[] tail = new byte[(int) Math.min(file.length(), MOST_TORN)];
            file.seek(file.length() - tail.length);
            file.readFully(tail);
            int end = tail.length;
            while (end > 0 && tail[end - 1] != '\n') {
                end--;
            }
            return file.length() - tail.length + end;
        }
    }

    /** A stream that ends after so many bytes. */
    private static final class FirstBytes extends FilterInputStream {
        private long left;

        FirstBytes(InputStream in, long left) {
            super(in);
            this.left = left;
        }

        @Override
        public int read() throws IOException {
            return left-- > 0 ? super.read() : -1;
        }

        @Override
        public int read(byte[] bytes, int from, int length) throws IOException {
            int read = left <= 0 ? -1 : super.read(bytes, from, (int) Math.min(length, left));
            left -= Math.max(read, 0);
            return read;
        }
    }
}
