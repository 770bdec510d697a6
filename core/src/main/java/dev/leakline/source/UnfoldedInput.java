package dev.leakline.source;

import dev.leakline.source.ReadException.Code;
import dev.leakline.text.ByteSize;
import java.io.InputStream;

/** What a compressed file unfolds to, which may be anything: it is refused where it is far larger than any recording would be. */
final class UnfoldedInput extends CountedInput {
    private final CountedInput file;
    private final ReadLimits limits;

    UnfoldedInput(InputStream stream, CountedInput file, ReadLimits limits) {
        super(stream);
        this.file = file;
        this.limits = limits;
    }

    @Override
    void counted(long bytes) throws ReadException {
        if (bytes > limits.inflatedBytes()) {
            throw refusal(ByteSize.format(limits.inflatedBytes()));
        }
        if (bytes > limits.unfoldedFreely() && bytes / limits.unfolding() > file.bytes()) {
            throw refusal(limits.unfolding() + " times its size");
        }
    }

    private ReadException refusal(String most) {
        return new ReadException(
                Code.LIMIT,
                bytes(),
                "it decompresses to more than " + most + ", which no recording does; if you trust it, "
                        + ReadLimits.UNFOLD + "=1024 lets it unfold to 1024 GiB");
    }
}
