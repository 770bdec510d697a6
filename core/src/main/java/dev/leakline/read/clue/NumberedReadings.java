package dev.leakline.read.clue;

import dev.leakline.read.clue.Readings.Reading;
import dev.leakline.source.Clue;
import dev.leakline.source.Clue.Kind;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads measurements that somebody noted down, a row or a part of a sentence each: {@code run 3   13.7 GB}, {@code at step 60 it is 15 GB}. The same
 * word with a rising number makes a series; without a unit they have the one that stands before them.
 */
final class NumberedReadings {
    private static final String WORD = "([a-z]{2,12})[ #_]?(\\d{1,7})";
    private static final Pattern ROW = Pattern.compile(
            "^[\\s>|*-]*(?:after |at )?" + WORD + "\\s*[:=|-]*\\s*(\\d+(?:\\.\\d+)?)\\s?([mg]i?b)?[\\s|]*$");
    /** A row that names the number first: {@code - after 1000 requests: 9.8 GB}. */
    private static final Pattern COUNTED_ROW = Pattern.compile(
            "^[\\s>|*-]*(?:after|at) (\\d{1,7}) ([a-z]{2,12}?)s?\\s*[:=|-]+\\s*(\\d+(?:\\.\\d+)?)\\s?([mg]i?b)[\\s|]*$");

    private static final Pattern SAID = Pattern.compile(
            "\\b(?:at|after|by|in) (step|iteration|epoch|batch|run|request|hour|minute|round|picture|image|page|file|prompt|call|video) (\\d{1,7})\\b"
                    + "[^\\d.;]{0,60}?" + Amounts.NUMBER + "\\s?([mg]i?b)\\b");
    /** The size first: {@code 5.9 GB after picture 1}. */
    private static final Pattern SAID_BEHIND = Pattern.compile(
            Amounts.NUMBER
                    + "\\s?([mg]i?b)\\s+(?:at|after|by|in) (step|iteration|epoch|batch|run|request|hour|minute|round|picture|image|page|file) (\\d{1,7})\\b");

    private static final Pattern STARTS = Pattern.compile(
            "\\b(?:at|after|by|in) (?:step|iteration|epoch|batch|run|request|hour|minute|round) \\d{1,7}\\b[^\\d.;]{0,60}$");
    private static final Pattern UNIT = Pattern.compile("\\bfree -([mg])\\b|\\(([mg]i?b)\\)|\\b(?:in|as) ([mg]i?b)\\b");
    /** Words that stand before numbers which are no places in time. */
    private static final Pattern OTHER =
            Pattern.compile("gpu|cuda|rank|node|device|worker|card|layer|line|port|pid|version|python|torch");

    private final Consumer<Clue> found;
    private final Readings readings = new Readings();
    private String word = "";
    private String unit = "";
    private String begun = "";
    private long line;
    private boolean isOpen;

    NumberedReadings(Consumer<Clue> found) {
        this.found = found;
    }

    /** Whether rows are expected, of which each counts. */
    boolean isOpen() {
        return isOpen;
    }

    /** Takes a line in small letters. */
    void take(String small, String written, long number) {
        Matcher named = UNIT.matcher(small);
        while (named.find()) {
            unit = named.group(1) != null ? named.group(1) : named.group(2) != null ? named.group(2) : named.group(3);
        }
        Matcher row = ROW.matcher(small);
        isOpen = row.matches();
        if (isOpen) {
            add(
                    row.group(1),
                    row.group(2),
                    Amounts.bytes(row.group(3), row.group(4) == null ? unit : row.group(4)),
                    written,
                    number);
        }
        Matcher counted = COUNTED_ROW.matcher(small);
        if (counted.matches()) {
            isOpen = true;
            long bytes = Amounts.bytes(counted.group(3), counted.group(4));
            add(counted.group(2), counted.group(1), bytes, written, number);
        }
        String sentence = begun + small;
        for (Matcher said = SAID.matcher(sentence); !isOpen && said.find(); ) {
            add(said.group(1), said.group(2), Amounts.bytes(said.group(3), said.group(4)), written, number);
        }
        for (Matcher said = SAID_BEHIND.matcher(small); !isOpen && said.find(); ) {
            add(said.group(3), said.group(4), Amounts.bytes(said.group(1), said.group(2)), written, number);
        }
        Matcher starts = STARTS.matcher(small);
        begun = starts.find() ? starts.group() + " " : "";
    }

    private void add(String of, String place, long bytes, String written, long number) {
        double position = Double.parseDouble(place);
        boolean goesOn = of.equals(word) && readings.isBehind(position);
        if (!goesOn && !readings.isEnough()) {
            readings.clear();
        }
        if ((goesOn || readings.size() == 0) && bytes > 0 && !OTHER.matcher(of).matches()) {
            word = of;
            line = number;
            readings.add(new Reading(position, bytes, number, written.strip()));
        }
    }

    /** Says by how much the measurements rise, and per what. */
    void finish() {
        readings.sayLevel(found);
        if (readings.say(found, null)) {
            found.accept(new Clue(Kind.TURN, null, 0, line, word));
        }
    }
}
