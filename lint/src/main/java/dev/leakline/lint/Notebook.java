package dev.leakline.lint;

import dev.leakline.python.PythonText;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** The code cells of a notebook, one after another as one program; lines that are no Python, such as magics, become comments. */
final class Notebook {
    private final StringBuilder code = new StringBuilder();
    private final List<Integer> starts = new ArrayList<>();

    private Notebook() {}

    /** Reads a notebook. Throws {@link JacksonException} if it is none. */
    static Notebook parse(byte[] bytes) {
        Notebook notebook = new Notebook();
        try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), bytes)) {
            parser.nextToken();
            while (parser.nextToken() != null) {
                if (parser.currentToken() == JsonToken.PROPERTY_NAME && "cells".equals(parser.currentName())) {
                    parser.nextToken();
                    notebook.readCells(parser);
                } else if (parser.currentToken() != null
                        && parser.currentToken().isStructStart()) {
                    parser.skipChildren();
                }
            }
        }
        return notebook;
    }

    private void readCells(JsonParser parser) {
        while (parser.nextToken() == JsonToken.START_OBJECT) {
            String type = "";
            StringBuilder source = new StringBuilder();
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = parser.currentName();
                parser.nextToken();
                if (name.equals("cell_type")) {
                    type = parser.getString();
                } else if (name.equals("source") && parser.currentToken() == JsonToken.START_ARRAY) {
                    while (parser.nextToken() != JsonToken.END_ARRAY) {
                        source.append(parser.getString());
                    }
                } else if (name.equals("source")) {
                    source.append(parser.getString());
                } else {
                    parser.skipChildren();
                }
            }
            if (type.equals("code")) {
                add(source.toString());
            }
        }
    }

    private void add(String source) {
        starts.add((int) code.chars().filter(c -> c == '\n').count() + 1);
        boolean isPython = !source.stripLeading().startsWith("%%")
                || source.stripLeading().startsWith("%%time")
                || source.stripLeading().startsWith("%%capture");
        for (String line : source.split("\n", -1)) {
            String stripped = line.stripLeading();
            boolean magic =
                    stripped.startsWith("%") || stripped.startsWith("!") || stripped.startsWith("?") || !isPython;
            int indentation = line.length() - stripped.length();
            if (magic && isPython && indentation > 0) {
                code.append(line, 0, indentation).append("pass  #").append(stripped);
            } else {
                code.append(magic ? "#" + (line.isEmpty() ? "" : line.substring(1)) : line);
            }
            code.append('\n');
        }
    }

    PythonText source() {
        return PythonText.of(code.toString());
    }

    /** Which cell a line is in, counting code cells from 1, and which line of it. */
    String place(int line) {
        int cell = 0;
        while (cell < starts.size() && starts.get(cell) <= line) {
            cell++;
        }
        return cell == 0 ? "" : "cell %d, line %d".formatted(cell, line - starts.get(cell - 1) + 1);
    }
}
