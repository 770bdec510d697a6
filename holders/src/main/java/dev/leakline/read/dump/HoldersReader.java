package dev.leakline.read.dump;

import dev.leakline.columns.TextColumn;
import dev.leakline.objects.DumpHeader;
import dev.leakline.objects.EdgeColumns;
import dev.leakline.objects.NodeColumns;
import dev.leakline.objects.ObjectGraph;
import dev.leakline.objects.ReferenceKind;
import dev.leakline.objects.StorageColumns;
import dev.leakline.objects.TensorColumns;
import dev.leakline.source.Head;
import dev.leakline.source.LimitedInput;
import dev.leakline.source.ReadException;
import dev.leakline.source.ReadException.Code;
import dev.leakline.source.ReadLimits;
import dev.leakline.source.Source;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reads holder dumps, plain, gzip or zstd, into an {@link ObjectGraph}.
 *
 * <p>A dump is a header and sections, each with its length and the sum over its bytes. A section is taken whole or not at all: where the
 * file is cut, what stood whole before is used, and {@link ObjectGraph#incomplete} says so. Rows are read one by one, so memory grows
 * with what is in the file, not with what it claims; every number of a row that names another is held against the table it means, which
 * for tensors comes later in the file.
 */
public final class HoldersReader {
    private static final String MAGIC = "LKLHOLD1";
    private static final int TAG_BYTES = 4;
    /** Bytes of a row, by kind. */
    private static final int NODE_ROW = 24;

    private static final int TENSOR_ROW = 20;
    private static final int STORAGE_ROW = 40;
    private static final int EDGE_ROW = 16;

    private final HolderLimits limits;
    private final SectionInput input;
    private TextColumn texts = new TextColumn();
    private NodeColumns nodes = new NodeColumns();
    private TensorColumns tensors = new TensorColumns();
    private StorageColumns storages = new StorageColumns();
    private EdgeColumns.Draft edges = new EdgeColumns.Draft();
    private long tensorsAt;
    private boolean isDone;

    private HoldersReader(InputStream stream, HolderLimits limits) {
        this.limits = limits;
        this.input = new SectionInput(stream);
    }

    /** Returns whether an uncompressed input begins like a holder dump. */
    static boolean isDump(Head head) {
        return head.text().startsWith(MAGIC);
    }

    /** Reads a dump to its end. The stream stays the caller's to close. */
    public static ObjectGraph read(InputStream stream) throws IOException {
        return read(stream, HolderLimits.DEFAULT);
    }

    static ObjectGraph read(InputStream raw, HolderLimits limits) throws IOException {
        Source source = Source.of(raw, ReadLimits.DEFAULT);
        if (source.head().isEmpty()) {
            throw new ReadException(Code.EMPTY, 0, "empty input");
        }
        if (!isDump(source.head())) {
            throw new ReadException(
                    Code.NOT_A_SNAPSHOT,
                    0,
                    "not a holder dump: " + source.head().firstBytes()
                            + ". Expected a file written by the probe, which begins with the text LKLHOLD1");
        }
        return read(source, limits);
    }

    /** Reads an input that is a dump. */
    static ObjectGraph read(Source source, HolderLimits limits) throws IOException {
        LimitedInput limited = new LimitedInput(source.stream(), limits.inflatedBytes());
        return new HoldersReader(limited, limits).read();
    }

    private ObjectGraph read() throws IOException {
        DumpHeader header = header();
        String incomplete = null;
        try {
            sections();
        } catch (IOException e) {
            incomplete = salvage(e);
        }
        checkTensors();
        return new ObjectGraph(header, texts, nodes, tensors, storages, edges, incomplete, input.position());
    }

    private DumpHeader header() throws IOException {
        try {
            input.skip(MAGIC.length());
            byte[] json = new byte[input.readCount(limits.headerBytes(), "a header")];
            long at = input.position();
            input.readFully(json, json.length);
            return HoldersHeader.read(json, at);
        } catch (EOFException e) {
            throw new ReadException(Code.TRUNCATED, input.position(), "truncated within its header");
        }
    }

    /** Describes a truncated dump; fails if it is damaged, or too short for any statement. */
    private String salvage(IOException failure) throws ReadException {
        ReadException known = failure instanceof EOFException
                ? new ReadException(Code.TRUNCATED, input.position(), "truncated at byte " + input.position())
                : ReadException.explain(failure, input.position());
        boolean isCut = known.code() == Code.TRUNCATED || known.code() == Code.UNREADABLE;
        if (!isCut || nodes.size() == 0) {
            throw known;
        }
        String lost = storages.size() == 0
                ? "its storages and references are lost"
                : edges.size() == 0 ? "its references are lost" : "everything else is complete";
        return known.getMessage() + "; " + lost;
    }

    private void sections() throws IOException {
        for (int section = 0; !isDone; section++) {
            if (section > limits.sections()) {
                throw new ReadException(
                        Code.LIMIT,
                        input.position(),
                        "more than " + limits.sections() + " sections, at byte " + input.position());
            }
            section();
        }
    }

    private void section() throws IOException {
        byte[] tag = new byte[TAG_BYTES];
        input.readFully(tag, TAG_BYTES);
        long length = input.readLong();
        long start = input.position();
        if (length < 0) {
            throw new ReadException(
                    Code.DAMAGED, start - Long.BYTES, "an impossible length, at byte " + (start - Long.BYTES));
        }
        input.beginSum();
        Runnable taken = payload(new String(tag, StandardCharsets.US_ASCII), length, start);
        int found = input.sum();
        if (input.position() != start + length) {
            throw damaged(start, "a section of " + length + " bytes whose contents have " + (input.position() - start));
        }
        int expected = input.readInt();
        if (found != expected) {
            throw damaged(start, String.format("a section with checksum %08x, expected %08x", found, expected));
        }
        taken.run();
    }

    /** Reads a section; what comes back keeps it, once its sum is known to be right. */
    private Runnable payload(String tag, long length, long start) throws IOException {
        return switch (tag) {
            case "STRS" -> strings();
            case "NODE" -> nodes(rows(length, NODE_ROW, limits.nodes(), start));
            case "TENS" -> tensors(rows(length, TENSOR_ROW, limits.nodes(), start));
            case "STOR" -> storages(rows(length, STORAGE_ROW, limits.storages(), start));
            case "EDGE" -> edges(rows(length, EDGE_ROW, limits.edges(), start));
            default -> {
                input.skip(length);
                yield () -> isDone |= tag.equals("DONE");
            }
        };
    }

    private static int rows(long length, int row, int most, long start) throws ReadException {
        if (length % row != 0) {
            throw damaged(start, "a section of " + length + " bytes, expected a multiple of " + row);
        }
        if (length / row > most) {
            throw new ReadException(
                    Code.LIMIT, start, length / row + " rows at byte " + start + ", more than the limit of " + most);
        }
        return (int) (length / row);
    }

    private Runnable strings() throws IOException {
        TextColumn read = new TextColumn();
        int count = input.readCount(limits.strings(), "a number of texts");
        byte[] text = new byte[limits.stringBytes()];
        for (int i = 0; i < count; i++) {
            int length = input.readCount(limits.stringBytes(), "a text");
            input.readFully(text, length);
            if (read.byteCount() > Integer.MAX_VALUE - 2 * limits.stringBytes()) {
                throw new ReadException(
                        Code.LIMIT, input.position(), "texts of more than 2 GiB, at byte " + input.position());
            }
            read.add(text, length);
        }
        return () -> texts = read;
    }

    private Runnable nodes(int rows) throws IOException {
        NodeColumns read = new NodeColumns();
        for (int i = 0; i < rows; i++) {
            int type = index(texts.size(), "text");
            int text = index(texts.size(), "text");
            read.add(type, text, input.readInt(), input.readInt(), input.readInt(), input.readInt());
        }
        read.trim();
        return () -> nodes = read;
    }

    private Runnable tensors(int rows) throws IOException {
        TensorColumns read = new TensorColumns();
        long start = input.position();
        for (int i = 0; i < rows; i++) {
            int node = index(nodes.size(), "object");
            int storage = index(limits.storages(), "storage");
            int type = index(texts.size(), "text");
            int shape = index(texts.size(), "text");
            read.add(node, storage, type, shape, index(texts.size(), "text"));
        }
        return () -> {
            tensors = read;
            tensorsAt = start;
        };
    }

    private Runnable storages(int rows) throws IOException {
        StorageColumns read = new StorageColumns();
        for (int i = 0; i < rows; i++) {
            int node = indexOrNone(nodes.size(), "object");
            int device = Math.max(input.readInt(), StorageColumns.HOST);
            long key = input.readLong();
            long address = input.readLong();
            long at = input.position();
            long bytes = input.readLong();
            // Sums over all storages must not run over: no machine has a millionth of that.
            if (bytes < 0 || bytes > Long.MAX_VALUE >> 24) {
                throw damaged(at, "a storage of " + Long.toUnsignedString(bytes) + " bytes");
            }
            read.add(node, device, key, address, bytes, input.readInt(), input.readInt());
        }
        return () -> storages = read;
    }

    private Runnable edges(int rows) throws IOException {
        EdgeColumns.Draft read = new EdgeColumns.Draft();
        for (int i = 0; i < rows; i++) {
            int from = index(nodes.size(), "object");
            int to = index(nodes.size(), "object");
            read.add(from, to, index(texts.size(), "text"), ReferenceKind.of(input.readInt()));
        }
        return () -> edges = read;
    }

    /** Tensors name storages that come after them; of a file that ends between them they say nothing. */
    private void checkTensors() throws ReadException {
        for (int tensor = 0; tensor < tensors.size(); tensor++) {
            if (tensors.storage(tensor) >= storages.size()) {
                if (!isDone && storages.size() == 0) {
                    tensors = new TensorColumns();
                    return;
                }
                throw damaged(
                        tensorsAt + (long) tensor * TENSOR_ROW + Integer.BYTES,
                        wrong("storage", tensors.storage(tensor), storages.size()));
            }
        }
    }

    private int index(int size, String what) throws IOException {
        long at = input.position();
        int index = input.readInt();
        if (index < 0 || index >= size) {
            throw damaged(at, wrong(what, index, size));
        }
        return index;
    }

    private int indexOrNone(int size, String what) throws IOException {
        long at = input.position();
        int index = input.readInt();
        if (index < -1 || index >= size) {
            throw damaged(at, wrong(what, index, size));
        }
        return index;
    }

    private static String wrong(String what, int index, int size) {
        return what + " " + index + ", but there are only " + size;
    }

    private static ReadException damaged(long at, @Nullable String what) {
        return new ReadException(Code.DAMAGED, at, "the dump is damaged at byte " + at + ": " + what);
    }
}
