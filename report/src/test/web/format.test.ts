import assert from "node:assert/strict";
import { test } from "node:test";
import { capital, counted, formatBytes, formatCount, formatPercent, formatSpan, sentence, shown, shownEnd, trimZeros } from "../../main/web/src/shared/format";

test("sizes have three significant digits and binary units", () => {
    assert.equal(formatBytes(0), "0 B");
    assert.equal(formatBytes(1023), "1023 B");
    assert.equal(formatBytes(1024), "1.00 KiB");
    assert.equal(formatBytes(3 * 1024 ** 2), "3.00 MiB");
    assert.equal(formatBytes(48934787.9), "46.7 MiB");
    assert.equal(formatBytes(999.6 * 1024 ** 2), "0.98 GiB");
    assert.equal(formatBytes(-5 * 1024 ** 3), "-5.00 GiB");
});

test("counts have their thousands apart", () => {
    assert.equal(formatCount(7), "7");
    assert.equal(formatCount(79934), "79,934");
    assert.equal(formatCount(1234567), "1,234,567");
    assert.equal(counted(1, "block"), "1 block");
    assert.equal(counted(4366, "block"), "4,366 blocks");
});

test("spans choose their unit", () => {
    assert.equal(formatSpan(12), "12 µs");
    assert.equal(formatSpan(3250), "3.25 ms");
    assert.equal(formatSpan(2_060_000), "2.06 s");
    assert.equal(formatSpan(5_340_500_000), "89.01 min");
    assert.equal(formatSpan(3 * 86_400e6), "3.00 d");
});

test("ticks lose zeros that say nothing", () => {
    assert.equal(trimZeros("500.00 ms"), "500 ms");
    assert.equal(trimZeros("1.50 s"), "1.5 s");
    assert.equal(trimZeros("100 µs"), "100 µs");
    assert.equal(trimZeros("2.00 GiB"), "2 GiB");
});

test("shares are percents, as in the text report", () => {
    assert.equal(formatPercent(0.5812), "58%");
    assert.equal(formatPercent(0.0994), "9.9%");
    assert.equal(formatPercent(0.0996), "10%");
    assert.equal(formatPercent(0.9999), "99.9%");
    assert.equal(formatPercent(0.9951), "99.5%");
    assert.equal(formatPercent(1), "100%");
    assert.equal(formatPercent(null), "");
});

test("long texts are cut, paths at their beginning", () => {
    assert.equal(shown("x".repeat(100_000)).length, 400);
    assert.equal(shown("short"), "short");
    assert.equal(shownEnd("/a/very/long/path/train.py", 10), "…/train.py");
});

test("sentences end with one stop", () => {
    assert.equal(sentence("it grows"), "It grows.");
    assert.equal(sentence("does it grow?"), "Does it grow?");
    assert.equal(sentence("cut …"), "Cut …");
    assert.equal(sentence(""), "");
});

test("sentences begin with a capital, names of programs stay as they are", () => {
    assert.equal(capital("a result is kept"), "A result is kept");
    assert.equal(capital("train.py:21 requested"), "train.py:21 requested");
    assert.equal(capital("oom_pinned.py requested"), "oom_pinned.py requested");
});
