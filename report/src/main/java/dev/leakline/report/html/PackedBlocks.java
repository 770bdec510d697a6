package dev.leakline.report.html;

import dev.leakline.result.Picture.Allocations;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.IntToLongFunction;
import java.util.zip.DeflaterOutputStream;

/**
 * Allocations in as few bytes as a page can take them: how many they are, then column after column, all of it deflated.
 *
 * <p>A column begins with the number of low bits that none of its numbers has, and that are left out: sizes and addresses are multiples of 512. Numbers have
 * seven bits in each byte, the lowest first; the highest bit says that more follow. The lowest bit of a number is its sign. Births and addresses are
 * differences from the row before.
 */
final class PackedBlocks {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final int rows;

    private PackedBlocks(int rows) {
        this.rows = rows;
    }

    /** The allocations as bytes; {@code grew} is left out. */
    static byte[] of(Allocations blocks) {
        PackedBlocks packed = new PackedBlocks(blocks.born().size());
        packed.number(packed.rows);
        packed.differences(blocks.born()::get);
        packed.column(row -> EventSpan.life(blocks, row));
        packed.column(row -> EventSpan.untilReleased(blocks, row));
        packed.column(blocks.bytes()::get);
        packed.differences(blocks.addresses()::get);
        packed.column(blocks.sites()::get);
        packed.column(blocks.calls()::get);
        return packed.deflated();
    }

    private void differences(IntToLongFunction value) {
        column(row -> value.applyAsLong(row) - (row == 0 ? 0 : value.applyAsLong(row - 1)));
    }

    private void column(IntToLongFunction value) {
        long any = 0;
        for (int row = 0; row < rows; row++) {
            any |= value.applyAsLong(row);
        }
        int shift = any == 0 ? 0 : Long.numberOfTrailingZeros(any);
        number(shift);
        for (int row = 0; row < rows; row++) {
            number(value.applyAsLong(row) >> shift);
        }
    }

    private void number(long value) {
        long rest = (value << 1) ^ (value >> 63);
        while (rest < 0 || rest > 0x7f) {
            bytes.write((int) ((rest & 0x7f) | 0x80));
            rest >>>= 7;
        }
        bytes.write((int) rest);
    }

    private byte[] deflated() {
        ByteArrayOutputStream small = new ByteArrayOutputStream();
        try (DeflaterOutputStream deflater = new DeflaterOutputStream(small)) {
            bytes.writeTo(deflater);
        } catch (IOException e) {
            throw new UncheckedIOException("memory can be written to", e);
        }
        return small.toByteArray();
    }
}
