package dev.leakline.testkit.pickle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.testkit.Python;
import java.nio.file.Path;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Python reads what was written, and writes the same bytes again. */
class CPythonTest {
    private static final Set<Dialect> PROTOCOLS = EnumSet.range(Dialect.PROTOCOL_0, Dialect.PROTOCOL_5);

    private static final String SAME_BYTES = """
            import pickle, sys
            for path in sys.argv[1:]:
                data = open(path, 'rb').read()
                same = pickle.dumps(pickle.loads(data), int(path[-1])) == data
                print('same' if same else path)
            """;

    private static final String SAME_VALUES = """
            import json, os, pickle, sys
            for path in sys.argv[1:]:
                document = os.path.splitext(path)[0] + '.JSON'
                if path != document:
                    text = json.dumps(pickle.load(open(path, 'rb')))
                    print('same' if text == json.dumps(json.load(open(document, encoding='utf-8'))) else path)
            """;

    @TempDir
    Path folder;

    @BeforeEach
    void python() {
        Python.assumePresent();
    }

    @Test
    void everyByteIsPythons() throws Exception {
        Map<String, byte[]> files = new LinkedHashMap<>();
        for (Dialect protocol : PROTOCOLS) {
            addAll(Trees.all(), protocol, files);
            files.put("surrogate." + protocol, protocol.bytes("a lone \ud800 one"));
        }

        assertThat(Python.run(folder, SAME_BYTES, files)).isEqualTo(Collections.nCopies(files.size(), "same"));
    }

    @Test
    void pythonReadsTheValuesThatTheJsonHas() throws Exception {
        Map<String, Object> trees = Trees.all();
        Map<String, byte[]> files = new LinkedHashMap<>();
        PROTOCOLS.forEach(protocol -> addAll(trees, protocol, files));
        addAll(trees, Dialect.CPP, files);
        files.remove("bigints.CPP");
        int pickles = files.size();
        addAll(trees, Dialect.JSON, files);

        assertThat(Python.run(folder, SAME_VALUES, files)).isEqualTo(Collections.nCopies(pickles, "same"));
    }

    private static void addAll(Map<String, Object> trees, Dialect dialect, Map<String, byte[]> files) {
        trees.forEach((name, tree) -> files.put(name + "." + dialect, dialect.bytes(tree)));
    }
}
