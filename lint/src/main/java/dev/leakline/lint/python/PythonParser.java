package dev.leakline.lint.python;

import io.github.treesitter.jtreesitter.InputEncoding;
import io.github.treesitter.jtreesitter.Language;
import io.github.treesitter.jtreesitter.Node;
import io.github.treesitter.jtreesitter.Parser;
import io.github.treesitter.jtreesitter.Tree;
import io.github.treesitter.jtreesitter.TreeCursor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Parses Python with tree-sitter, which survives errors; one parser serves one thread. */
public final class PythonParser implements AutoCloseable {
    /** A TSNode: 32 bytes; every node of a walk is read into the same place. */
    private static final int NODE_BYTES = 32;

    private static final int NODE_ALIGNMENT = 8;
    /** Named nodes that say no more than the text. */
    private static final Set<String> PARTS =
            Set.of("string_start", "string_content", "string_end", "line_continuation");

    /** Tokens that no rule of the grammar gives a field. */
    private static final Set<String> PLAIN_TOKENS = Set.of(
            "( ) [ ] { } , : ; . -> def class if elif else for while return import from with try except finally async lambda"
                    .split(" ", -1));

    private static final Set<String> LEAVES =
            Set.of("identifier", "integer", "float", "true", "false", "none", "comment");

    private final Grammar grammar = Grammar.INSTANCE;
    private final Parser parser = new Parser(grammar.language);
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment slot = arena.allocate(NODE_BYTES, NODE_ALIGNMENT);

    /** The words of the grammar, looked up once. */
    private static final class Grammar {
        static final Grammar INSTANCE = new Grammar();

        final Language language = NativeLibraries.python();
        final String[] types = new String[language.getSymbolCount()];
        final boolean[] named = new boolean[types.length];
        /** Punctuation and keywords, which never have a field; and nodes without children. */
        final boolean[] dropped = new boolean[types.length];

        final boolean[] leaves = new boolean[types.length];
        final @Nullable String[] fields = new @Nullable String[language.getFieldCount() + 1];

        Grammar() {
            for (short symbol = 0; symbol < types.length; symbol++) {
                String name = language.getSymbolName(symbol);
                types[symbol] = name == null ? "" : name.intern();
                named[symbol] = language.isNamed(symbol);
                dropped[symbol] =
                        (!named[symbol] && PLAIN_TOKENS.contains(types[symbol])) || PARTS.contains(types[symbol]);
                leaves[symbol] = named[symbol] && LEAVES.contains(types[symbol]);
            }
            for (short field = 1; field < fields.length; field++) {
                String name = language.getFieldNameForId(field);
                fields[field] = name == null ? null : name.intern();
            }
        }
    }

    /** The tree of a text; {@link PythonTree#trouble} says where it is no Python. */
    public PythonTree parse(PythonText source) {
        String text = source.text();
        Tree tree = parser.parse(text, InputEncoding.UTF_8).orElseThrow();
        try (tree;
                TreeCursor cursor = tree.walk()) {
            Walk walk = new Walk(source, cursor, isAscii(text) ? null : source.charsOfUtf8());
            Syntax root = walk.tree();
            return new PythonTree(source, root, walk.size, walk.comments, walk.firstError);
        }
    }

    private static boolean isAscii(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) >= 0x80) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void close() {
        parser.close();
        arena.close();
    }

    /** One walk over a tree of tree-sitter's; no recursion, since the nesting may be as deep as the file is long. */
    private final class Walk {
        private final PythonText source;
        private final TreeCursor cursor;
        /** Which char begins at a byte of the text as UTF-8, or null where all are one byte. */
        private final int @Nullable [] chars;

        private final SegmentAllocator allocator = (_, _) -> slot;
        private final Deque<Syntax> open = new ArrayDeque<>();
        private final Deque<List<Syntax>> lists = new ArrayDeque<>();
        private final List<Syntax> comments = new ArrayList<>();
        private int firstError = -1;
        /** Whether what was entered last has no children that say more than its text. */
        private boolean leaf;
        /** Whether there is any error to be looked for. */
        private boolean broken;

        /** Nodes so far; the root is the first. */
        private int size = 1;

        Walk(PythonText source, TreeCursor cursor, int @Nullable [] chars) {
            this.source = source;
            this.cursor = cursor;
            this.chars = chars;
        }

        Syntax tree() {
            Syntax root = new Syntax(source, "module", 0, source.text().length());
            open.push(root);
            lists.push(new ArrayList<>());
            Node top = cursor.getCurrentNode(allocator);
            broken = top.hasError();
            look(top, true);
            boolean down = cursor.gotoFirstChild();
            while (down) {
                boolean entered = enter();
                if (entered && !leaf && cursor.gotoFirstChild()) {
                    continue;
                }
                if (entered) {
                    leave();
                }
                while (!cursor.gotoNextSibling()) {
                    cursor.gotoParent();
                    if (open.size() == 1) {
                        down = false;
                        break;
                    }
                    leave();
                }
            }
            root.setChildren(lists.pop());
            return root;
        }

        /** Whether the node is one to go into; a token is dropped, or kept where it has a field, such as the operator. */
        private boolean enter() {
            Node node = cursor.getCurrentNode(allocator);
            int symbol = Short.toUnsignedInt(node.getSymbol());
            boolean error = symbol >= grammar.types.length;
            if (broken) {
                look(node, error);
            }
            if (!error && grammar.dropped[symbol]) {
                return false;
            }
            boolean named = error || grammar.named[symbol];
            int fieldId = cursor.getCurrentFieldId();
            if (!named && fieldId == 0) {
                return false;
            }
            String type = error ? "ERROR" : grammar.types[symbol];
            Syntax made = new Syntax(source, type, offset(node.getStartByte()), offset(node.getEndByte()));
            leaf = !error && (grammar.leaves[symbol] || (!broken && type.equals("string") && isPlain(made.start())));
            String field = grammar.fields[fieldId];
            if (field != null) {
                made.in(field);
            }
            if (type.equals("comment")) {
                comments.add(made);
                return false;
            }
            if (type.equals("print_statement") || type.equals("exec_statement")) {
                noteError(made.start());
            }
            made.setNumber(size++);
            if (!named) {
                add(made);
                return false;
            }
            open.push(made);
            lists.push(new ArrayList<>());
            return true;
        }

        private int offset(int at) {
            return chars == null ? at : chars[at];
        }

        /** Whether the string that begins here has no expressions in it: no f or t before its quotes. */
        private boolean isPlain(int start) {
            String text = source.text();
            for (int i = start; i < text.length(); i++) {
                char c = text.charAt(i);
                if (c == '"' || c == '\'') {
                    return true;
                }
                if ("fFtT".indexOf(c) >= 0) {
                    return false;
                }
            }
            return true;
        }

        private void look(Node node, boolean suspicious) {
            if ((suspicious && node.isError()) || (node.getStartByte() == node.getEndByte() && node.isMissing())) {
                noteError(offset(node.getStartByte()));
            }
        }

        private void noteError(int offset) {
            firstError = firstError < 0 ? offset : Math.min(firstError, offset);
        }

        private void leave() {
            Syntax done = open.pop();
            done.setChildren(lists.pop());
            add(done);
        }

        private void add(Syntax made) {
            lists.element().add(made);
        }
    }
}
