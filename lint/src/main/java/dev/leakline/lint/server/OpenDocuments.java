package dev.leakline.lint.server;

import dev.leakline.lint.Configuration;
import dev.leakline.lint.DeepStack;
import dev.leakline.lint.LintResult.Unreadable;
import dev.leakline.lint.Linter;
import dev.leakline.lint.Linter.FileResult;
import dev.leakline.python.PythonText;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.eclipse.lsp4j.CodeAction;
import org.eclipse.lsp4j.CodeActionParams;
import org.eclipse.lsp4j.Command;
import org.eclipse.lsp4j.Diagnostic;
import org.eclipse.lsp4j.DidChangeTextDocumentParams;
import org.eclipse.lsp4j.DidCloseTextDocumentParams;
import org.eclipse.lsp4j.DidOpenTextDocumentParams;
import org.eclipse.lsp4j.DidSaveTextDocumentParams;
import org.eclipse.lsp4j.Hover;
import org.eclipse.lsp4j.HoverParams;
import org.eclipse.lsp4j.PublishDiagnosticsParams;
import org.eclipse.lsp4j.jsonrpc.messages.Either;
import org.eclipse.lsp4j.services.LanguageClient;
import org.eclipse.lsp4j.services.TextDocumentService;
import org.jspecify.annotations.Nullable;

/** The documents that are open in an editor: each is judged as often as it changes, one after another on one thread. */
final class OpenDocuments implements TextDocumentService, AutoCloseable {
    private final Map<String, String> texts = new ConcurrentHashMap<>();
    private final Map<String, Judged> judged = new ConcurrentHashMap<>();
    private final ExecutorService worker = Executors.newSingleThreadExecutor(DeepStack::thread);
    private @Nullable LanguageClient client;

    void connect(LanguageClient remote) {
        client = remote;
    }

    @Override
    public void didOpen(DidOpenTextDocumentParams params) {
        changed(params.getTextDocument().getUri(), params.getTextDocument().getText());
    }

    /** The whole text comes with each change. */
    @Override
    public void didChange(DidChangeTextDocumentParams params) {
        changed(
                params.getTextDocument().getUri(),
                params.getContentChanges().getLast().getText());
    }

    @Override
    public void didSave(DidSaveTextDocumentParams params) {
        String uri = params.getTextDocument().getUri();
        String text = params.getText() != null ? params.getText() : texts.get(uri);
        if (text != null) {
            changed(uri, text);
        }
    }

    @Override
    public void didClose(DidCloseTextDocumentParams params) {
        String uri = params.getTextDocument().getUri();
        texts.remove(uri);
        worker.execute(() -> {
            judged.remove(uri);
            publish(uri, List.of());
        });
    }

    private void changed(String uri, String text) {
        texts.put(uri, text);
        worker.execute(() -> judge(uri, text));
    }

    /** Judges a text, unless a later one waits. */
    @SuppressWarnings("ReferenceEquality") // the very text that came with the change
    private void judge(String uri, String text) {
        if (texts.get(uri) == text) {
            Judged found = judged(uri, PythonText.of(text));
            judged.put(uri, found);
            publish(uri, found.diagnostics());
        }
    }

    private static Judged judged(String uri, PythonText text) {
        Configuration configuration = configuration(uri);
        FileResult result = new Linter(configuration::isOn).lint(uri, text);
        Unreadable error = result.error();
        return new Judged(
                uri,
                text,
                result.findings().stream()
                        .filter(finding -> finding.confidence() >= configuration.minConfidence())
                        .toList(),
                error == null || error.line() > 0 ? null : error.message());
    }

    /** The configuration of a document's folder; the standard one where that is wrong or there is no folder. */
    private static Configuration configuration(String uri) {
        try {
            return Configuration.near(Path.of(URI.create(uri)));
        } catch (IOException | IllegalArgumentException | FileSystemNotFoundException e) {
            return Configuration.STANDARD;
        }
    }

    private void publish(String uri, List<Diagnostic> diagnostics) {
        if (client != null) {
            client.publishDiagnostics(new PublishDiagnosticsParams(uri, diagnostics));
        }
    }

    /** The findings in the text as it is now: the worker has done all that came before. */
    private CompletableFuture<Judged> now(String uri) {
        return CompletableFuture.supplyAsync(
                () -> judged.getOrDefault(uri, new Judged(uri, PythonText.of(""), List.of(), null)), worker);
    }

    @Override
    public CompletableFuture<List<Either<Command, CodeAction>>> codeAction(CodeActionParams params) {
        return now(params.getTextDocument().getUri()).thenApply(document -> document.actions(params.getRange()));
    }

    @Override
    public CompletableFuture<@Nullable Hover> hover(HoverParams params) {
        return now(params.getTextDocument().getUri()).thenApply(document -> document.hover(params.getPosition()));
    }

    @Override
    public void close() {
        worker.shutdownNow();
    }
}
