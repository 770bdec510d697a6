package dev.leakline.read.figures;

import dev.leakline.columns.MemorySeries.Quantity;
import dev.leakline.columns.MemorySeries.Source;
import dev.leakline.columns.MemorySeries.Subject;
import dev.leakline.read.figures.Whereabouts.Place;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads how full a server's pool for keys and values is: {@code GPU KV cache usage: 41.0%} (vLLM), {@code token usage: 0.38} (SGLang),
 * {@code vllm:kv_cache_usage_perc 0.41}. The pool was allocated when the server began, so none of it is growth of memory.
 */
final class PoolShare {
    private static final Pattern SHARE = Pattern.compile(
            "(?i)(?:kv[ _-]?cache[ _](?:usage|utili[sz]ation)|gpu[ _]cache[ _]usage|cpu[ _]cache[ _]usage|token[ _]usage|cache_usage_perc|block[ _]usage)"
                    + "[^0-9\"{]{0,20}(?:\\{.{0,300}\\}\\s*)?\"?[:=]?\\s?(\\d+(?:\\.\\d+)?)\\s?(%?)");
    /** Values are hundredths of a per cent. */
    private static final double WHOLE = 10_000;

    private static final double PERCENT = 100;

    private final SeriesBook book;

    PoolShare(SeriesBook book) {
        this.book = book;
    }

    /** Reads a line, which may hold other figures as well; whether it had a share. */
    boolean read(String line, Utterance speech) {
        boolean mayBe = line.contains("usage") || line.contains("tilization");
        Matcher share = mayBe ? SHARE.matcher(line) : null;
        if (share == null || !share.find()) {
            return false;
        }
        double number = Double.parseDouble(share.group(1));
        boolean isPercent = !share.group(2).isEmpty() || number > 1;
        speech.whereabouts().timeIn(line);
        Place place = speech.whereabouts().ofLine();
        Subject subject = new Subject(Source.LOG, Quantity.POOL_SHARE, place.axis(), -1, -1, speech.speaker());
        book.add(subject, place, number * (isPercent ? PERCENT : WHOLE), 1);
        return true;
    }
}
