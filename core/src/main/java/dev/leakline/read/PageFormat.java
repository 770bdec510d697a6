package dev.leakline.read;

import dev.leakline.read.report.ReportFormat;
import dev.leakline.read.snapshot.SnapshotFormat;
import dev.leakline.source.Content;
import dev.leakline.source.Format;
import dev.leakline.source.Head;
import dev.leakline.source.Source;
import java.io.IOException;
import java.util.Locale;

/** HTML pages with something in them: a snapshot in those of torch.cuda._memory_viz, a report in those of Leakline. */
final class PageFormat implements Format {
    private final SnapshotFormat snapshots;
    private final ReportFormat reports;

    PageFormat(SnapshotFormat snapshots, ReportFormat reports) {
        this.snapshots = snapshots;
        this.reports = reports;
    }

    @Override
    public boolean claims(Source source) {
        return source.head().firstInk() == '<';
    }

    /** Returns whether something says that it is HTML. */
    static boolean isPage(Head head) {
        String text = head.text().toLowerCase(Locale.ROOT);
        return head.firstInk() == '<' && (text.contains("<html") || text.contains("<!doctype"));
    }

    @Override
    public Content read(Source source) throws IOException {
        EmbeddedData data = new EmbeddedData(source.stream());
        return data.isReport() ? reports.readPage(data) : snapshots.readPage(data, source);
    }
}
