package dev.leakline.testkit.holders;

import java.util.Map;

/**
 * Owners of what leaks in each scenario, as its source makes it: how the owner's name begins, as a reader would write it, and of cycles the
 * reference to cut.
 */
public final class KnownOwners {
    /** The programs of leakbench. */
    public static final Map<String, String> LEAKBENCH = Map.ofEntries(
            Map.entry("awaitable_cycle", "a cycle of function AwaitableView.__init__.<locals>.<lambda>"),
            Map.entry("checkpoints_kept", "best of module checkpoints_kept"),
            Map.entry("errors_kept", "failures of module errors_kept"),
            Map.entry("eval_outputs_kept", "main.keep of module eval_outputs_kept"),
            Map.entry("fragmented", "kept of running call of main"),
            Map.entry("hidden_state_not_detached", "state[0] of running call of main"),
            Map.entry("hooks_pile_up", "seen of module hooks_pile_up"),
            Map.entry("leak_starts_late", "debug of module leak_starts_late"),
            Map.entry("losses_kept", "losses of module losses_kept"),
            Map.entry("one_endpoint_leaks", "sessions of module one_endpoint_leaks"),
            Map.entry("running_loss_graph", "main.total of module running_loss_graph"),
            Map.entry("shape_cache", "main.cache.masks of module shape_cache"),
            Map.entry("simple_cycle", "a cycle of simple_cycle.Node"),
            Map.entry("slices_of_activations", "logs['z'] of module slices_of_activations"));

    /** Our own. */
    public static final Map<String, String> OURS = Map.ofEntries(
            Map.entry("after_warm_up", "main.service.audit of module after_warm_up"),
            Map.entry("async_request_kind", "main.api.glossary of module async_request_kind"),
            Map.entry("attention_maps", "main.model.attention.maps of module attention_maps"),
            Map.entry("callback_keeps_outputs", "main.projector.seen of module callback_keeps_outputs"),
            Map.entry("context_trace", "notes[0][1] of variables of a thread or context"),
            Map.entry("conversations", "main.chat.past of module conversations"),
            Map.entry("deferred_log_lines", "lines of running call of score"),
            Map.entry("drift_monitor", "main.service.drift.mean of module drift_monitor"),
            Map.entry("error_in_its_own_frame", "a cycle of ValueError"),
            Map.entry("gathered_scores", "main.everything of module gathered_scores"),
            Map.entry("gradients_logged", "histogram of module gradients_logged"),
            Map.entry("graphs_retained", "main.losses of module graphs_retained"),
            Map.entry("hooked_probe", "a cycle of method Probe.count"),
            Map.entry("hub_compute_loss", "main.trainer.guesses of module hub_compute_loss"),
            Map.entry("memo_by_float", "weights → known (closed over) of module memo_by_float"),
            Map.entry("metric_never_reset", "main.ranks.predictions of module metric_never_reset"),
            Map.entry("object_keys", "main.server.cache.entries of module object_keys"),
            Map.entry("once_in_25", "main.gallery.pictures of module once_in_25"),
            Map.entry("oom_pairwise", "points of running call of distances"),
            Map.entry("oom_pinned_by_statistics", "main.statistics of module oom_pinned_by_statistics"),
            Map.entry("optimizer_each_epoch", "main.past of module optimizer_each_epoch"),
            Map.entry("outputs_on_module", "main.module.outputs of module outputs_on_module"),
            Map.entry("prefetch_backlog", "main.loader.ready"),
            Map.entry("recursive_closure", "a cycle of function pool.<locals>.visit"),
            Map.entry("rejected_episodes", "main.archive of module rejected_episodes"),
            Map.entry("request_backlink", "a cycle of request_backlink.Host"),
            Map.entry("rollouts_kept", "main.storage.observations of module rollouts_kept"),
            Map.entry("scaled_losses", "main.run.curve of module scaled_losses"),
            Map.entry("second_gpu", "main.teacher.targets of module second_gpu"),
            Map.entry("suspended_streams", "main.gateway.open of module suspended_streams"),
            Map.entry("tiny_among_noise", "main.peaks of module tiny_among_noise"));

    /** The references to cut, of all cycles. */
    public static final Map<String, String> CUTS = Map.of(
            "awaitable_cycle", ".callback",
            "simple_cycle", ".link",
            "error_in_its_own_frame", "problem",
            "hooked_probe", "._forward_hooks[*]",
            "recursive_closure", "visit (closed over)",
            "request_backlink", ".host");

    private KnownOwners() {}
}
