package dev.leakline.read.figures;

/**
 * The figures that one writer of a text has given so far.
 *
 * @param speaker a name for labels, such as {@code rank 3}; empty where nobody says
 * @param whereabouts where it has come to
 */
public record Utterance(String speaker, Whereabouts whereabouts) {
    /** One that has said nothing yet. */
    public static Utterance of(String speaker) {
        return new Utterance(speaker, new Whereabouts());
    }
}
