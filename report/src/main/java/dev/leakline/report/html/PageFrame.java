package dev.leakline.report.html;

import dev.leakline.text.Printable;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** The beginning of every page, with the policy that says what it may load and run, and text that becomes no part of its markup. */
public final class PageFrame {
    /** Characters of a title; no window shows more. */
    private static final int TITLE = 200;

    private PageFrame() {}

    /** The beginning of a page that loads nothing and runs nothing, up to its body. */
    public static String withoutScript(String version, String title, String style) {
        String policy = "default-src 'none'; style-src '" + hash(style) + "'; base-uri 'none'; form-action 'none'";
        return beginning(policy, version, title, style);
    }

    /** The beginning of a page, up to its body; {@code policy} says what it may load and run. */
    static String beginning(String policy, String version, String title, String style) {
        return """
                <!doctype html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta http-equiv="Content-Security-Policy" content="%s">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <meta name="generator" content="leakline %s">
                <title>%s</title>
                <style>%s</style>
                </head>
                <body>
                """.formatted(policy, escaped(version), escaped(Printable.of(title, TITLE)), style);
    }

    /** The name of a script or style in a security policy. */
    static String hash(String content) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(content.getBytes(StandardCharsets.UTF_8));
            return "sha256-" + Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java has SHA-256", e);
        }
    }

    /** Text of a file, as a page shows it: printable, and no markup. */
    public static String text(String text) {
        return escaped(Printable.of(text));
    }

    /** Text that no browser takes for markup. */
    static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }
}
