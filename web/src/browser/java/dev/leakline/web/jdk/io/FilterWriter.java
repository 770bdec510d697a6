package dev.leakline.web.jdk.io;

import java.io.IOException;
import java.io.Writer;

/** {@code java.io.FilterWriter}. */
public abstract class FilterWriter extends Writer {
    protected Writer out;

    protected FilterWriter(Writer out) {
        this.out = out;
    }

    @Override
    public void write(int character) throws IOException {
        out.write(character);
    }

    @Override
    public void write(char[] characters, int from, int count) throws IOException {
        out.write(characters, from, count);
    }

    @Override
    public void write(String text, int from, int count) throws IOException {
        out.write(text, from, count);
    }

    @Override
    public void flush() throws IOException {
        out.flush();
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
