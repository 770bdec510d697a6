package dev.leakline.report;

import dev.leakline.result.Frame;
import dev.leakline.result.InputFile;
import dev.leakline.result.Site;
import java.io.Writer;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;

/** Writes JSON: what all parts of a report have in common. */
final class Json implements AutoCloseable {
    /** The generator itself, for what needs no more than that. */
    final JsonGenerator generator;

    private final int longest;
    private final int most;

    private Json(JsonGenerator generator, int longest, int most) {
        this.generator = generator;
        this.longest = longest;
        this.most = most;
    }

    /** Writes indented JSON; closing flushes, and leaves the writer open. */
    static Json indented(Writer out) {
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter().withObjectIndenter(new DefaultIndenter("  ", "\n"));
        JsonGenerator generator = new JsonFactory().createGenerator(new Indented(printer), new Unclosed(out));
        return new Json(generator, Integer.MAX_VALUE, Integer.MAX_VALUE);
    }

    /**
     * Writes JSON in one line; closing flushes, and leaves the writer open.
     *
     * @param longest characters of a string; of longer ones the beginning is written
     * @param most items of a list; of longer ones the first are written
     */
    static Json compact(Writer out, int longest, int most) {
        JsonGenerator generator = new JsonFactory().createGenerator(ObjectWriteContext.empty(), new Unclosed(out));
        return new Json(generator, longest, most);
    }

    @Override
    public void close() {
        generator.close();
    }

    <T> void array(String name, List<T> items, Consumer<T> write) {
        generator.writeArrayPropertyStart(name);
        items.subList(0, Math.min(items.size(), most)).forEach(write);
        generator.writeEndArray();
    }

    /** An array of objects; {@code write} writes the properties of one. */
    <T> void objects(String name, List<T> items, Consumer<T> write) {
        array(name, items, item -> {
            generator.writeStartObject();
            write.accept(item);
            generator.writeEndObject();
        });
    }

    /** An object, or null where there is none; {@code write} writes its properties. */
    <T> void object(String name, @Nullable T item, Consumer<T> write) {
        generator.writeName(name);
        if (item == null) {
            generator.writeNull();
        } else {
            generator.writeStartObject();
            write.accept(item);
            generator.writeEndObject();
        }
    }

    void strings(String name, List<String> items) {
        array(name, items, item -> generator.writeString(cut(item)));
    }

    private String cut(String text) {
        if (text.length() <= longest) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(longest - 2)) ? longest - 2 : longest - 1;
        return text.substring(0, end) + "…";
    }

    /** A string, or null. */
    void string(String name, @Nullable String value) {
        if (value == null) {
            generator.writeNullProperty(name);
        } else {
            generator.writeStringProperty(name, cut(value));
        }
    }

    void constant(String name, Enum<?> value) {
        generator.writeStringProperty(name, value.name().toLowerCase(Locale.ROOT));
    }

    void number(String name, long value) {
        generator.writeNumberProperty(name, value);
    }

    /** A number, or null for what is not known, which JSON has no number for. */
    void number(String name, double value) {
        if (Double.isFinite(value)) {
            generator.writeNumberProperty(name, value);
        } else {
            generator.writeNullProperty(name);
        }
    }

    /** Recordings of torch before 2.2 have no times, which is not the same as 1970. */
    void time(long micros) {
        if (micros == 0) {
            generator.writeNullProperty("time_us");
        } else {
            number("time_us", micros);
        }
    }

    /** Which version of the program this is by. */
    void tool(String version) {
        object("tool", version, _ -> {
            string("name", "leakline");
            string("version", version);
        });
    }

    /** The properties of an input. */
    void input(InputFile input) {
        string("path", input.path());
        string("kind", input.kind());
        number("bytes", input.bytes());
        string("torch", input.torch().isEmpty() ? null : input.torch());
        if (input.incomplete() != null) {
            string("incomplete", input.incomplete());
        }
    }

    /** The properties of a site. */
    void site(Site site) {
        constant("kind", site.kind());
        frame(site.frame());
    }

    /** The properties of a frame. */
    void frame(Frame frame) {
        string("file", frame.file());
        number("line", frame.line());
        string("function", frame.function());
    }

    /** Values by name; see {@link #value}. */
    void values(String name, Map<String, Object> values) {
        generator.writeName(name);
        value(values);
    }

    /** A value of a kind that readers make: a map, a list, a number, a truth; anything else as its text. */
    void value(Object value) {
        switch (value) {
            case Map<?, ?> map -> {
                generator.writeStartObject();
                map.forEach((key, entry) -> {
                    generator.writeName(cut(String.valueOf(key)));
                    value(entry);
                });
                generator.writeEndObject();
            }
            case List<?> list -> {
                generator.writeStartArray();
                list.subList(0, Math.min(list.size(), most)).forEach(this::value);
                generator.writeEndArray();
            }
            case Long number -> generator.writeNumber(number);
            case Double number -> generator.writeNumber(number);
            case Boolean truth -> generator.writeBoolean(truth);
            default -> generator.writeString(cut(value.toString()));
        }
    }

    /** Lets whoever owns the writer close it. */
    private static final class Unclosed extends java.io.FilterWriter {
        Unclosed(Writer out) {
            super(out);
        }

        @Override
        public void write(char[] characters, int offset, int length) throws java.io.IOException {
            out.write(characters, offset, length);
        }

        @Override
        public void close() throws java.io.IOException {
            flush();
        }
    }

    /** Asks for line breaks. */
    private static final class Indented extends ObjectWriteContext.Base {
        private final DefaultPrettyPrinter printer;

        Indented(DefaultPrettyPrinter printer) {
            this.printer = printer;
        }

        @Override
        public tools.jackson.core.PrettyPrinter getPrettyPrinter() {
            return printer;
        }

        @Override
        public boolean hasPrettyPrinter() {
            return true;
        }
    }
}
