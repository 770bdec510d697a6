import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.ext.heading.anchor.HeadingAnchorExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;

/**
 * The README, the pages of docs and what they link to as a static site, each page where it is in the repository. It refuses links that lead
 * nowhere, to a file or to a heading.
 */
final class Site {
    private static final List<Extension> EXTENSIONS =
            List.of(TablesExtension.create(), HeadingAnchorExtension.create());
    private static final Pattern ELSEWHERE = Pattern.compile("[a-z]+:.*");
    private static final String STYLE = """
            body{font:16px/1.5 system-ui,sans-serif;max-width:50rem;margin:0 auto;padding:1rem;color:#1b1f24;background:#fff}\
            nav a{margin-right:1rem}pre{overflow-x:auto;background:#f5f6f8;padding:.8rem;font-size:13px;line-height:1.35}\
            code{font-family:ui-monospace,monospace}table{border-collapse:collapse;display:block;overflow-x:auto}\
            td,th{border:1px solid #c9ced6;padding:.3rem .6rem;text-align:left;vertical-align:top}img{max-width:100%}\
            @media(prefers-color-scheme:dark){body{color:#e4e7eb;background:#15181c}pre{background:#20242a}a{color:#8ab8ff}}""";

    private final Parser parser = Parser.builder().extensions(EXTENSIONS).build();
    private final HtmlRenderer renderer =
            HtmlRenderer.builder().extensions(EXTENSIONS).build();
    private final Path root;
    private final Path out;
    private final Map<Path, String> bodies = new HashMap<>();
    private final Set<String> wanted = new TreeSet<>();
    private final List<String> dead = new ArrayList<>();
    private final ArrayDeque<Path> left = new ArrayDeque<>();
    private final Set<Path> seen = new LinkedHashSet<>();

    private Site(Path root, Path out) {
        this.root = root;
        this.out = out;
    }

    static void build(Path root, Path out, String version) throws IOException {
        FileTree.delete(out); // of an earlier build, with pages that are no more
        Site site = new Site(root, out);
        List<Path> pages = new ArrayList<>(List.of(root.resolve("README.md")));
        try (Stream<Path> docs = Files.list(root.resolve("docs"))) {
            docs.filter(file -> file.toString().endsWith(".md")).sorted().forEach(pages::add);
        }
        pages.forEach(site::visit);
        while (!site.left.isEmpty()) {
            site.render(site.left.remove());
        }
        site.check();
        site.write(pages, version);
    }

    private void visit(Path page) {
        if (seen.add(page)) {
            left.add(page);
        }
    }

    private void render(Path page) throws IOException {
        Node document = parser.parse(Files.readString(page));
        document.accept(new AbstractVisitor() {
            @Override
            public void visit(Link link) {
                String target = target(page, link.getDestination());
                visitChildren(link);
                if (target.isEmpty()) {
                    unlink(link);
                } else {
                    link.setDestination(target);
                }
            }

            @Override
            public void visit(Image image) {
                image.setDestination(target(page, image.getDestination()));
            }
        });
        bodies.put(page, renderer.render(document));
    }

    /** Leaves the words of a link, to a folder of which there is no page. */
    private static void unlink(Link link) {
        for (Node word = link.getFirstChild(); word != null; word = link.getFirstChild()) {
            link.insertBefore(word);
        }
        link.unlink();
    }

    /** Where a link of a page leads on the site, empty where it is to a folder that has no page. */
    private String target(Path page, String destination) {
        if (ELSEWHERE.matcher(destination).matches()) {
            return destination;
        }
        int hash = destination.indexOf('#');
        String name = hash < 0 ? destination : destination.substring(0, hash);
        String anchor = hash < 0 ? "" : destination.substring(hash);
        Path file = name.isEmpty() ? page : page.resolveSibling(name).normalize();
        if (Files.isDirectory(file)) {
            file = file.resolve("README.md");
            if (!Files.exists(file)) {
                return "";
            }
        }
        if (!Files.exists(file) || !file.startsWith(root)) {
            dead.add(root.relativize(page) + ": " + destination);
            return destination;
        }
        if (file.toString().endsWith(".md")) {
            visit(file);
            wanted.add(root.relativize(file) + anchor);
        } else {
            copy(file);
        }
        return page.getParent().relativize(html(file)) + anchor;
    }

    private static Path html(Path file) {
        String name = file.getFileName().toString();
        return file.resolveSibling(name.equals("README.md") ? "index.html" : name.replaceAll("\\.md$", ".html"));
    }

    private void copy(Path file) {
        try {
            Path copy = out.resolve(root.relativize(file).toString());
            Files.createDirectories(copy.getParent());
            Files.write(copy, Files.readAllBytes(file));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private void check() {
        for (String link : wanted) {
            int hash = link.indexOf('#');
            if (hash >= 0) {
                String body = bodies.get(root.resolve(link.substring(0, hash)));
                if (body == null || !body.contains("id=\"" + link.substring(hash + 1) + "\"")) {
                    dead.add(link);
                }
            }
        }
        if (!dead.isEmpty()) {
            throw new IllegalStateException("dead links: " + dead);
        }
    }

    private void write(List<Path> pages, String version) throws IOException {
        for (Map.Entry<Path, String> body : bodies.entrySet()) {
            Path page = html(body.getKey());
            String menu = pages.stream()
                    .map(to -> "<a href=\"" + page.getParent().relativize(html(to)) + "\">" + title(to) + "</a>")
                    .collect(Collectors.joining("\n"));
            Path file = out.resolve(root.relativize(page).toString());
            Files.createDirectories(file.getParent());
            Files.writeString(file, """
                    <!DOCTYPE html>
                    <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
                    <title>Leakline: %s</title><style>%s</style></head>
                    <body><nav>%s</nav>
                    %s<footer><small>Leakline %s</small></footer></body></html>
                    """.formatted(title(body.getKey()), STYLE, menu, body.getValue(), version));
        }
    }

    private static String title(Path page) {
        String name = page.getFileName().toString().replaceAll("\\.md$", "");
        return name.equals("README") ? "Leakline" : name.replace('-', ' ');
    }
}
