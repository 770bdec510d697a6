package dev.leakline.web.jdk.util.zip;

import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/** {@code java.util.zip.GZIPOutputStream}; TeaVM's asks its deflater once too often, which then fails with {@code Z_BUF_ERROR}. */
public class GZIPOutputStream extends OutputStream {
    private static final byte[] HEADER = {0x1f, (byte) 0x8b, Deflater.DEFLATED, 0, 0, 0, 0, 0, 0, (byte) 0xff};

    private final OutputStream out;
    private final CRC32 sum = new CRC32();
    private final Deflater deflater = new Deflater(Deflater.BEST_SPEED, true);
    private final byte[] input = new byte[1 << 16];
    private final byte[] output = new byte[1 << 16];
    private int filled;
    private long length;
    private boolean isFinished;

    public GZIPOutputStream(OutputStream out) throws IOException {
        this.out = out;
        out.write(HEADER);
    }

    public GZIPOutputStream(OutputStream out, int buffer) throws IOException {
        this(out);
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
        for (int done = 0; done < count; ) {
            if (filled == input.length) {
                deflate();
            }
            int part = Math.min(count - done, input.length - filled);
            System.arraycopy(bytes, from + done, input, filled, part);
            filled += part;
            done += part;
        }
    }

    private void deflate() throws IOException {
        sum.update(input, 0, filled);
        length += filled;
        deflater.setInput(input, 0, filled);
        while (!deflater.needsInput()) {
            out.write(output, 0, deflater.deflate(output));
        }
        filled = 0;
    }

    public void finish() throws IOException {
        if (isFinished) {
            return;
        }
        isFinished = true;
        if (filled > 0) {
            deflate();
        }
        deflater.finish();
        while (!deflater.finished()) {
            out.write(output, 0, deflater.deflate(output));
        }
        writeInt(sum.getValue());
        writeInt(length);
    }

    private void writeInt(long value) throws IOException {
        for (int i = 0; i < Integer.SIZE; i += Byte.SIZE) {
            out.write((int) (value >>> i));
        }
    }

    @Override
    public void close() throws IOException {
        finish();
        out.close();
    }
}
