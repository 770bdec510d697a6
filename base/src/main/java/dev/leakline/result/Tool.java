package dev.leakline.result;

/** The program that made a document: its name and version. */
public record Tool(String name, String version) {
    /** A version of Leakline. */
    public static Tool leakline(String version) {
        return new Tool("leakline", version);
    }
}
