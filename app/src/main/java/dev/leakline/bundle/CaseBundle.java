package dev.leakline.bundle;

import dev.leakline.text.ByteSize;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** An archive for a ticket that is put together in memory, then written at once: a zip whose first entry says what is in it. */
public final class CaseBundle {
    static final String MANIFEST = "leakline-bundle.txt";

    private final String version;
    private final boolean isScrubbed;
    private final Scrubber scrubber;
    private final List<Entry> entries = new ArrayList<>();

    /** A file of the bundle, with its description in words. */
    private static final class Entry {
        private final String name;
        private final String holds;
        private final byte[] bytes;

        Entry(String name, String holds, byte[] bytes) {
            this.name = name;
            this.holds = holds;
            this.bytes = bytes;
        }

        String line() {
            return "%10s  %-28s %s\n".formatted(ByteSize.format(bytes.length), name, holds);
        }
    }

    /**
     * An empty archive.
     *
     * @param version the version of Leakline
     * @param isScrubbed whether to replace what tells who and where
     */
    public CaseBundle(String version, boolean isScrubbed) {
        this.version = version;
        this.isScrubbed = isScrubbed;
        this.scrubber = new Scrubber(isScrubbed);
        scrubber.host(Surroundings.hostName());
    }

    /** Tells of a text that will be added, so that its names are known in all others. */
    public void learn(String text) {
        scrubber.learn(text);
    }

    /** A JSON document as it would be in the archive. */
    public String scrubbedJson(String json) {
        return scrubber.scrubJson(json);
    }

    /** Adds a text, without what tells too much. */
    public void add(String name, String holds, String text) {
        addAsIs(
                scrubber.scrub(name),
                scrubber.scrub(holds),
                (name.endsWith(".json") ? scrubber.scrubJson(text) : scrubber.scrub(text))
                        .getBytes(StandardCharsets.UTF_8));
    }

    /** Adds what was made of scrubbed texts. */
    public void addAsIs(String name, String holds, byte[] bytes) {
        entries.add(new Entry(name, holds, bytes));
    }

    /** Lists what is in it, a line an entry: size, name, what it holds. */
    public String contents() {
        return entries.stream().map(Entry::line).collect(Collectors.joining());
    }

    /** Writes the archive; the stream stays open. */
    public void writeTo(OutputStream out) throws IOException {
        String head = "leakline bundle " + version + ", " + Instant.now().truncatedTo(ChronoUnit.SECONDS)
                + (isScrubbed ? ", scrubbed\n" : "\n");
        ZipOutputStream zip = new ZipOutputStream(out, StandardCharsets.UTF_8);
        write(zip, MANIFEST, (head + contents()).getBytes(StandardCharsets.UTF_8));
        for (Entry entry : entries) {
            write(zip, entry.name, entry.bytes);
        }
        zip.finish();
    }

    private static void write(ZipOutputStream zip, String name, byte[] bytes) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(bytes);
        zip.closeEntry();
    }
}
