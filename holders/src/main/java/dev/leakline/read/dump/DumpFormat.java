package dev.leakline.read.dump;

import dev.leakline.source.Content;
import dev.leakline.source.Format;
import dev.leakline.source.Source;
import java.io.IOException;

/** The probe's holder dumps. */
public final class DumpFormat implements Format {
    @Override
    public boolean claims(Source source) {
        return HoldersReader.isDump(source.head());
    }

    @Override
    public Content read(Source source) throws IOException {
        return new Content.Dump(HoldersReader.read(source, HolderLimits.DEFAULT));
    }
}
