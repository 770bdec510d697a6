package dev.leakline.peak;

import dev.leakline.evidence.Evidence;

/**
 * The graphs of the passes around a peak, as far as no backward pass frees them in its own time. Found once, for what the peak is made of and for what would lower it.
 *
 * @param kept those that calls leave behind
 * @param created those that a backward pass makes for a later one
 * @param unfinished what a pass holds that the end of the recording cuts
 */
public record PassGraphs(KeptGraphs kept, CreatedGraphs created, UnfinishedPass unfinished) {
    static PassGraphs of(Evidence evidence, PhaseRuns runs) {
        KeptGraphs kept = new KeptGraphs(evidence, runs);
        return new PassGraphs(
                kept, new CreatedGraphs(evidence.lifetimes(), runs), new UnfinishedPass(evidence, runs, kept));
    }
}
