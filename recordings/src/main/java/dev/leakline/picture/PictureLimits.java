package dev.leakline.picture;

/**
 * The most that a picture holds. Files may hold millions of everything, and a browser has to take the page in at once; what goes beyond
 * is thinned or left out, the smallest first.
 *
 * @param buckets of the finest level; 8192 are four for each pixel of a wide screen, so that one can zoom in before it blurs
 * @param sites the one for all others included; nobody tells more than forty colours apart
 * @param blocks that live at any of the moments kept; a job that fills 80 GB has some ten thousand at once, most of which stay
 * @param segments at any of the moments; 80 GB in the smallest segments there are would be 40,000, real jobs have hundreds
 * @param isDetailed whether it also has, part by part, what lived at none of the moments
 */
public record PictureLimits(int buckets, int sites, int blocks, int segments, boolean isDetailed) {
    /** For one device: a few megabytes of page. */
    private static final PictureLimits WHOLE = new PictureLimits(8192, 40, 100_000, 10_000);
    /** The limits that each device keeps however many there are: a picture the width of a hand. */
    private static final PictureLimits LEAST = new PictureLimits(128, 8, 500, 50);
    /** Devices that each get the whole; a page of two is still quick to open. */
    private static final int WHOLE_DEVICES = 2;

    /** Frames of a stack that are kept, the innermost ones; the deepest seen has 303. */
    static final int STACK_DEPTH = 400;
    /** Calls on the way from a tree's root, the outermost ones; recursion goes deeper. */
    static final int TREE_DEPTH = 512;
    /** Calls of a tree while it grows; those of real jobs have some ten thousand. */
    static final int TREE_NODES = 300_000;
    /** Distinct frames; large programs recorded with their C++ frames have ten thousand. */
    static final int FRAMES = 1 << 15;
    /** Ranges; they are drawn above one another, and shorter ones become invisible. */
    static final int RANGES = 2000;
    /** Steps that are marked; with more there are several for each bucket of the finest level. */
    static final int STEPS = 1 << 17;
    /** Characters of a name. */
    static final int NAME = 1000;

    /** Without details. */
    public PictureLimits(int buckets, int sites, int blocks, int segments) {
        this(buckets, sites, blocks, segments, false);
    }

    /** With details, which need all blocks of the moments: so many as a device has that is alone. */
    public PictureLimits detailed() {
        return new PictureLimits(buckets, sites, WHOLE.blocks, WHOLE.segments, true);
    }

    /** The limits of each of several devices that share a page. */
    public static PictureLimits share(int devices) {
        int parts = Math.max((devices + WHOLE_DEVICES - 1) / WHOLE_DEVICES, 1);
        return new PictureLimits(
                Math.max(Integer.highestOneBit(WHOLE.buckets / parts), LEAST.buckets),
                Math.max(WHOLE.sites / parts, LEAST.sites),
                Math.max(WHOLE.blocks / parts, LEAST.blocks),
                Math.max(WHOLE.segments / parts, LEAST.segments));
    }

    /** A name as pictures hold it. */
    static String name(String name) {
        if (name.length() <= NAME) {
            return name;
        }
        int end = Character.isHighSurrogate(name.charAt(NAME - 2)) ? NAME - 2 : NAME - 1;
        return name.substring(0, end) + "…";
    }
}
