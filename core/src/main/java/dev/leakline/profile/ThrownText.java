package dev.leakline.profile;

import dev.leakline.text.Printable;

/** What is kept of something thrown: text, since the thing itself may hold on to tensors. */
final class ThrownText {
    /** Characters kept; PyTorch's longest message, out of memory, has half as many. */
    private static final int MOST = 2000;

    private ThrownText() {}

    static String describe(Throwable failure) {
        return Printable.of(failure.toString(), MOST);
    }
}
