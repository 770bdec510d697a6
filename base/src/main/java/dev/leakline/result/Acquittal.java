package dev.leakline.result;

/**
 * Memory that looks like a leak but is not.
 *
 * @param reason why it is not a leak
 * @param text the same in a sentence, with figures
 * @param site the line it is about, which need not be a line of code
 * @param bytes how much it is about
 */
public record Acquittal(Reason reason, String text, Site site, long bytes) {
    /** The words behind the bytes of cuBLAS's workspaces. */
    private static final String WORKSPACE = " of cuBLAS workspaces";

    /** Bytes as a sentence about workspaces begins. */
    public static String ofWorkspaces(String bytes) {
        return bytes + WORKSPACE;
    }

    /** Returns whether it is about workspaces alone: every job has them, so they explain nothing. */
    public boolean isOfWorkspaces() {
        return text.contains(WORKSPACE);
    }

    /** At a line, which the sentence gets where it does not name it. */
    public static Acquittal at(Site site, Reason reason, String text, long bytes) {
        return new Acquittal(reason, site.locate(text), site, bytes);
    }

    /** Reasons why memory that stays or swings is not leaking; the most leak-like first. */
    public enum Reason {
        /** It filled up and then replaced its entries. */
        BOUNDED_CACHE,
        /** It grows and is freed by the program, again and again. */
        PERIODIC,
        /** Steps of different kinds hold different amounts. */
        PHASES,
        /** The peak follows the size of the input; the floor does not. */
        INPUT_SIZE,
        /** It grew at the beginning and then no more. */
        WARM_UP,
        /** Parameters, optimizer state and the like, allocated once. */
        MODEL_STATE
    }
}
