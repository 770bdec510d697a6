package dev.leakline.join;

import com.carrotsearch.hppc.cursors.IntCursor;
import dev.leakline.evidence.Culprits;
import dev.leakline.evidence.Detector.Examination;
import dev.leakline.evidence.Evidence;
import dev.leakline.lifetime.Lifetimes;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Kind;
import dev.leakline.result.Site;
import dev.leakline.site.SiteFinder;
import dev.leakline.steps.Steps;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * Joins a device with a dump of the same process: blocks are storages, so whoever the dump says holds a storage holds the block, and what was
 * allocated at a line of code gets a holder.
 *
 * <p>Leaks and cycles are made of the blocks that {@link Culprits} names; what is pinned, of those of the responsible line; and where memory ran
 * out, all that was live had a part in it.
 */
public final class DumpJoin {
    /** The findings of a device with their holders, and the match of the dump with the device. */
    public record Joined(List<Examination> examinations, DeviceJoin device) {}

    private final Lifetimes lifetimes;
    private final DumpMatch match;
    private final List<Examination> examinations;
    private final SiteFinder sites;
    private final Steps steps;
    private final Set<Site> ended;
    private final Culprits culprits;
    /** The blocks of each finding, as far as they were live. */
    private final IdentityHashMap<Finding, HeldBlocks> parts = new IdentityHashMap<>();

    private final HeldBlocks all = new HeldBlocks();
    private final HeldBlocks rest = new HeldBlocks();

    private DumpJoin(Evidence evidence, List<Examination> examinations, DumpMatch match) {
        this.lifetimes = evidence.lifetimes();
        this.match = match;
        this.examinations = examinations;
        this.sites = evidence.sites();
        this.steps = evidence.steps();
        this.ended = EndedGrowth.of(evidence, match.dump());
        this.culprits = new Culprits(evidence, examinations, match.event());
        findings().stream()
                .filter(finding -> isAboutBlocks(finding.kind()))
                .forEach(finding -> parts.put(finding, new HeldBlocks()));
    }

    private List<Finding> findings() {
        return examinations.stream()
                .flatMap(examination -> examination.findings().stream())
                .toList();
    }

    private static boolean isAboutBlocks(Kind kind) {
        return switch (kind) {
            case LEAK, REFERENCE_CYCLE, OOM, OOM_FRAGMENTATION, FRAGMENTATION -> true;
            case SPIKE, REPEATED_ALLOCATION, UNSHRINKING_CACHE, RESIDUAL -> false;
        };
    }

    /** Joins what detectors said of a device with a dump; where it is of another process, nothing changes. */
    public static Joined of(Evidence evidence, List<Examination> examinations, DumpMatch match) {
        return match.fits()
                ? new DumpJoin(evidence, examinations, match).join()
                : new Joined(examinations, match.device());
    }

    private Joined join() {
        for (IntCursor live : match.live()) {
            take(live.value);
        }
        List<Examination> joined = examinations.stream().map(this::joined).toList();
        List<String> notes = DumpNotes.of(findings(), parts);
        return new Joined(joined, match.device().of(all, rest, ended, notes));
    }

    private void take(int allocation) {
        int group = match.group(allocation);
        long bytes = lifetimes.held(allocation);
        Site site = sites.site(allocation);
        Finding grown = culprits.finding(allocation);
        int step = steps.of(lifetimes.born(allocation));
        all.add(group, bytes, site, step);
        if (grown == null) {
            rest.add(group, bytes, site, step);
        } else {
            parts.getOrDefault(grown, rest).add(group, bytes, site, step);
        }
        parts.forEach((finding, blocks) -> {
            if (hasPartIn(finding, site)) {
                blocks.add(group, bytes, site, step);
            }
        });
    }

    /** Returns whether all blocks of a line are part of a finding that is not of growth. */
    private static boolean hasPartIn(Finding finding, Site site) {
        return switch (finding.kind()) {
            case OOM -> true;
            case OOM_FRAGMENTATION, FRAGMENTATION -> finding.site().equals(site);
            default -> false;
        };
    }

    private Examination joined(Examination examination) {
        List<Finding> findings = examination.findings().stream()
                .map(finding -> parts.containsKey(finding)
                        ? new FindingHolders(match.dump(), parts.get(finding)).join(finding)
                        : finding)
                .toList();
        return new Examination(examination.check(), findings, examination.acquittals(), examination.culprits());
    }
}
