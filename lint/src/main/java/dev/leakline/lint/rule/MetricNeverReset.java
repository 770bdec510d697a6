package dev.leakline.lint.rule;

import dev.leakline.lint.flow.Flow;
import dev.leakline.lint.flow.FlowEvent;
import dev.leakline.lint.flow.FunctionModel;
import dev.leakline.lint.flow.LoopModel;
import dev.leakline.lint.flow.Slot;
import dev.leakline.lint.flow.Value.Kind;
import dev.leakline.lint.python.Syntax;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** LK007: a metric that keeps all that it saw is updated epoch after epoch and never reset. */
public final class MetricNeverReset implements RuleCheck {
    /** Metrics of torchmetrics whose state is a list, unless they are given thresholds or bins. */
    private static final Pattern BINNED = Pattern.compile(
            "(Binary|Multiclass|Multilabel)?(AUROC|AveragePrecision|PrecisionRecallCurve|ROC|RecallAtFixedPrecision|PrecisionAtFixedRecall|SpecificityAtSensitivity|SensitivityAtSpecificity|LogAUC|EER)");

    private static final Pattern LISTED = Pattern.compile(
            "CatMetric|Retrieval\\w+|SpearmanCorrCoef|KendallRankCorrCoef|(Binary|Multiclass)?CalibrationError|AUC|CosineSimilarity|MeanAveragePrecision|BERTScore|ROUGEScore|FrechetInceptionDistance__|KernelInceptionDistance|InceptionScore|UniversalImageQualityIndex|SpectralAngleMapper|MutualInfoScore|\\w*RandScore|CramersV__|ExtendedEditDistance|TranslationEditRate__|CLIPScore__|SQuAD__|DunnIndex|CalinskiHarabaszScore|DaviesBouldinScore|ErrorRelativeGlobalDimensionlessSynthesis|SpectralDistortionIndex|PanopticQuality__");

    @Override
    public String rule() {
        return "LK007";
    }

    @Override
    public List<String> words() {
        return List.of("torchmetrics");
    }

    @Override
    public void check(Flow flow, Hits hits) {
        for (FlowEvent.Call call : flow.events(FlowEvent.Call.class)) {
            boolean updates = call.receiver() != null
                    && call.receiver().may(Kind.METRIC)
                    && Placements.methodOf(call.node()).equals("update");
            boolean calls = call.node().child("function") instanceof Syntax callee
                    && flow.valueOf(callee).may(Kind.METRIC);
            if (!updates && !calls) {
                continue;
            }
            Syntax metric = updates
                    ? call.node().child("function") instanceof Syntax callee ? callee.child("object") : null
                    : call.node().child("function");
            if (metric == null) {
                continue;
            }
            Slot slot = flow.valueOf(metric).slot();
            if (slot != null && keepsAll(slot, flow) && !isReset(metric, slot, flow) && spansEpochs(call, slot)) {
                hits.add(
                        this,
                        call.node(),
                        Hits.SURE,
                        "%s keeps everything that it is given, and nothing resets it: it grows over all epochs"
                                .formatted(metric.text()));
            }
        }
    }

    private static boolean keepsAll(Slot slot, Flow flow) {
        for (Syntax assignment : slot.assigned.keySet()) {
            boolean[] found = new boolean[1];
            Syntax right = assignment.child("right");
            (right == null ? assignment : right).walk(node -> found[0] |= node.is("call") && isListMetric(node, flow));
            if (found[0]) {
                return true;
            }
        }
        return false;
    }

    private static boolean isListMetric(Syntax call, Flow flow) {
        String name = flow.file().qualified(call.text("function"));
        String last = name.substring(name.lastIndexOf('.') + 1);
        if (!name.startsWith("torchmetrics.")) {
            return false;
        }
        Syntax thresholds = CudaInWorker.argument(call, "thresholds");
        return LISTED.matcher(last).matches()
                || (BINNED.matcher(last).matches() && (thresholds == null || thresholds.is("none")));
    }

    private static boolean isReset(Syntax metric, Slot slot, Flow flow) {
        for (FlowEvent.Call call : flow.events(FlowEvent.Call.class)) {
            Syntax callee = call.node().child("function");
            boolean reset = callee != null
                    && callee.is("attribute")
                    && callee.text("attribute").equals("reset")
                    && callee.child("object") instanceof Syntax object
                    && (flow.valueOf(object).slot() == slot || object.text().equals(metric.text()));
            boolean logged = callee != null
                    && callee.is("attribute")
                    && callee.text("attribute").matches("log|log_dict")
                    && call.node().text("arguments").matches("(?s).*" + Pattern.quote(metric.text()) + "\\s*[,)}].*");
            if (reset || logged) {
                return true;
            }
        }
        return slot.assigned.size() > 1;
    }

    /** Returns whether the metric lives longer than one pass over the data. */
    private static boolean spansEpochs(FlowEvent.Call update, Slot slot) {
        if (slot.isAttribute || slot.owner != update.function()) {
            return !update.function().isConstructor();
        }
        Syntax made = slot.assigned.keySet().iterator().next();
        int crossed = 0;
        @Nullable LoopModel loop = update.loop();
        for (; loop != null; loop = loop.outer) {
            if (!loop.node.contains(made)) {
                crossed++;
            }
        }
        FunctionModel function = update.function();
        boolean endless = update.loop() != null && update.loop().node.is("while_statement");
        return crossed >= 2 || (crossed == 1 && (endless || (function.isGenerator && crossed >= 2)));
    }
}
