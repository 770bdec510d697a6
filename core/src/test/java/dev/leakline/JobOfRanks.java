package dev.leakline;

import dev.leakline.result.JobComparison;
import dev.leakline.result.JobSummary;
import dev.leakline.result.ProcessSummary;
import dev.leakline.testkit.pickle.Dialect;
import dev.leakline.testkit.snapshot.SnapshotBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** A made-up job: the recording of each rank, and what its comparison says. */
final class JobOfRanks {
    static final long MIB = 1 << 20;

    /** What a rank does; every rank trains a model of some layers. */
    static final class Trainer {
        private static final String MAIN = "main.py:5 main";
        private static final String CALL = "/x/site-packages/torch/nn/modules/module.py:1794 _call_impl";
        private static final String APPLY = "/x/site-packages/torch/nn/modules/module.py:930 _apply";
        private static final String BACKWARD = "/x/site-packages/torch/autograd/graph.py:829 _engine_run_backward";

        private final SnapshotBuilder recording = SnapshotBuilder.snapshot();
        private int steps = 12;
        private int layers = 4;
        private long layerMib = 8;
        private double input = 1;
        private boolean hasHead;
        private boolean isLate;
        private long leakMib;
        private int validations;
        private int otherLeakMib;
        private boolean runsOut;
        private long prefetchMib;
        private String folder = "";

        Trainer steps(int count) {
            steps = count;
            return this;
        }

        Trainer layers(int count) {
            layers = count;
            return this;
        }

        Trainer layerMib(long mib) {
            layerMib = mib;
            return this;
        }

        /** Inputs of so many times the usual size. */
        Trainer input(double times) {
            input = times;
            return this;
        }

        /** The head of the model, where the others have its embedding. */
        Trainer withHead() {
            hasHead = true;
            return this;
        }

        /** Recorded only after the model was made. */
        Trainer recordedLate() {
            isLate = true;
            return this;
        }

        Trainer leaking(long mib) {
            leakMib = mib;
            return this;
        }

        /** Leaks at another line as well. */
        Trainer leakingElsewhere(int mib) {
            otherLeakMib = mib;
            return this;
        }

        /** Runs out of memory after its last step. */
        Trainer runningOut() {
            runsOut = true;
            return this;
        }

        /** Runs the model for so many batches at once in every fifth step, and keeps their graphs. */
        Trainer validating(int batches) {
            validations = batches;
            return this;
        }

        Trainer prefetching(long mib) {
            prefetchMib = mib;
            return this;
        }

        /** Installed elsewhere. */
        Trainer in(String other) {
            folder = other;
            return this;
        }

        ProcessSummary summary(String path) {
            for (int layer = 0; layer < layers; layer++) {
                model("layer" + layer, layerMib * MIB);
            }
            model(hasHead ? "head" : "embedding", 12 * MIB);
            alloc("queue", Math.max(prefetchMib, 1) * MIB, "data.py:9 fill");
            for (int step = 0; step < steps; step++) {
                step(step);
            }
            if (runsOut) {
                recording.oom(300 * MIB, 100 * MIB, folder + "model.py:12 forward", CALL, "train.py:20 step", MAIN);
            }
            try {
                byte[] file = recording.write(Dialect.PROTOCOL_4);
                return Ranks.summarize(Snapshot.open(InputSource.of(path, new ByteArrayInputStream(file))), path);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private void model(String key, long bytes) {
            if (isLate) {
                recording.preexisting(key, bytes);
            } else {
                alloc(key, bytes, APPLY, "train.py:8 build", MAIN);
            }
        }

        private void step(int step) {
            recording.step();
            forward("train.py:20 step", step + "a");
            alloc("gradient" + step, layerMib * MIB, BACKWARD, "train.py:21 step", MAIN);
            backward(step + "a");
            recording.free("gradient" + step, folder + "train.py:22 step", folder + MAIN);
            if (leakMib > 0) {
                alloc("kept" + step, leakMib * MIB, "train.py:31 log", MAIN);
            }
            if (otherLeakMib > 0) {
                alloc("noted" + step, otherLeakMib * MIB, "train.py:33 note", MAIN);
            }
            if (step % 5 == 4) {
                for (int batch = 0; batch < validations; batch++) {
                    forward("train.py:40 validate", step + "v" + batch);
                }
                for (int batch = 0; batch < validations; batch++) {
                    backward(step + "v" + batch);
                }
            }
        }

        private void forward(String from, String key) {
            for (int layer = 0; layer < layers; layer++) {
                String line = "model.py:" + (11 + layer) + " forward";
                alloc("activation" + layer + key, Math.round(3 * input * MIB), line, CALL, from, MAIN);
            }
            String end = hasHead ? "model.py:51 forward" : "model.py:50 forward";
            alloc("end" + key, Math.round(2 * input * MIB), end, CALL, from, MAIN);
        }

        private void backward(String key) {
            for (int layer = layers - 1; layer >= 0; layer--) {
                recording.free("activation" + layer + key, BACKWARD);
            }
            recording.free("end" + key, BACKWARD);
        }

        private void alloc(String key, long bytes, String... stack) {
            String[] frames = new String[stack.length];
            for (int i = 0; i < stack.length; i++) {
                frames[i] = stack[i].startsWith("/") ? stack[i] : folder + stack[i];
            }
            recording.alloc(key, bytes, frames);
        }
    }

    private final List<ProcessSummary> processes = new ArrayList<>();

    /** A rank in a file as torchtitan names it. */
    JobOfRanks rank(int number, Trainer trainer) {
        return file("/job/iteration_12/rank" + number + "_memory_snapshot.pickle", trainer);
    }

    JobOfRanks file(String path, Trainer trainer) {
        processes.add(trainer.summary(path));
        return this;
    }

    /** Ranks that do the same. */
    JobOfRanks ranks(int from, int to) {
        for (int rank = from; rank <= to; rank++) {
            rank(rank, new Trainer());
        }
        return this;
    }

    JobSummary summary() {
        return Ranks.job(processes, List.of());
    }

    List<ProcessSummary> processes() {
        return processes;
    }

    JobComparison compare() {
        return Ranks.compare(summary(), 1L << 30);
    }
}
