package com.github.luben.zstd;

import dev.leakline.web.zstd.ZstdInput;
import java.io.InputStream;

/** Zstd without its native library. */
public class ZstdInputStream extends ZstdInput {
    public ZstdInputStream(InputStream stream) {
        super(stream);
    }
}
