package dev.leakline.result;

/** A frame of a stack as recorded; {@code line} is 0 where unknown. */
public record Frame(String file, int line, String function) {
    /** The last part of the path, however it is written. */
    public String fileName() {
        return file.substring(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1);
    }

    /** The file's name and the line, such as {@code train.py:42}. */
    public String fileAndLine() {
        return fileName() + ":" + line;
    }

    /** The same with the function, such as {@code train.py:42 (train)}. */
    public String inWords() {
        return fileAndLine() + " (" + function + ")";
    }
}
