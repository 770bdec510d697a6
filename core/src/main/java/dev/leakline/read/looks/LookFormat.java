package dev.leakline.read.looks;

import dev.leakline.source.Content;
import dev.leakline.source.Format;
import dev.leakline.source.ReadException;
import dev.leakline.source.Source;
import java.io.IOException;
import java.util.regex.Pattern;

/** Looks at the host's memory of a process, a line of JSON each, and levels between them. The last line may be torn: the process may have been killed. */
public final class LookFormat implements Format {
    private static final Pattern BEGIN =
            Pattern.compile("\\{\"time_us\": ?\\d{1,18}, ?\"pid\": ?\\d{1,10}, ?\"(?:steps|levels)\"");

    @Override
    public boolean claims(Source source) {
        return BEGIN.matcher(source.head().text()).lookingAt();
    }

    @Override
    public Content read(Source source) throws IOException {
        Content.Looks looks = LookReader.read(source.stream());
        if (looks.looks().isEmpty() && looks.levels().isEmpty()) {
            throw new ReadException(
                    ReadException.Code.TRUNCATED,
                    looks.bytes(),
                    "it ends before the first whole line about the process");
        }
        return looks;
    }
}
