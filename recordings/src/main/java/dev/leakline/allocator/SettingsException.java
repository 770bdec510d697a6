package dev.leakline.allocator;

import dev.leakline.text.Printable;

/** Thrown for a setting that the allocator would not accept: names its key, its value and what was expected. */
public final class SettingsException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;
    /** Characters of a wrong key or value that a message shows: enough to recognise it. */
    private static final int SHOWN = 80;

    private final String key;

    /**
     * A refusal.
     *
     * @param key the setting
     * @param value what it was set to
     * @param expected what it may be set to
     */
    SettingsException(String key, String value, String expected) {
        super("allocator setting %s: expected %s, found '%s'"
                .formatted(Printable.of(key, SHOWN), expected, Printable.of(value, SHOWN)));
        this.key = key;
    }

    /** The setting. */
    public String key() {
        return key;
    }
}
