package dev.leakline.read.figures;

import dev.leakline.read.terms.NumberToken;
import dev.leakline.read.terms.WordSenses;
import java.util.Locale;
import java.util.regex.Pattern;

/** Tells sizes that a machine or a device has, such as {@code 32 GB RAM}, {@code a GPU with 24 GB} and {@code 1x H100 80GB}, from what is used of it. */
final class MachineSizes {
    /** Characters before a size in which a device is named. */
    private static final int MOST_BEFORE = 120;

    /** Words behind which a size is what a machine has, not what is in use: {@code my card has 24 GB}. */
    private static final Pattern POSSESSION = Pattern.compile("(?i).*\\b(?:has|have|had|with|of|is|are)");

    private static final Pattern NAMED = Pattern.compile("(?i)(?:cards?|gpus?|graphics card)\\b");

    /** A device by its name, and the word for all that it has: {@code Tesla T4. Max memory: 14.7 GB}. */
    private static final Pattern ALL_OF_DEVICE = Pattern.compile(
            "(?i).*\\b(?:tesla|geforce|[rg]tx|quadro|radeon|nvidia|titan|[abhlv]\\d{2,3}s?|t4|mi\\d{3}x?)\\b[^|;]{0,60}\\b(?:max|total)(?:imum)? (?:gpu )?memory\\W{1,3}");

    /** A device by its model right before a size, {@code 1x H100 80GB HBM3}: the size is part of its name. */
    private static final Pattern MODEL = Pattern.compile(
            "(?i).*\\b(?:(?:geforce |[rg]tx ?)?\\d{4}(?: ti| super)?|[abhlv]\\d{2,3}s?|t4|mi\\d{3}x?)(?:[- ](?:sxm\\d?|pcie|nvl))?[- ]");

    private final NameGroup group;
    private final Counters counters;
    private String line = "";
    private char[] text = new char[0];

    MachineSizes(NameGroup group, Counters counters) {
        this.group = group;
        this.counters = counters;
    }

    void beginLine(String whole, char[] characters) {
        line = whole;
        text = characters;
    }

    /** Whether a size is what a machine has, without a word of what is used; {@code isFirst} where the line has no figure before it. */
    boolean has(NumberToken token, boolean isFirst) {
        return token.power() >= LineReader.MEBI
                && !group.isAssigned()
                && !WordSenses.has(group.senses(), WordSenses.STATE | WordSenses.PEAK)
                && !WordSenses.has(token.sensesBehind(text, text.length), WordSenses.STATE | WordSenses.PEAK)
                && (isRam(token) || isPossessed(token, isFirst) || isNamedBehind(token) || isOfModel(token));
    }

    /** Whether a device is named before it, and nothing says that the most of its memory is the most that was in use. */
    boolean isAllOfDevice(NumberToken token, int senses) {
        return !WordSenses.has(senses, WordSenses.STATE & ~WordSenses.TOTAL)
                && ALL_OF_DEVICE.matcher(before(token)).matches();
    }

    private String before(NumberToken token) {
        return line.substring(Math.max(token.from() - MOST_BEFORE, 0), token.from());
    }

    private boolean isOfModel(NumberToken token) {
        return token.isWhole() && MODEL.matcher(before(token)).matches();
    }

    private boolean isRam(NumberToken token) {
        return !WordSenses.has(group.sensesWithHeading(), WordSenses.MEMORY)
                && wordsBehind(token).toUpperCase(Locale.ROOT).startsWith("RAM");
    }

    private String wordsBehind(NumberToken token) {
        return token.wordsBehind(text, text.length);
    }

    /** {@code 24 GB card}, with no word before it that would make the device the place of what was measured. */
    private boolean isNamedBehind(NumberToken token) {
        return group.senses() == 0
                && token.isWhole()
                && !token.hasTotal()
                && NAMED.matcher(wordsBehind(token)).lookingAt();
    }

    /** Whether a device or the RAM has it. Memory modules have whole gibibytes, so that a part of one is a measurement. */
    private boolean isPossessed(NumberToken token, boolean isFirst) {
        boolean isOfDevice = group.senses() == WordSenses.DEVICE
                && POSSESSION.matcher(group.text(text)).matches();
        boolean isInBrackets = WordSenses.has(group.last(), WordSenses.DEVICE)
                && token.from() > 0
                && text[token.from() - 1] == '('; // on the card (24 GB)
        boolean isBareRam = group.text(text).equals("RAM") && isFirst && counters.stepAt() < 0;
        return token.isWhole() && !token.hasTotal() && (isOfDevice || isInBrackets || isBareRam);
    }
}
