package dev.leakline.report;

import dev.leakline.primitive.Ints;
import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Evidence;
import dev.leakline.result.Frame;
import dev.leakline.result.Picture;
import dev.leakline.result.Picture.Owner;
import dev.leakline.result.Site;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which finding the memory of a site belongs to. A finding names the deepest call that all it is about share; the lines that allocate may
 * lie beneath it. So a site belongs to the first finding that names it, else to the first that has it in its evidence, else to the first
 * leak or cycle whose line its stack comes through.
 */
final class FindingOwners {
    private static final int NONE = -1;

    private final List<Finding> findings;
    private final Picture picture;

    FindingOwners(AnalysisResult result, Picture picture) {
        this.findings = result.findings();
        this.picture = picture;
    }

    /** The number of the finding, -1 where the site belongs to none. */
    int finding(Owner owner) {
        Site site = owner.site();
        if (site == null || !site.isLine()) {
            return NONE;
        }
        int named = first(finding -> finding.site().frame().equals(site.frame()));
        int shown = named == NONE ? first(finding -> isEvidence(finding, site.frame())) : named;
        return shown == NONE ? first(finding -> isOfGrowth(finding) && isOn(owner.stack(), finding.site())) : shown;
    }

    private int first(java.util.function.Predicate<Finding> matches) {
        for (int i = 0; i < findings.size(); i++) {
            Finding finding = findings.get(i);
            boolean isHere = finding.input() == picture.input() && finding.device() == picture.device();
            if (isHere && matches.test(finding)) {
                return i;
            }
        }
        return NONE;
    }

    private static boolean isEvidence(Finding finding, Frame frame) {
        return isOfGrowth(finding) && finding.evidence().stream().anyMatch(piece -> isAt(piece, frame));
    }

    private static boolean isAt(Evidence piece, Frame frame) {
        @Nullable Site site = piece.site();
        return site != null && site.frame().equals(frame);
    }

    private static boolean isOfGrowth(Finding finding) {
        return finding.kind() == Finding.Kind.LEAK || finding.kind() == Finding.Kind.REFERENCE_CYCLE;
    }

    private boolean isOn(Ints stack, Site site) {
        for (int i = 0; i < stack.size(); i++) {
            if (picture.frames().get(stack.get(i)).equals(site.frame())) {
                return true;
            }
        }
        return false;
    }
}
