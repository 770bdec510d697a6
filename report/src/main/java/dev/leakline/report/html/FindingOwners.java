package dev.leakline.report.html;

import dev.leakline.result.AnalysisResult;
import dev.leakline.result.Finding;
import dev.leakline.result.Frame;
import dev.leakline.result.Picture;
import dev.leakline.result.Picture.Owner;
import dev.leakline.result.Picture.Part;
import dev.leakline.result.Site;
import java.util.List;
import java.util.function.Predicate;

/**
 * Finds the finding that the memory of a site belongs to. A leak or a cycle is about single allocations, which are an owner of their own;
 * other findings are about all that the line they name allocates.
 */
final class FindingOwners {
    private static final int NONE = -1;

    private final List<Finding> findings;
    private final Picture picture;

    FindingOwners(AnalysisResult result, Picture picture) {
        this.findings = result.findings();
        this.picture = picture;
    }

    /** The number of the finding, -1 where the memory belongs to none. */
    int finding(Owner owner) {
        Part part = owner.part();
        if (part != null) {
            return first(
                    finding -> finding.kind() == part.kind() && finding.site().equals(part.site()));
        }
        Site site = owner.site();
        return site == null || !site.isLine() ? NONE : first(finding -> isAbout(finding, site.frame()));
    }

    private static boolean isAbout(Finding finding, Frame frame) {
        boolean isOfGrowth = finding.kind() == Finding.Kind.LEAK || finding.kind() == Finding.Kind.REFERENCE_CYCLE;
        return !isOfGrowth && finding.site().frame().equals(frame);
    }

    private int first(Predicate<Finding> matches) {
        for (int i = 0; i < findings.size(); i++) {
            Finding finding = findings.get(i);
            boolean isHere = finding.input() == picture.input() && finding.device() == picture.device();
            if (isHere && matches.test(finding)) {
                return i;
            }
        }
        return NONE;
    }
}
