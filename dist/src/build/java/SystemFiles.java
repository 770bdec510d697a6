import java.io.IOException;

/** The image, manual pages and completions where Linux has them. */
final class SystemFiles {
    private SystemFiles() {}

    static FileTree of(FileTree image, FileTree manual, FileTree completions) throws IOException {
        FileTree tree = image.in("usr/lib/leakline");
        tree.link("usr/bin/leakline", "../lib/leakline/leakline");
        for (var page : manual.entries().entrySet()) {
            tree.file(
                    "usr/share/man/man1/" + page.getKey() + ".gz",
                    Archives.gzip(page.getValue().content()));
        }
        tree.file("usr/share/bash-completion/completions/leakline", content(completions, "leakline.bash"));
        tree.file("usr/share/fish/vendor_completions.d/leakline.fish", content(completions, "leakline.fish"));
        return tree;
    }

    private static byte[] content(FileTree tree, String name) {
        return tree.entries().get(name).content();
    }
}
