package dev.leakline.attach.linux;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;

/**
 * The memory of another process, through {@code /proc/PID/mem}: Linux lets those write there who may trace the process, and lets them
 * write to pages that are read-only to the process itself.
 */
public final class RemoteMemory implements AutoCloseable {
    private final FileChannel channel;

    private RemoteMemory(FileChannel channel) {
        this.channel = channel;
    }

    public static RemoteMemory open(int pid) throws IOException {
        return new RemoteMemory(
                FileChannel.open(ProcFile.of(pid, "mem"), StandardOpenOption.READ, StandardOpenOption.WRITE));
    }

    /** Reads bytes, little endian. */
    public ByteBuffer read(long address, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        while (bytes.hasRemaining()) {
            if (channel.read(bytes, address(address) + bytes.position()) <= 0) {
                throw new EOFException("the process has no memory at address 0x" + Long.toHexString(address));
            }
        }
        return bytes.flip();
    }

    public long word(long address) throws IOException {
        return read(address, Long.BYTES).getLong();
    }

    public int integer(long address) throws IOException {
        return read(address, Integer.BYTES).getInt();
    }

    public void write(long address, ByteBuffer bytes) throws IOException {
        long place = address(address);
        while (bytes.hasRemaining()) {
            int written = channel.write(bytes, place);
            if (written <= 0) { // what the kernel says where the process has ended
                throw new EOFException("the process has no memory at address 0x" + Long.toHexString(place));
            }
            place += written;
        }
    }

    public void writeWord(long address, long value) throws IOException {
        write(address, little(Long.BYTES).putLong(value).flip());
    }

    public void writeInteger(long address, int value) throws IOException {
        write(address, little(Integer.BYTES).putInt(value).flip());
    }

    private static ByteBuffer little(int length) {
        return ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static long address(long address) throws IOException {
        if (address < 0) {
            throw new EOFException("0x" + Long.toHexString(address) + " is not a user-space address");
        }
        return address;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
