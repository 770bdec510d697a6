package dev.leakline.bundle;

import java.io.StringWriter;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** Makes texts fit for a ticket: without {@link Secrets} always, and on request with other {@link Aliases}, the same in all texts of an archive. */
final class Scrubber {
    private static final JsonFactory JSON = new JsonFactory();

    private final boolean isFull;
    private final Aliases names = new Aliases();

    /** Replaces secrets, and names only if {@code isFull}. */
    Scrubber(boolean isFull) {
        this.isFull = isFull;
        names.user(System.getProperty("user.name", ""));
    }

    /** Looks for users and hosts; all texts must be seen before the first is scrubbed. */
    void learn(String text) {
        names.learn(text);
    }

    /** Adds the name of a machine. */
    void host(String name) {
        names.host(name);
    }

    /** A text without what tells. */
    String scrub(String text) {
        String hidden = Secrets.hide(text);
        return isFull ? names.replace(hidden) : hidden;
    }

    /** A JSON document whose strings are scrubbed each for itself, so that it stays one; the very same where nothing has to change. */
    String scrubJson(String json) {
        StringWriter out = new StringWriter();
        boolean isSame = true;
        try (JsonParser from = JSON.createParser(ObjectReadContext.empty(), json);
                JsonGenerator to = JSON.createGenerator(ObjectWriteContext.empty(), out)) {
            for (JsonToken token = from.nextToken(); token != null; token = from.nextToken()) {
                if (token == JsonToken.VALUE_STRING || token == JsonToken.PROPERTY_NAME) {
                    String text = from.getString();
                    String scrubbed = scrubValue(text);
                    isSame &= scrubbed.equals(text);
                    if (token == JsonToken.PROPERTY_NAME) {
                        to.writeName(scrubbed);
                    } else {
                        to.writeString(scrubbed);
                    }
                } else {
                    to.copyCurrentEventExact(from);
                }
            }
        }
        return isSame ? json : out.toString();
    }

    /** A string that is a path as a whole, blanks included, is scrubbed as one in quotes. */
    private String scrubValue(String value) {
        boolean isPath = value.startsWith("/") && value.matches("[^:\"\\n]*\\.\\w{1,6}(?::\\d+)?");
        String scrubbed = scrub(isPath ? '"' + value + '"' : value);
        return isPath ? scrubbed.substring(1, scrubbed.length() - 1) : scrubbed;
    }
}
