package com.github.luben.zstd;

import java.io.FilterInputStream;
import java.io.InputStream;

/** A stream that is never made, as the library is not loaded. */
public class ZstdInputStream extends FilterInputStream {
    public ZstdInputStream(InputStream stream) {
        super(stream);
    }
}
