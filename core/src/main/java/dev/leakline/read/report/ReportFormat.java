package dev.leakline.read.report;

import dev.leakline.codec.Codec;
import dev.leakline.source.Content;
import dev.leakline.source.Format;
import dev.leakline.source.ReadException;
import dev.leakline.source.ReadException.Code;
import dev.leakline.source.ReadLimits;
import dev.leakline.source.Source;
import java.io.IOException;
import java.io.InputStream;
import java.util.regex.Pattern;

/** Reports that Leakline wrote, as JSON or in a page. */
public final class ReportFormat implements Format {
    /** How our JSON begins, as we write it or with its names sorted; a snapshot has neither name. */
    private static final Pattern OURS =
            Pattern.compile("^[^{]{0,99}\\{\\s*\"(?:schema\"\\s*:\\s*\"leakline\\.|acquittals\")");

    /** How the data of a page begin. */
    private static final Pattern PAGE = Pattern.compile("\\{\\s*\"schema\"\\s*:\\s*\"leakline\\.page/1\"");

    private final ReadLimits limits;

    public ReportFormat(ReadLimits limits) {
        this.limits = limits;
    }

    @Override
    public boolean claims(Source source) {
        return source.head().isBracketed() && OURS.matcher(source.head().text()).find();
    }

    @Override
    public Content read(Source source) throws IOException {
        boolean isPage = PAGE.matcher(source.head().text()).find();
        return new Content.Report(Codec.read(source.stream(), isPage, limits));
    }

    /** Reads the data that a page carries. */
    public Content readPage(InputStream data) throws IOException {
        Source source = Source.of(data, limits);
        if (!claims(source)) {
            throw new ReadException(Code.DAMAGED, 0, "this leakline page contains no report");
        }
        return read(source);
    }
}
