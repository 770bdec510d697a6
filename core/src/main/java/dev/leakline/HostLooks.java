package dev.leakline;

import dev.leakline.Sources.SourceFile;
import dev.leakline.host.HostAnalysis;
import dev.leakline.result.InputFile;
import dev.leakline.result.JobProcess;
import dev.leakline.source.Content;
import dev.leakline.text.Numbers;
import java.util.Optional;

/** Looks at the host's memory of a process, as the probe wrote them. */
final class HostLooks implements Input {
    private final String name;
    private final Content.Looks file;

    HostLooks(String name, Content.Looks file) {
        this.name = name;
        this.file = file;
    }

    InputFile describe() {
        String looks = Numbers.counted(file.looks().size(), "look") + " at the host's memory of a process";
        return new InputFile(name, looks, file.bytes(), null, null);
    }

    /** The memory of the process; empty where no look is whole. */
    Optional<JobProcess> judged(Sources sources) {
        return HostAnalysis.of(
                file.looks(),
                file.levels(),
                frame -> sources.whole(frame).map(SourceFile::text).orElse(""));
    }
}
