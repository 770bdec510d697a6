package dev.leakline.attach.linux;

import java.io.IOException;

/** Thrown when a running process cannot be read or entered: the reason and the remedy. */
public final class LiveException extends IOException {
    private static final long serialVersionUID = 1;

    private final String reason;
    private final String remedy;

    /**
     * A refusal.
     *
     * @param reason what stands in the way
     * @param remedy what to do about it
     */
    public LiveException(String reason, String remedy) {
        super(reason + "; " + remedy);
        this.reason = reason;
        this.remedy = remedy;
    }

    /** The obstacle. */
    public String reason() {
        return reason;
    }

    /** The remedy. */
    public String remedy() {
        return remedy;
    }

    public static LiveException gone(int pid) {
        return new LiveException("process " + pid + " has ended", "it ended before or during the attach");
    }
}
