package dev.leakline;

import dev.leakline.result.InputFile;
import dev.leakline.source.Content;
import dev.leakline.text.Numbers;

/** Samples of processes that a watch recorded: they are judged as the watch judged them. */
final class Samples implements Input {
    private final String name;
    private final Content.Samples file;

    Samples(String name, Content.Samples file) {
        this.name = name;
        this.file = file;
    }

    InputFile describe() {
        String left = file.unread() == 0 ? "" : ", " + Numbers.counted(file.unread(), "line") + " left out";
        return new InputFile(name, "samples of leakline watch" + left, file.bytes(), null, null);
    }

    Content.Samples file() {
        return file;
    }
}
