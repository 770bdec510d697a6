package dev.leakline.lint.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.eclipse.lsp4j.CodeAction;
import org.eclipse.lsp4j.CodeActionContext;
import org.eclipse.lsp4j.CodeActionParams;
import org.eclipse.lsp4j.Diagnostic;
import org.eclipse.lsp4j.DidChangeTextDocumentParams;
import org.eclipse.lsp4j.DidCloseTextDocumentParams;
import org.eclipse.lsp4j.DidOpenTextDocumentParams;
import org.eclipse.lsp4j.HoverParams;
import org.eclipse.lsp4j.InitializeParams;
import org.eclipse.lsp4j.InitializedParams;
import org.eclipse.lsp4j.MessageActionItem;
import org.eclipse.lsp4j.MessageParams;
import org.eclipse.lsp4j.Position;
import org.eclipse.lsp4j.PublishDiagnosticsParams;
import org.eclipse.lsp4j.Range;
import org.eclipse.lsp4j.ShowMessageRequestParams;
import org.eclipse.lsp4j.TextDocumentContentChangeEvent;
import org.eclipse.lsp4j.TextDocumentIdentifier;
import org.eclipse.lsp4j.TextDocumentItem;
import org.eclipse.lsp4j.TextEdit;
import org.eclipse.lsp4j.VersionedTextDocumentIdentifier;
import org.eclipse.lsp4j.launch.LSPLauncher;
import org.eclipse.lsp4j.services.LanguageClient;
import org.eclipse.lsp4j.services.LanguageServer;
import org.junit.jupiter.api.Test;

/** A conversation as editors have it, over two pipes. */
final class LintServerTest {
    private static final String URI = "file:///none/x.py";
    /** The line of the finding has a character of two UTF-16 units before it. */
    private static final String BAD = """
            def run(net, pages, opt):
                kept = []
                for page in pages:
                    cost = net(page).mean()
                    cost.backward()
                    "\ud83d\ude00"; kept.append(cost)
            """;

    /** An editor that keeps what it is told. */
    private static final class Editor implements LanguageClient {
        final BlockingQueue<PublishDiagnosticsParams> published = new LinkedBlockingQueue<>();

        List<Diagnostic> next() throws InterruptedException {
            PublishDiagnosticsParams params = published.poll(60, TimeUnit.SECONDS);
            assertThat(params).isNotNull();
            return params.getDiagnostics();
        }

        @Override
        public void publishDiagnostics(PublishDiagnosticsParams diagnostics) {
            published.add(diagnostics);
        }

        @Override
        public void telemetryEvent(Object object) {}

        @Override
        public void showMessage(MessageParams params) {}

        @Override
        public CompletableFuture<MessageActionItem> showMessageRequest(ShowMessageRequestParams params) {
            return CompletableFuture.completedFuture(new MessageActionItem());
        }

        @Override
        public void logMessage(MessageParams message) {}
    }

    @Test
    void tellsShowsMendsAndExplains() throws Exception {
        PipedOutputStream toServer = new PipedOutputStream();
        PipedOutputStream toEditor = new PipedOutputStream();
        PipedInputStream fromEditor = new PipedInputStream(toServer, 1 << 16);
        PipedInputStream fromServer = new PipedInputStream(toEditor, 1 << 16);
        CompletableFuture<Integer> code =
                CompletableFuture.supplyAsync(() -> LintServer.serve(fromEditor, toEditor, "1"));
        Editor editor = new Editor();
        var launcher = LSPLauncher.createClientLauncher(editor, fromServer, toServer);
        var _ = launcher.startListening();
        LanguageServer server = launcher.getRemoteProxy();

        assertThat(server.initialize(new InitializeParams())
                        .get(60, TimeUnit.SECONDS)
                        .getCapabilities()
                        .getHoverProvider()
                        .getLeft())
                .isTrue();
        server.initialized(new InitializedParams());
        var documents = server.getTextDocumentService();
        documents.didOpen(new DidOpenTextDocumentParams(new TextDocumentItem(URI, "python", 1, BAD)));
        List<Diagnostic> found = editor.next();
        assertThat(found).singleElement().satisfies(diagnostic -> {
            assertThat(diagnostic.getCode().getLeft()).isEqualTo("LK001");
            assertThat(diagnostic.getRange()).isEqualTo(new Range(new Position(5, 14), new Position(5, 31)));
        });

        TextDocumentIdentifier document = new TextDocumentIdentifier(URI);
        Range where = found.getFirst().getRange();
        List<CodeAction> actions = documents
                .codeAction(new CodeActionParams(document, where, new CodeActionContext(found)))
                .get(60, TimeUnit.SECONDS)
                .stream()
                .map(action -> action.getRight())
                .toList();
        assertThat(actions).map(CodeAction::getIsPreferred).containsExactly(false, null);
        assertThat(documents
                        .hover(new HoverParams(document, where.getStart()))
                        .get(60, TimeUnit.SECONDS)
                        .getContents()
                        .getRight()
                        .getValue())
                .contains("LK001", "Costs:");
        assertThat(documents
                        .hover(new HoverParams(document, new Position(0, 0)))
                        .get(60, TimeUnit.SECONDS))
                .isNull();

        for (CodeAction action : actions) {
            String mended = apply(BAD, action.getEdit().getChanges().get(URI));
            documents.didChange(new DidChangeTextDocumentParams(
                    new VersionedTextDocumentIdentifier(URI, 2), List.of(new TextDocumentContentChangeEvent(mended))));
            assertThat(editor.next()).as(action.getTitle()).isEmpty();
        }
        documents.didClose(new DidCloseTextDocumentParams(document));
        assertThat(editor.next()).isEmpty();

        server.shutdown().get(60, TimeUnit.SECONDS);
        server.exit();
        assertThat(code.get(60, TimeUnit.SECONDS)).isZero();
    }

    @Test
    void endsWithTheEditor() throws IOException {
        PipedOutputStream toServer = new PipedOutputStream();
        PipedInputStream fromEditor = new PipedInputStream(toServer);
        toServer.close();
        assertThat(LintServer.serve(fromEditor, new PipedOutputStream(new PipedInputStream()), "1"))
                .isEqualTo(1);
    }

    private static String apply(String text, List<TextEdit> edits) {
        String[] lines = text.split("\n", -1);
        for (TextEdit edit : edits) {
            int line = edit.getRange().getStart().getLine();
            lines[line] = lines[line].substring(0, edit.getRange().getStart().getCharacter())
                    + edit.getNewText()
                    + lines[line].substring(edit.getRange().getEnd().getCharacter());
        }
        return String.join("\n", lines);
    }
}
