package dev.leakline;

import dev.leakline.columns.Measurements;
import dev.leakline.read.MeasurementsFile;
import dev.leakline.result.InputFile;
import org.jspecify.annotations.Nullable;

/** Figures that were read: function profiles, counters over time, logs. */
public final class Measurement implements Input {
    private final String name;
    private final MeasurementsFile file;

    Measurement(String name, MeasurementsFile file) {
        this.name = name;
        this.file = file;
    }

    @Override
    public @Nullable String incomplete() {
        return file.truncation() == null ? null : file.truncation().getMessage();
    }

    InputFile describe() {
        return new InputFile(name, file.format(), file.bytes(), "", incomplete());
    }

    Measurements measurements() {
        return file.measurements();
    }
}
