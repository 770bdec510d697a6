package dev.leakline;

import dev.leakline.columns.Measurements;
import dev.leakline.columns.MemorySeries;
import dev.leakline.result.InputFile;
import dev.leakline.source.Clue;
import dev.leakline.source.Content;
import dev.leakline.source.FoundMessages;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Figures that were read: function profiles, counters over time, logs. */
final class Measurement implements Input {
    private final String name;
    private final Content.Figures file;

    Measurement(String name, Content.Figures file) {
        this.name = name;
        this.file = file;
    }

    /** Figures of a program that runs; {@code series} may still grow. */
    static Measurement live(String name, List<MemorySeries> series) {
        return new Measurement(
                name, new Content.Figures(new Measurements(List.of(), series, List.of()), "live figures", 0, null));
    }

    @Override
    public @Nullable String incomplete() {
        return file.truncation() == null ? null : file.truncation().getMessage();
    }

    @Override
    public boolean isEvidence() {
        return file.isEvidence();
    }

    InputFile describe() {
        return new InputFile(name, file.format(), file.bytes(), null, incomplete());
    }

    /** The out-of-memory messages of a text; null for other inputs. */
    @Nullable
    FoundMessages messages() {
        return file.messages();
    }

    /** The text's other clues about memory. */
    List<Clue> clues() {
        return file.clues();
    }

    /** Lines with sizes from which nothing was read. */
    List<Long> unread() {
        return file.unread();
    }

    Measurements measurements() {
        return file.measurements();
    }
}
