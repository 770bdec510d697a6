package dev.leakline.lint.rule;

import dev.leakline.lint.flow.Flow;
import dev.leakline.lint.flow.FlowEvent;
import dev.leakline.lint.flow.Nodes;
import dev.leakline.lint.flow.Slot;
import dev.leakline.lint.flow.Value.Kind;
import dev.leakline.python.Expr;
import dev.leakline.python.Node;
import dev.leakline.python.Stmt;
import java.util.Objects;
import java.util.regex.Pattern;

/** LK007: a metric that keeps all that it saw is updated epoch after epoch and never reset. */
final class MetricNeverReset {
    /** Metrics of torchmetrics whose state is a list, unless they are given thresholds or bins. */
    private static final Pattern BINNED = Pattern.compile(
            "(Binary|Multiclass|Multilabel)?(AUROC|AveragePrecision|PrecisionRecallCurve|ROC|RecallAtFixedPrecision|PrecisionAtFixedRecall|SpecificityAtSensitivity|SensitivityAtSpecificity|LogAUC|EER)");

    private static final Pattern LISTED = Pattern.compile(
            "CatMetric|Retrieval\\w+|SpearmanCorrCoef|KendallRankCorrCoef|(Binary|Multiclass)?CalibrationError|AUC|CosineSimilarity|MeanAveragePrecision|BERTScore|ROUGEScore|FrechetInceptionDistance__|KernelInceptionDistance|InceptionScore|UniversalImageQualityIndex|SpectralAngleMapper|MutualInfoScore|\\w*RandScore|CramersV__|ExtendedEditDistance|TranslationEditRate__|CLIPScore__|SQuAD__|DunnIndex|CalinskiHarabaszScore|DaviesBouldinScore|ErrorRelativeGlobalDimensionlessSynthesis|SpectralDistortionIndex|PanopticQuality__");

    private MetricNeverReset() {}

    static void check(Flow flow, Hits hits) {
        for (FlowEvent.Call call : flow.events(FlowEvent.Call.class)) {
            boolean updates = call.receiver() != null
                    && call.receiver().may(Kind.METRIC)
                    && call.node().method().equals("update");
            Expr metric = updates ? call.node().receiver() : call.node().func();
            if (metric == null || !(updates || flow.valueOf(metric).may(Kind.METRIC))) {
                continue;
            }
            Slot slot = flow.valueOf(metric).slot();
            if (slot != null && keepsAll(slot, flow) && !isReset(metric, slot, flow) && spansEpochs(call, slot)) {
                hits.add(
                        call.node(),
                        Hits.SURE,
                        "%s keeps everything that it is given, and nothing resets it: it grows over all epochs"
                                .formatted(flow.file().text(metric)));
            }
        }
    }

    private static boolean keepsAll(Slot slot, Flow flow) {
        return slot.assignments().stream()
                .map(assignment -> Objects.requireNonNullElse(assignment.right(), assignment.node()))
                .anyMatch(made -> made.has(node -> node instanceof Expr.Call it && isListMetric(it, flow)));
    }

    private static boolean isListMetric(Expr.Call call, Flow flow) {
        String name = flow.file().callee(call);
        String last = name.substring(name.lastIndexOf('.') + 1);
        if (!name.startsWith("torchmetrics.")) {
            return false;
        }
        Expr thresholds = call.given("thresholds");
        return LISTED.matcher(last).matches()
                || (BINNED.matcher(last).matches()
                        && (thresholds == null || Nodes.isConstant(thresholds, Expr.Constant.Kind.NONE)));
    }

    private static boolean isReset(Expr metric, Slot slot, Flow flow) {
        String name = flow.file().text(metric);
        for (FlowEvent.Call call : flow.events(FlowEvent.Call.class)) {
            boolean reset = call.node().method().equals("reset")
                    && call.node().receiver() instanceof Expr object
                    && (flow.valueOf(object).slot() == slot
                            || flow.file().text(object).equals(name));
            boolean logged = call.node().method().matches("log|log_dict")
                    && flow.file().arguments(call.node()).matches("(?s).*" + Pattern.quote(name) + "\\s*[,)}].*");
            if (reset || logged) {
                return true;
            }
        }
        return slot.assignments().size() > 1;
    }

    /** Returns whether the metric lives longer than one pass over the data. */
    private static boolean spansEpochs(FlowEvent.Call update, Slot slot) {
        if (slot.isAttribute || slot.owner != update.function()) {
            return !update.function().isConstructor();
        }
        Node made = slot.assignments().iterator().next().node();
        long crossed =
                update.loops().stream().filter(loop -> !loop.node.covers(made)).count();
        boolean endless = update.loop() != null && update.loop().node instanceof Stmt.While;
        return crossed >= 2 || (crossed == 1 && endless);
    }
}
