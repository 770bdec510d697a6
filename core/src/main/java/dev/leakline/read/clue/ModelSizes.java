package dev.leakline.read.clue;

import dev.leakline.source.Clue;
import dev.leakline.source.Clue.Kind;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads what the need of a training follows from: the parameters that a model's name tells, its family's vocabulary, the batch, the length of sequences. */
final class ModelSizes {
    /** {@code Qwen3-0.6B}, {@code a 7B model}. */
    private static final Pattern PARAMETERS = Pattern.compile(
            "(?:[a-z][\\w.-]*[-_]|\\b(?:a|of|the|for|our|my|this) )(\\d{1,3}(?:\\.\\d{1,2})?)b(?![\\w/])");

    private static final Pattern BATCH =
            Pattern.compile("\\b(?:\\w*train_)?(?:micro_)?batch_size\\W{1,4}(\\d{1,5})\\b");
    private static final Pattern LENGTH = Pattern.compile(
            "\\b(?:max_(?:completion_|seq_|sequence_)?(?:length|len)|(?:seq|sequence|context)_?(?:length|len)|cutoff_len|model_max_length)\\W{1,4}(\\d{2,6})\\b");
    /** Rows of the embedding, by the configurations that the families publish. */
    private static final Map<Pattern, Integer> VOCABULARIES = Map.of(
            Pattern.compile("\\bqwen-?(?:2|2\\.5|3)\\b"), 151_936,
            Pattern.compile("\\bllama-?(?:3|3\\.\\d)\\b"), 128_256,
            Pattern.compile("\\b(?:llama-?2|mistral-7b|tinyllama)\\b"), 32_000,
            Pattern.compile("\\bgemma-?[23]?\\b"), 256_000,
            Pattern.compile("\\bgpt-?2\\b"), 50_257,
            Pattern.compile("\\bphi-?4\\b"), 100_352);

    private final Consumer<Clue> found;

    ModelSizes(Consumer<Clue> found) {
        this.found = found;
    }

    /** Takes a line in small letters. */
    void take(String small, long number) {
        say(Kind.PARAMETERS, PARAMETERS, 1e9, small, number);
        say(Kind.BATCH, BATCH, 1, small, number);
        say(Kind.LENGTH, LENGTH, 1, small, number);
        VOCABULARIES.entrySet().stream()
                .filter(family -> family.getKey().matcher(small).find())
                .map(family -> new Clue(Kind.VOCABULARY, null, family.getValue(), number, small.strip()))
                .forEach(found);
    }

    private void say(Kind kind, Pattern pattern, double unit, String small, long number) {
        Matcher match = pattern.matcher(small);
        if (match.find()) {
            long count = Math.round(Double.parseDouble(match.group(1)) * unit);
            found.accept(new Clue(kind, null, count, number, small.strip()));
        }
    }
}
