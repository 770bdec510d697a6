package dev.leakline.attach.linux;

import dev.leakline.text.Printable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.OptionalLong;

/**
 * Reads the parts of an ELF file (64 bits, little endian) that are needed to find a function in it: sections by name, and the dynamic
 * symbols, which a stripped file keeps too. The file belongs to the process that is looked at, so nothing in it is believed: every length
 * has a limit, every offset is read where it says and nowhere else, and what does not fit is an error.
 */
public final class ElfFile implements AutoCloseable {
    /** A section header is this long in every 64-bit file. */
    private static final int SECTION_HEADER = 64;

    private static final int PROGRAM_HEADER = 56;
    private static final int SYMBOL = 24;
    /** Limit of sections and program headers. Python has some 40, the largest library of torch some 50. */
    private static final int MOST_HEADERS = 4096;
    /** Limit of the bytes of a table of symbols or their names. Python's are under 100 KB, those of libtorch under 100 MB. */
    private static final int MOST_TABLE_BYTES = 256 << 20;

    private static final int LOADED = 1;
    private static final int DYNAMIC_SYMBOLS = 11;
    private static final long PAGE = 4096;

    /** A section: its name's place, kind, address when nothing is moved, place in the file, length, and the section it refers to. */
    private record Section(int name, int type, long address, long offset, long size, int link) {}

    private final FileChannel channel;
    private final String name;
    private final ByteBuffer header;

    private ElfFile(FileChannel channel, String name) throws IOException {
        this.channel = channel;
        this.name = name;
        header = read(0, 64);
        if (header.getInt(0) != 0x464c457f || header.get(4) != 2 || header.get(5) != 1) {
            throw broken("not a 64-bit little-endian ELF file");
        }
    }

    /** Opens a file; {@code name} is what errors call it. */
    public static ElfFile open(Path path, String name) throws IOException {
        FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
        try {
            return new ElfFile(channel, name);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /** The first bytes, as they are also in memory. */
    public ByteBuffer beginning() throws IOException {
        return read(0, (int) Math.min(PAGE, channel.size()));
    }

    /** The lowest address of the file when nothing is moved: what a mapping of its beginning is moved against. */
    public long base() throws IOException {
        int count = Short.toUnsignedInt(header.getShort(56));
        ByteBuffer table = table(header.getLong(32), count, Short.toUnsignedInt(header.getShort(54)), PROGRAM_HEADER);
        for (int at = 0; at < count * PROGRAM_HEADER; at += PROGRAM_HEADER) {
            if (table.getInt(at) == LOADED) {
                return table.getLong(at + 16) & -PAGE;
            }
        }
        throw broken("it has no loadable segment");
    }

    /** The address of a section when nothing is moved. */
    public OptionalLong sectionAddress(String wanted) throws IOException {
        int count = sections();
        ByteBuffer table = sectionTable(count);
        int names = Short.toUnsignedInt(header.getShort(62));
        if (names >= count) {
            return OptionalLong.empty();
        }
        ByteBuffer strings = content(section(table, names));
        for (int i = 0; i < count; i++) {
            Section section = section(table, i);
            if (matches(strings, section.name, wanted)) {
                return OptionalLong.of(section.address);
            }
        }
        return OptionalLong.empty();
    }

    /** The address of a symbol that this file defines, when nothing is moved. */
    public OptionalLong symbol(String wanted) throws IOException {
        int count = sections();
        ByteBuffer table = sectionTable(count);
        for (int i = 0; i < count; i++) {
            Section section = section(table, i);
            if (section.type == DYNAMIC_SYMBOLS && section.link > 0 && section.link < count) {
                return symbol(content(section), content(section(table, section.link)), wanted);
            }
        }
        return OptionalLong.empty();
    }

    private static OptionalLong symbol(ByteBuffer symbols, ByteBuffer names, String wanted) {
        for (int at = 0; at + SYMBOL <= symbols.limit(); at += SYMBOL) {
            boolean isDefined = symbols.getShort(at + 6) != 0;
            if (isDefined && matches(names, symbols.getInt(at), wanted)) {
                return OptionalLong.of(symbols.getLong(at + 8));
            }
        }
        return OptionalLong.empty();
    }

    private static boolean matches(ByteBuffer names, int at, String wanted) {
        byte[] bytes = wanted.getBytes(StandardCharsets.US_ASCII);
        if (at < 0 || at >= names.limit() - bytes.length || names.get(at + bytes.length) != 0) {
            return false;
        }
        for (int i = 0; i < bytes.length; i++) {
            if (names.get(at + i) != bytes[i]) {
                return false;
            }
        }
        return true;
    }

    private int sections() {
        return Short.toUnsignedInt(header.getShort(60));
    }

    private ByteBuffer sectionTable(int count) throws IOException {
        return table(header.getLong(40), count, Short.toUnsignedInt(header.getShort(58)), SECTION_HEADER);
    }

    private ByteBuffer table(long offset, int count, int size, int expected) throws IOException {
        if (count > MOST_HEADERS || (count > 0 && size != expected)) {
            throw broken("it claims to have " + count + " headers of " + size + " bytes");
        }
        return read(offset, count * expected);
    }

    private static Section section(ByteBuffer table, int index) {
        int at = index * SECTION_HEADER;
        return new Section(
                table.getInt(at),
                table.getInt(at + 4),
                table.getLong(at + 16),
                table.getLong(at + 24),
                table.getLong(at + 32),
                table.getInt(at + 40));
    }

    private ByteBuffer content(Section section) throws IOException {
        if (section.size < 0 || section.size > MOST_TABLE_BYTES) {
            throw broken("one of its tables is too large: " + Long.toUnsignedString(section.size) + " bytes");
        }
        return read(section.offset, (int) section.size);
    }

    /** Reads what is there; a length is checked against the file before memory is taken for it. */
    private ByteBuffer read(long offset, int length) throws IOException {
        if (offset < 0 || offset > channel.size() - length) {
            throw new EOFException(
                    Printable.of(name) + " ends before byte " + Long.toUnsignedString(offset) + " + " + length);
        }
        ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        while (bytes.hasRemaining()) {
            if (channel.read(bytes, offset + bytes.position()) < 0) {
                throw new EOFException(Printable.of(name) + " was truncated while being read");
            }
        }
        return bytes.flip();
    }

    private IOException broken(String why) {
        return new IOException(Printable.of(name) + " cannot be used: " + why);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
