package dev.leakline.conclusion;

import dev.leakline.cases.CaseTexts;
import dev.leakline.known.RecordingAdvice;
import dev.leakline.result.Conclusion.Resource;
import dev.leakline.result.Finding.Advice;
import dev.leakline.result.MeasuredSeries;
import dev.leakline.result.OutOfMemoryExplanation;
import dev.leakline.result.OutOfMemoryMessage;
import dev.leakline.source.Clue.Kind;
import dev.leakline.text.ByteSize;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Advises what to do next: what the text around a message or figure calls for comes before what either advises by itself. */
final class NextSteps {
    private static final String LESS_BESIDE =
            "Lower what libraries hold beside PyTorch: fewer NCCL communicators, or a smaller NCCL_BUFFSIZE; other CUDA libraries one by one";
    /** A CUDA context with its kernels and handles takes less than one gibibyte; more is that of libraries. */
    private static final long LIBRARIES = 2 * ByteSize.GIB;

    /** Marks of what runs when memory ends, of which the way out is known. */
    private static final List<Kind> WITH_FRAMES =
            List.of(Kind.KEEPS_OUTPUTS, Kind.MAKES_STATE, Kind.DECODES_LATENTS, Kind.HIGH_VRAM);

    /** A variable of the environment or an option of a command. */
    private static final Pattern SETTING = Pattern.compile("\\b[A-Z]{2,}_[A-Z_]{3,}=[\\w:.]+|--[a-z][a-z-]{3,}");
    /** The cause of messages that name the KV cache as what did not fit: its length is a setting. */
    private static final String CONTEXT = "llama.context";

    /** How advice names a length that a server may have told. */
    private static final String WHAT_FITS = "to what fits";

    private final CaseTexts texts;
    private final List<Advice> steps = new ArrayList<>();

    NextSteps(CaseTexts texts) {
        this.texts = texts;
    }

    List<Advice> steps() {
        return List.copyOf(steps);
    }

    /** What is known to help. */
    NextSteps step(KnownStep known) {
        steps.add(known.advice());
        return this;
    }

    NextSteps step(Optional<KnownStep> known) {
        known.ifPresent(this::step);
        return this;
    }

    NextSteps growth(Rise growth) {
        if (texts.has(Kind.PEERS_HOLD_MORE)) {
            step(KnownStep.RANKS);
        }
        if (texts.has(Kind.KEEPS_RESULTS) && growth.resource() != Resource.HOST) {
            step(KnownStep.DETACH);
        }
        if (growth.resource() == Resource.HOST) {
            ProgramNotes.habits(texts, Resource.HOST, Kind.VARYING_SHAPES).forEach(steps::add);
            steps.add(ofHost());
        } else {
            ProgramNotes.habits(texts, Resource.DEVICE, Kind.KEEPS_OUTPUTS).forEach(steps::add);
            if (growth.monitored() != null && !growth.advice().isEmpty()) {
                steps.add(attaching(growth.monitored()));
            }
            steps.addAll(growth.advice());
            step(KnownStep.RECORD);
        }
        return this;
    }

    /** Attach to what grows, by its number where a monitor tells it. */
    private static Advice attaching(MeasuredSeries grown) {
        Advice known = KnownStep.ATTACH.advice();
        return grown.process() < 0 ? known : advice("While it runs: leakline attach " + grown.process(), known.why());
    }

    /** What a message of another program than PyTorch advises where memory of it grew: recordings of PyTorch's allocator do not show it. */
    NextSteps ofProgram(Optional<OutOfMemoryExplanation> message) {
        message.filter(one -> !one.found().message().program().equals("PyTorch"))
                .filter(one -> one.kind() == OutOfMemoryExplanation.Kind.DEVICE_OOM)
                .ifPresent(one -> steps.addAll(one.advice()));
        return this;
    }

    private Advice ofHost() {
        if (texts.has(Kind.DJL)) {
            return KnownStep.SUBMANAGER.advice();
        }
        return texts.has(Kind.WORKERS) || texts.has(Kind.PYTHON_OBJECTS)
                ? KnownStep.WORKERS.advice()
                : RecordingAdvice.HOST;
    }

    /** What to do about the process that holds most of the host's memory. */
    NextSteps holder(Optional<HostUser> holder) {
        holder.ifPresent(user -> steps.add(advice(
                "Bound what " + Occupants.named(user.process())
                        + " keeps (the size of its buffer, cache or queue): leakline attach "
                        + user.process().process() + " lists it; or give the host more RAM",
                "It holds " + user.share()
                        + "; the process that was killed need not be the one that fills the host.")));
        return this;
    }

    /** What helps where no setting does, since the text tells how large the device is. */
    NextSteps tooBig(OutOfMemoryExplanation.Kind verdict, OutOfMemoryExplanation message) {
        return verdict == OutOfMemoryExplanation.Kind.DEVICE_OOM_REQUEST_TOO_BIG
                        && verdict != message.kind()
                        && !FailureTexts.isOf(message, CONTEXT)
                ? step(KnownStep.TOO_BIG)
                : this;
    }

    /** What libraries hold beside PyTorch, where without it the request would have fitted. */
    NextSteps libraries(OutOfMemoryExplanation.Kind kind, Facts facts) {
        long beside = facts.bytes("non_pytorch");
        boolean isEnough = kind == OutOfMemoryExplanation.Kind.DEVICE_OOM
                && beside >= LIBRARIES
                && beside >= facts.bytes("requested");
        if (isEnough && texts.has(Kind.JAX)) {
            step(KnownStep.JAX_BESIDE);
        } else if (isEnough && texts.has(Kind.TENSORFLOW)) {
            step(KnownStep.GROWTH);
        } else if (isEnough) {
            steps.add(Advice.of(LESS_BESIDE, "This process holds that much outside of PyTorch's allocator.", beside));
        }
        return this;
    }

    /** What helps where the tensors of TensorFlow's own program fill what it may take. */
    NextSteps ownTensors(OutOfMemoryExplanation message, Facts facts) {
        boolean isFull = facts.bytes("allocated") > facts.bytes("requested") && facts.bytes("requested") > 0;
        if (isFull && message.found().message().program().equals("TensorFlow")) {
            step(KnownStep.OWN_TENSORS);
        }
        return this;
    }

    /** What a message advises, behind what its surroundings call for. */
    NextSteps message(OutOfMemoryExplanation message, OutOfMemoryExplanation.Kind kind, DeviceUsers users) {
        boolean isOfDevice = kind.isDeviceOom() && kind != OutOfMemoryExplanation.Kind.DEVICE_OOM_FRAGMENTATION;
        refusal(message).ifPresent(steps::add);
        if (isKilledByKernel(message) && texts.has(Kind.OFFLOADS)) {
            step(KnownStep.OFFLOAD);
        }
        if (isOfDevice && texts.has(Kind.LOADS_CHECKPOINT)) {
            step(KnownStep.MAP_LOCATION);
        }
        if (isOfDevice) {
            WITH_FRAMES.forEach(
                    mark -> ProgramNotes.habits(texts, Resource.DEVICE, mark).forEach(steps::add));
        }
        if (texts.has(Kind.JAX) && !users.processes().isEmpty()) {
            steps.addAll(message.advice()); // a second process of JAX finds nothing, however little the first one needs
        }
        Optional<MeasuredSeries> other =
                Concluder.isHeldElsewhere(kind) ? users.processes().stream().findFirst() : Optional.empty();
        other.map(NextSteps::stop).ifPresent(steps::add);
        if (isOfDevice && texts.has(Kind.TENSORFLOW) && !users.processes().isEmpty()) {
            step(KnownStep.GROWTH);
        }
        List<Advice> own = message.advice().stream().map(this::fitted).toList();
        own.stream()
                .filter(step -> !steps.contains(step))
                .filter(step -> !isTried(step))
                .filter(step -> other.filter(process -> isAbout(step, process)).isEmpty())
                .forEach(steps::add);
        if (steps.isEmpty()) {
            steps.addAll(own);
        }
        return this;
    }

    /** The same advice with the length that fits, where a server says it. */
    private Advice fitted(Advice advice) {
        long length = texts.most(Kind.FITTING_LENGTH);
        return length == 0
                ? advice
                : Advice.of(
                        advice.action().replace(WHAT_FITS, "to " + length + ", which fits by the message"),
                        advice.why(),
                        advice.expectedBytes(),
                        "",
                        "",
                        advice.link());
    }

    /** Whether the text says of the first setting that a step names that it is set or was tried. */
    private boolean isTried(Advice step) {
        Matcher setting = SETTING.matcher(step.action());
        return setting.find()
                && texts.clues(Kind.TRIED).anyMatch(said -> said.clue().text().contains(setting.group()));
    }

    private static boolean isKilledByKernel(OutOfMemoryExplanation message) {
        OutOfMemoryMessage.Cause cause = message.found().message().cause();
        return cause != null && cause.advice().startsWith("kernel.");
    }

    /** What a server advises that refuses to start since PyTorch failed in it: it knows its own settings. */
    private Optional<Advice> refusal(OutOfMemoryExplanation message) {
        return message.kind() != OutOfMemoryExplanation.Kind.DEVICE_OOM
                ? Optional.empty()
                : texts.messages().stream()
                        .filter(other -> other.log() == message.log()
                                && other.kind() == OutOfMemoryExplanation.Kind.STARTUP_REFUSAL)
                        .flatMap(other -> other.advice().stream())
                        .findFirst();
    }

    private static boolean isAbout(Advice step, MeasuredSeries process) {
        return step.action().contains("process " + process.process() + " ");
    }

    private static Advice stop(MeasuredSeries process) {
        return advice(
                "Check " + Occupants.named(process) + ", and stop it if nobody needs it: leakline ps shows whose it is",
                "It holds " + ByteSize.format(process.last().value()) + " of the device.");
    }

    /** Nothing, then what helps against the warning. */
    NextSteps wentOn(OutOfMemoryExplanation warning) {
        if (warning.kind() != OutOfMemoryExplanation.Kind.RECOVERED) {
            return step(Recovery.serves(texts, warning) ? KnownStep.SERVES_WITH_LESS : KnownStep.TRIED_LESS);
        }
        step(KnownStep.WENT_ON);
        steps.addAll(warning.advice());
        return this;
    }

    NextSteps killed() {
        return step(texts.has(Kind.OFFLOADS) ? KnownStep.OFFLOAD : KnownStep.RAM);
    }

    NextSteps steady(Course course) {
        ProgramNotes.habits(texts, Resource.DEVICE).forEach(steps::add);
        steps.add(course.advice());
        return course == Course.FREED_AGAIN && texts.has(Kind.KEEPS_RESULTS) ? step(KnownStep.DETACH) : this;
    }

    /** A server's pool, by the setting of the server that the text names. */
    NextSteps poolAtStart() {
        ProgramNotes.habits(texts, Resource.DEVICE, Kind.KV_POOL).forEach(steps::add);
        return step(KnownStep.POOL_AT_START);
    }

    /** Stop what holds most of a device. */
    NextSteps stopping(MeasuredSeries process) {
        steps.add(stop(process));
        return this;
    }

    NextSteps hostUser(HostUser user) {
        steps.add(advice(
                "Watch that process: leakline watch " + user.process().process()
                        + " says whether its memory grows; then limit or restart it",
                "One look tells who holds the memory, and not whether that grows."));
        return this;
    }

    NextSteps fault(OtherFault fault) {
        steps.add(fault.advice());
        return this;
    }

    NextSteps heap() {
        ProgramNotes.habits(texts, Resource.HOST).forEach(steps::add);
        return step(KnownStep.HEAP);
    }

    NextSteps versions(@Nullable Resource resource) {
        ProgramNotes.changes(texts, resource == null ? Resource.DEVICE : resource)
                .forEach(steps::add);
        return step(KnownStep.VERSIONS);
    }

    NextSteps fitting(Need need) {
        return step(need.isOfLogits() ? KnownStep.FEWER_TOKENS : KnownStep.FEWER_STATES)
                .step(KnownStep.RECORD);
    }

    /** What would answer, where a text only tells what is asked. */
    NextSteps open(@Nullable Resource resource) {
        boolean grows = texts.has(Kind.SAYS_GROWS) || texts.has(Kind.ASKS_LEAK);
        Resource about = resource == null ? Resource.DEVICE : resource;
        if (texts.has(Kind.ASKS_WHICH) && resource == null) {
            step(KnownStep.WHICH);
        } else if (resource == Resource.HOST) {
            Advice watching = KnownStep.WATCH_HOST.advice();
            steps.addAll(texts.has(Kind.DJL) ? List.of(ofHost(), watching) : List.of(watching, ofHost()));
        } else if (grows && texts.has(Kind.RANKS_DIFFER)) {
            step(KnownStep.RANKS);
        } else if (texts.has(Kind.COMPARES_VERSIONS)) {
            versions(about);
        } else if (grows) {
            step(KnownStep.WATCH);
        } else if (texts.has(Kind.NOT_GIVEN_BACK) && !(texts.has(Kind.COLLECTS) && texts.has(Kind.EMPTIES))) {
            step(KnownStep.GIVE_BACK);
        }
        ProgramNotes.habits(texts, about).forEach(steps::add);
        return step(KnownStep.PASTE);
    }

    private static Advice advice(String action, String why) {
        return Advice.of(action, why, 0);
    }
}
