package dev.leakline.detect.growth;

import com.carrotsearch.hppc.IntArrayList;
import dev.leakline.detect.growth.LeakSites.Leak;
import dev.leakline.evidence.Evidence;
import dev.leakline.result.Frame;
import dev.leakline.result.Site;
import java.util.ArrayList;
import java.util.List;

/** The line that a finding names, with the stack that led there. */
final class FindingSite {
    private final Evidence evidence;
    private final Leak leak;
    private final int allocation;

    FindingSite(Evidence evidence, Leak leak) {
        this.evidence = evidence;
        this.leak = leak;
        IntArrayList survivors = leak.groups().getFirst().group().survivors();
        this.allocation = evidence.survivors().allocation(survivors.get(survivors.size() - 1));
    }

    /** The responsible line. */
    Site site() {
        Site own = evidence.sites().site(allocation);
        List<Frame> path = evidence.groups().calls().path(leak.node());
        boolean isOwn =
                path.isEmpty() || path.getLast().file().isEmpty() || own.frame().equals(path.getLast());
        return isOwn ? own : new Site(Site.Kind.USER, path.getLast());
    }

    /** The user's lines that lead to it, outermost first; the site's alone where no stack names any. */
    List<Frame> path() {
        List<Frame> path = evidence.groups().calls().path(leak.node());
        return path.isEmpty() || path.getLast().file().isEmpty()
                ? List.of(evidence.sites().site(allocation).frame())
                : path;
    }

    /** The frames of a typical stack from the site outwards, innermost first. */
    List<Frame> stack() {
        List<Frame> frames = evidence.stacks().frames(evidence.sites().stack(allocation));
        int site = frames.indexOf(site().frame());
        return site < 0 ? frames : new ArrayList<>(frames.subList(site, frames.size()));
    }
}
