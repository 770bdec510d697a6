package dev.leakline.lint.server;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.eclipse.lsp4j.CodeActionKind;
import org.eclipse.lsp4j.CodeActionOptions;
import org.eclipse.lsp4j.DidChangeConfigurationParams;
import org.eclipse.lsp4j.DidChangeWatchedFilesParams;
import org.eclipse.lsp4j.InitializeParams;
import org.eclipse.lsp4j.InitializeResult;
import org.eclipse.lsp4j.SaveOptions;
import org.eclipse.lsp4j.ServerCapabilities;
import org.eclipse.lsp4j.ServerInfo;
import org.eclipse.lsp4j.SetTraceParams;
import org.eclipse.lsp4j.TextDocumentSyncKind;
import org.eclipse.lsp4j.TextDocumentSyncOptions;
import org.eclipse.lsp4j.jsonrpc.Launcher;
import org.eclipse.lsp4j.launch.LSPLauncher;
import org.eclipse.lsp4j.services.LanguageClient;
import org.eclipse.lsp4j.services.LanguageServer;
import org.eclipse.lsp4j.services.TextDocumentService;
import org.eclipse.lsp4j.services.WorkspaceService;
import org.jspecify.annotations.Nullable;

/**
 * Speaks the Language Server Protocol over two streams: findings of open documents as diagnostics, their fixes as quick fixes, the reasons
 * of their rules on hover.
 */
public final class LintServer implements LanguageServer, WorkspaceService {
    private final String version;
    private final OpenDocuments documents;
    private final CompletableFuture<Integer> exit = new CompletableFuture<>();
    private boolean isShutDown;

    private LintServer(String version, OpenDocuments documents) {
        this.version = version;
        this.documents = documents;
    }

    /** Serves until the client says exit or closes the stream. Returns the exit code that the protocol asks for. */
    public static int serve(InputStream in, OutputStream out, String version) {
        try (OpenDocuments documents = new OpenDocuments()) {
            LintServer server = new LintServer(version, documents);
            Launcher<LanguageClient> launcher = LSPLauncher.createServerLauncher(server, new FramedInput(in), out);
            documents.connect(launcher.getRemoteProxy());
            CompletableFuture<@Nullable Void> closed = new CompletableFuture<>();
            Thread listener = new Thread(
                    () -> {
                        try {
                            launcher.startListening().get();
                        } catch (InterruptedException | ExecutionException e) {
                            // the stream is gone, and with it the client
                        } finally {
                            closed.complete(null);
                        }
                    },
                    "lint-server");
            listener.setDaemon(true);
            listener.start();
            CompletableFuture.anyOf(closed, server.exit).join();
            return server.exit.getNow(1);
        }
    }

    @Override
    public CompletableFuture<InitializeResult> initialize(InitializeParams params) {
        Integer client = params.getProcessId();
        if (client != null) {
            ProcessHandle.of(client).ifPresent(process -> {
                var _ = process.onExit().thenRun(() -> exit.complete(1));
            });
        }
        TextDocumentSyncOptions sync = new TextDocumentSyncOptions();
        sync.setOpenClose(true);
        sync.setChange(TextDocumentSyncKind.Full);
        sync.setSave(new SaveOptions(true));
        ServerCapabilities capabilities = new ServerCapabilities();
        capabilities.setTextDocumentSync(sync);
        capabilities.setCodeActionProvider(new CodeActionOptions(List.of(CodeActionKind.QuickFix)));
        capabilities.setHoverProvider(true);
        return CompletableFuture.completedFuture(
                new InitializeResult(capabilities, new ServerInfo("leakline", version)));
    }

    @Override
    public CompletableFuture<Object> shutdown() {
        isShutDown = true;
        return CompletableFuture.completedFuture(new Object());
    }

    @Override
    public void exit() {
        exit.complete(isShutDown ? 0 : 1);
    }

    @Override
    public TextDocumentService getTextDocumentService() {
        return documents;
    }

    @Override
    public WorkspaceService getWorkspaceService() {
        return this;
    }

    /** Nothing is traced. */
    @Override
    public void setTrace(SetTraceParams params) {}

    /** The configuration is that of pyproject.toml, read with each document. */
    @Override
    public void didChangeConfiguration(DidChangeConfigurationParams params) {}

    /** Only open documents are judged. */
    @Override
    public void didChangeWatchedFiles(DidChangeWatchedFilesParams params) {}
}
