package dev.leakline.conclusion;

import dev.leakline.cases.CaseTexts;
import dev.leakline.known.KnownLeak;
import dev.leakline.known.RecordingAdvice;
import dev.leakline.oom.AdviceBook;
import dev.leakline.result.Conclusion;
import dev.leakline.result.Conclusion.Resource;
import dev.leakline.result.Finding.Advice;
import dev.leakline.result.MeasuredSeries;
import dev.leakline.result.OutOfMemoryExplanation;
import dev.leakline.text.ByteSize;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Advises what to do next: what the text around a message or figure calls for comes before what either advises by itself. */
final class NextSteps {
    private static final String LESS_BESIDE =
            "Lower what libraries hold beside PyTorch: fewer NCCL communicators, or a smaller NCCL_BUFFSIZE; other CUDA libraries one by one";
    /** A CUDA context with its kernels and handles takes less than one gibibyte; more is that of libraries. */
    private static final long LIBRARIES = 2 * ByteSize.GIB;

    private static final String MARK = "mark.";

    /** How advice names a length that a server may have told. */
    private static final String WHAT_FITS = "to what fits";

    private final CaseTexts texts;
    private final List<Advice> steps = new ArrayList<>();

    NextSteps(CaseTexts texts) {
        this.texts = texts;
    }

    /** All of them, first those against leaks of libraries that the text has a mark of. */
    List<Advice> steps() {
        return Stream.concat(
                        KnownLeak.all().stream()
                                .filter(leak -> texts.has(leak.id()))
                                .map(KnownLeak::advice),
                        steps.stream())
                .toList();
    }

    /** Adds a known step by the name of its row in {@code advice.txt}. */
    NextSteps step(String name) {
        steps.add(known(name));
        return this;
    }

    /** The same where it is called for. */
    NextSteps step(boolean isCalledFor, String name) {
        return isCalledFor ? step(name) : this;
    }

    private static Advice known(String name) {
        return AdviceBook.ALL
                .advice("step." + name)
                .orElseThrow(() -> new IllegalStateException("advice.txt says nothing of " + name));
    }

    /** Settings for what marks show, of what runs when memory ends. */
    private void noted() {
        AdviceBook.ALL.names().stream()
                .filter(name -> name.startsWith(MARK) && texts.has(name.substring(MARK.length())))
                .flatMap(name -> AdviceBook.ALL.advice(name).stream())
                .forEach(steps::add);
    }

    NextSteps growth(Rise growth) {
        if (growth.resource() == Resource.HOST) {
            steps.add(RecordingAdvice.HOST);
        } else {
            if (texts.has("KEEPS_OUTPUTS")) {
                AdviceBook.ALL.advice("mark.KEEPS_OUTPUTS").ifPresent(steps::add);
            }
            if (growth.isMonitored() && !growth.advice().isEmpty()) {
                steps.add(attaching(growth.series()));
            }
            steps.addAll(growth.advice());
            step("record");
        }
        return this;
    }

    /** Attach to what grows, by its number where a monitor tells it. */
    private static Advice attaching(MeasuredSeries grown) {
        Advice known = known("attach");
        return grown.process() < 0 ? known : advice("While it runs: leakline attach " + grown.process(), known.why());
    }

    /** Adds the advice of another program's message where its memory grew: recordings of PyTorch's allocator do not show it. */
    NextSteps ofProgram(Optional<OutOfMemoryExplanation> message) {
        message.filter(one -> !one.found().message().program().equals("PyTorch"))
                .filter(one -> one.kind() == OutOfMemoryExplanation.Kind.DEVICE_OOM)
                .ifPresent(one -> steps.addAll(one.advice()));
        return this;
    }

    /** Adds a limit for the process that holds most of the host's memory. */
    NextSteps holder(Optional<HostUser> holder) {
        holder.ifPresent(user -> steps.add(advice(
                "Bound what " + Occupants.named(user.process())
                        + " keeps (the size of its buffer, cache or queue): leakline attach "
                        + user.process().process() + " lists it; or give the host more RAM",
                "It holds " + user.share()
                        + "; the process that was killed need not be the one that fills the host.")));
        return this;
    }

    /** Adds a step about memory of other libraries, where the request would have fitted without it. */
    NextSteps libraries(OutOfMemoryExplanation.Kind kind, Facts facts) {
        long beside = facts.bytes("non_pytorch");
        boolean isEnough = kind == OutOfMemoryExplanation.Kind.DEVICE_OOM
                && beside >= LIBRARIES
                && beside >= facts.bytes("requested");
        if (isEnough && texts.has("JAX")) {
            step("jax-beside");
        } else if (isEnough && texts.has("TENSORFLOW")) {
            step("growth");
        } else if (isEnough) {
            steps.add(Advice.of(LESS_BESIDE, "This process holds that much outside of PyTorch's allocator.", beside));
        }
        return this;
    }

    /** Adds a step where the tensors of TensorFlow's own program fill its limit. */
    NextSteps ownTensors(OutOfMemoryExplanation message, Facts facts) {
        boolean isFull = facts.bytes("allocated") > facts.bytes("requested") && facts.bytes("requested") > 0;
        if (isFull && message.found().message().program().equals("TensorFlow")) {
            step("own-tensors");
        }
        return this;
    }

    /** Adds the advice of a message, behind that for its surroundings. */
    NextSteps message(OutOfMemoryExplanation message, OutOfMemoryExplanation.Kind kind, DeviceUsers users) {
        boolean isOfDevice = kind.isDeviceOom() && kind != OutOfMemoryExplanation.Kind.DEVICE_OOM_FRAGMENTATION;
        refusal(message).ifPresent(steps::add);
        if (isOfDevice) {
            noted();
        }
        if (texts.has("JAX") && !users.processes().isEmpty()) {
            steps.addAll(message.advice()); // a second process of JAX finds nothing, however little the first one needs
        }
        Optional<MeasuredSeries> other =
                Concluder.isHeldElsewhere(kind) ? users.processes().stream().findFirst() : Optional.empty();
        other.map(NextSteps::stop).ifPresent(steps::add);
        if (isOfDevice && texts.has("TENSORFLOW") && !users.processes().isEmpty()) {
            step("growth");
        }
        List<Advice> own = message.advice().stream().map(this::fitted).toList();
        own.stream()
                .filter(step -> !steps.contains(step))
                .filter(step -> other.filter(process -> isAbout(step, process)).isEmpty())
                .forEach(steps::add);
        if (steps.isEmpty()) {
            steps.addAll(own);
        }
        return this;
    }

    /** The same advice with the length that fits, where a server says it. */
    private Advice fitted(Advice advice) {
        long length = texts.count("tokens");
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

    /** The advice of a server that refuses to start since PyTorch failed in it: it knows its own settings. */
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
            return step(Recovery.serves(texts, warning) ? "serves-with-less" : "tried-less");
        }
        step("went-on");
        steps.addAll(warning.advice());
        return this;
    }

    /** How a figure that does not grow goes on; {@code null} stands for none. */
    NextSteps course(@Nullable MeasuredSeries series) {
        AdviceBook.ALL.advice("course." + Rise.course(series)).ifPresent(steps::add);
        return this;
    }

    /** Adds a step for the moment that a monitor shows: the vendor's tools tell who holds a full memory. */
    NextSteps now(Conclusion.Kind verdict, String monitor) {
        boolean isFull = verdict == Conclusion.Kind.FULL;
        return isFull ? ofProgram("full.", monitor, "full") : step("now");
    }

    /** Settings of a program for what it allocates when it starts. */
    NextSteps start(String program) {
        return ofProgram("start.", program, "now");
    }

    private NextSteps ofProgram(String kind, String program, String otherwise) {
        steps.add(AdviceBook.ALL.advice(kind + program.replace(' ', '-')).orElseGet(() -> known(otherwise)));
        return this;
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

    private static Advice advice(String action, String why) {
        return Advice.of(action, why, 0);
    }
}
