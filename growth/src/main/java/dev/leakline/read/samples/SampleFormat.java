package dev.leakline.read.samples;

import dev.leakline.columns.ProcessSample;
import dev.leakline.source.Content;
import dev.leakline.source.Format;
import dev.leakline.source.ReadException;
import dev.leakline.source.ReadException.Code;
import dev.leakline.source.Source;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Samples that a watch recorded, a line each. The last line may be torn: whoever wrote it may have been killed. */
public final class SampleFormat implements Format {
    /** A week of one process each second is a seventh of it; more goes through {@code watch --replay}, which keeps none. */
    private static final int MOST_SAMPLES = 4_000_000;

    @Override
    public boolean claims(Source source) {
        String head = source.head().text();
        int end = head.indexOf('\n');
        ProcessSample first = end > 0 ? SampleLines.read(head.substring(0, end)) : null;
        return first != null && (first.used() >= 0 || first.allocated() >= 0 || first.rss() >= 0);
    }

    @Override
    public Content read(Source source) throws IOException {
        List<ProcessSample> samples = new ArrayList<>();
        long bytes = 0;
        long unread = 0;
        BufferedReader lines = new BufferedReader(new InputStreamReader(source.stream(), StandardCharsets.UTF_8));
        for (String line; (line = lines.readLine()) != null; ) {
            bytes += line.length() + 1;
            ProcessSample sample = SampleLines.read(line);
            unread += sample == null && !line.isBlank() ? 1 : 0;
            if (sample != null) {
                samples.add(sample);
            }
            if (samples.size() > MOST_SAMPLES) {
                throw new ReadException(
                        Code.LIMIT,
                        bytes,
                        "more than " + MOST_SAMPLES + " samples; leakline watch --replay judges any number of them");
            }
        }
        return new Content.Samples(samples, bytes, unread);
    }
}
