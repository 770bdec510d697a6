package dev.leakline.cli.common;

import dev.leakline.result.AnalysisResult;
import dev.leakline.result.AnalysisResult.Verdict;
import dev.leakline.result.Finding;
import dev.leakline.result.Finding.Kind;
import dev.leakline.result.Finding.Severity;
import dev.leakline.result.JobComparison;
import java.util.Set;

/** Conditions under which a report fails, for scripts. */
public enum FailOn {
    /** A leak or a reference cycle that matters, or memory that ran out. */
    LEAK {
        @Override
        public boolean matches(AnalysisResult result) {
            boolean isSlow = result.verdict() == Verdict.LEAK
                    && result.findings().stream().anyMatch(finding -> finding.kind() == Kind.LEAK);
            return (!isSlow && SERIOUS.contains(result.verdict().name())) || super.matches(result);
        }

        @Override
        public boolean matches(Finding finding) {
            return SERIOUS.contains(finding.kind().name()) && finding.severity() != Severity.INFO;
        }
    },
    /** Anything that somebody should look at. */
    WARNING {
        @Override
        public boolean matches(Finding finding) {
            return finding.severity() != Severity.INFO;
        }
    },
    /** A job that will run out of memory, or has. */
    CRITICAL {
        @Override
        public boolean matches(Finding finding) {
            return finding.severity() == Severity.CRITICAL;
        }
    };

    /** Verdicts and kinds of findings, which go by the same names. */
    private static final Set<String> SERIOUS = Set.of("LEAK", "REFERENCE_CYCLE", "OOM", "OOM_FRAGMENTATION");

    /** Returns whether the result makes the report fail; what leaks on the host does, whichever is chosen. */
    public boolean matches(AnalysisResult result) {
        return result.leaksOnHost() || result.findings().stream().anyMatch(this::matches);
    }

    /** Returns whether the ranks of a job make it fail: by what leaks, or as one has run out of memory. */
    public boolean matches(JobComparison job) {
        boolean hasFailed = job.firstOom() != null && job.firstOom().hasFailed();
        return hasFailed || job.findings().stream().anyMatch(this::matches);
    }

    /** Returns whether a finding makes it fail. */
    public abstract boolean matches(Finding finding);
}
