package dev.leakline.source;

import java.io.IOException;

/** A format that files come in: tells its own files by how they begin, and reads them. */
public interface Format {
    /** Returns whether an input that begins so is in this format. Formats are asked in the order of their list, and the first that says yes reads. */
    boolean claims(Source source) throws IOException;

    /** Reads an input to its end; fails with a {@link ReadException} where nothing of it can be used. */
    Content read(Source source) throws IOException;
}
