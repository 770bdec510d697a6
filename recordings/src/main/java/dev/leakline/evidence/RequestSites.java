package dev.leakline.evidence;

import dev.leakline.result.Frame;
import dev.leakline.result.Site;
import dev.leakline.site.UserCalls;
import java.util.BitSet;
import java.util.List;

/**
 * The line that a failed request is about: the deepest of the user's that other calls do not share. A function that allocates for whoever calls
 * it says nothing of who requested too much; the line that called it does. A module's {@code forward} is no such function: training and
 * validation both call it, and what it computes is its own.
 */
public final class RequestSites {
    private final Evidence evidence;
    private final UserCalls calls;
    /** The lines beneath which something was allocated, by their nodes. */
    private final BitSet used = new BitSet();

    public RequestSites(Evidence evidence) {
        this.evidence = evidence;
        this.calls = evidence.groups().calls();
        for (int stack = 0; stack < evidence.columns().stacks.size(); stack++) {
            int up = evidence.profile().births(stack) > 0 ? calls.end(stack) : UserCalls.TOP;
            while (up >= 0 && !used.get(up)) {
                used.set(up);
                up = calls.parent(up);
            }
        }
    }

    /** The line of a request. */
    public Site of(int event) {
        Site innermost = evidence.sites().siteOfRequest(event);
        int own = calls.end(evidence.sites().stackOfRequest(event));
        int node = own;
        while (node >= 0 && calls.parent(node) >= 0 && !calls.isForward(node) && isShared(node)) {
            node = calls.parent(node);
        }
        List<Frame> path = calls.path(node);
        return node == own || path.isEmpty() ? innermost : new Site(Site.Kind.USER, path.getLast());
    }

    /** Returns whether other calls allocate at the line of a node as well. */
    private boolean isShared(int node) {
        for (int other = used.nextSetBit(0); other >= 0; other = used.nextSetBit(other + 1)) {
            boolean isSameLine = other != node && calls.frame(other) == calls.frame(node);
            if (isSameLine && !calls.isWithin(other, node) && !calls.isWithin(node, other)) {
                return true;
            }
        }
        return false;
    }
}
