package dev.leakline.read.report;

import dev.leakline.codec.Codec;
import dev.leakline.source.Content;
import dev.leakline.source.Format;
import dev.leakline.source.ReadLimits;
import dev.leakline.source.Source;
import java.io.IOException;
import java.util.regex.Pattern;

/** Summaries of a job's processes that Leakline wrote. */
public final class SummaryFormat implements Format {
    private static final Pattern OURS = Pattern.compile("^[^{]{0,99}\\{\\s*\"schema\"\\s*:\\s*\"leakline\\.summary/");

    private final ReadLimits limits;

    public SummaryFormat(ReadLimits limits) {
        this.limits = limits;
    }

    @Override
    public boolean claims(Source source) {
        return source.head().isBracketed() && OURS.matcher(source.head().text()).find();
    }

    @Override
    public Content read(Source source) throws IOException {
        return new Content.Summary(Codec.readSummary(source.stream(), limits));
    }
}
