package dev.leakline.report.parquet;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/**
 * A table as a Parquet file: groups of rows, in each a chunk of every column, and at the end where they are. Only the rows of one group are kept, so a table of
 * any length takes the same memory. Numbers below are those of fields and constants in Parquet's parquet.thrift.
 *
 * @param <R> a row
 */
public final class ParquetFile<R> {
    /** A row's number within its group, and so the number of a text, has so many bits. */
    static final int INDEX_BITS = 17;
    /** Rows of a group, as many as DuckDB and others hand to a thread; a page of eight bytes a row is then a mebibyte, as the format advises. */
    private static final int ROWS = 1 << INDEX_BITS;

    private static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);
    private static final int VERSION = 1;
    private static final int GZIP = 2;
    private static final int PLAIN = 0;
    private static final int RUNS = 3;
    private static final int DICTIONARY = 8;
    private static final int DATA_PAGE = 0;
    private static final int DICTIONARY_PAGE = 2;

    private final List<Column<R>> columns;
    private final OutputStream out;
    private final List<Struct> groups = new ArrayList<>();
    private int rowsOfGroup;
    private long rows;
    private long position;

    /** Begins a table; the stream stays open. */
    public ParquetFile(List<Column<R>> columns, OutputStream out) throws IOException {
        this.columns = columns;
        this.out = out;
        put(MAGIC);
    }

    /** Adds a row. */
    public void add(R row) throws IOException {
        columns.forEach(column -> column.add(row));
        rowsOfGroup++;
        if (rowsOfGroup == ROWS) {
            endGroup();
        }
    }

    /** Ends the table; {@code writer} is who wrote it. */
    public void end(String writer) throws IOException {
        if (rowsOfGroup > 0) {
            endGroup();
        }
        List<Struct> schema = new ArrayList<>();
        schema.add(new Struct().text(4, "table").i32(5, columns.size()));
        columns.forEach(column -> schema.add(column.schema()));
        byte[] footer = new Struct()
                .i32(1, VERSION)
                .structs(2, schema)
                .i64(3, rows)
                .structs(4, groups)
                .text(6, writer)
                .bytes();
        ByteArrayOutputStream length = new ByteArrayOutputStream();
        Column.little(footer.length, Integer.BYTES, length);
        put(footer);
        put(length.toByteArray());
        put(MAGIC);
    }

    private void endGroup() throws IOException {
        long begin = position;
        List<Struct> chunks = new ArrayList<>();
        long bytes = 0;
        for (Column<R> column : columns) {
            Chunk chunk = new Chunk(column);
            chunks.add(chunk.described());
            bytes += chunk.bytes;
        }
        groups.add(new Struct()
                .structs(1, chunks)
                .i64(2, bytes)
                .i64(3, rowsOfGroup)
                .i64(5, begin));
        rows += rowsOfGroup;
        rowsOfGroup = 0;
    }

    /** The values of a column in a group of rows, written as they are made. */
    private final class Chunk {
        private final Column<R> column;
        private final long begin = position;
        private final long values;
        /** Bytes of its pages before they were compressed. */
        private long bytes;

        Chunk(Column<R> column) throws IOException {
            this.column = column;
            if (column.hasDictionary()) {
                Struct head = new Struct().i32(1, column.words()).i32(2, PLAIN);
                page(DICTIONARY_PAGE, 7, head, column.takeDictionary());
            }
            this.values = position;
            Struct head = new Struct()
                    .i32(1, rowsOfGroup)
                    .i32(2, encoding())
                    .i32(3, RUNS)
                    .i32(4, RUNS);
            page(DATA_PAGE, 5, head, column.takeValues());
        }

        private int encoding() {
            return column.hasDictionary() ? DICTIONARY : PLAIN;
        }

        private void page(int type, int field, Struct head, byte[] content) throws IOException {
            ByteArrayOutputStream compressed = new ByteArrayOutputStream();
            try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
                gzip.write(content);
            }
            byte[] header = new Struct()
                    .i32(1, type)
                    .i32(2, content.length)
                    .i32(3, compressed.size())
                    .struct(field, head)
                    .bytes();
            put(header);
            put(compressed.toByteArray());
            bytes += header.length + content.length;
        }

        private Struct described() {
            Struct described = new Struct()
                    .i32(1, column.physical())
                    .numbers(2, column.hasDictionary() ? List.of(PLAIN, RUNS, DICTIONARY) : List.of(PLAIN, RUNS))
                    .texts(3, List.of(column.name()))
                    .i32(4, GZIP)
                    .i64(5, rowsOfGroup)
                    .i64(6, bytes)
                    .i64(7, position - begin)
                    .i64(9, values);
            Struct meta = column.hasDictionary() ? described.i64(11, begin) : described;
            return new Struct().i64(2, begin).struct(3, meta);
        }
    }

    private void put(byte[] bytes) throws IOException {
        out.write(bytes);
        position += bytes.length;
    }
}
