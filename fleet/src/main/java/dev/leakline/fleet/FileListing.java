package dev.leakline.fleet;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

/** Lists what is to be read: all files of folders or buckets and beneath them, but hidden ones and those of the tables. */
final class FileListing {
    private static final long MICROS_PER_MILLI = 1000;

    private final Configuration hadoop;
    private final PathLabels labels;
    private final Path tables;

    FileListing(Configuration hadoop, PathLabels labels, Path tables) {
        this.hadoop = hadoop;
        this.labels = labels;
        this.tables = tables;
    }

    /** The files that are not known yet. */
    List<FleetFile> files(List<String> inputs, Set<FleetFile.Key> known) throws IOException {
        List<FleetFile> files = new ArrayList<>();
        for (String input : inputs) {
            add(new Path(input), known, files);
        }
        return files.stream().distinct().toList();
    }

    private void add(Path given, Set<FleetFile.Key> known, List<FleetFile> files) throws IOException {
        FileSystem system = given.getFileSystem(hadoop);
        Path input = system.makeQualified(given);
        String tablesPath = tables.getFileSystem(hadoop).makeQualified(tables) + "/";
        for (RemoteIterator<LocatedFileStatus> listed = system.listFiles(input, true); listed.hasNext(); ) {
            LocatedFileStatus status = listed.next();
            String uri = status.getPath().toString();
            if (!isHidden(uri.substring(input.toString().length())) && !uri.startsWith(tablesPath)) {
                String path = shown(status.getPath());
                FleetFile file = new FleetFile(
                        uri,
                        path,
                        status.getLen(),
                        status.getModificationTime() * MICROS_PER_MILLI,
                        labels.of(shown(input), path));
                if (!known.contains(file.key())) {
                    files.add(file);
                }
            }
        }
    }

    private static boolean isHidden(String path) {
        return path.contains("/.") || path.contains("/_");
    }

    /** A path as people write it: of this machine's files without a scheme. */
    private static String shown(Path path) {
        URI uri = path.toUri();
        return "file".equals(uri.getScheme()) ? uri.getPath() : path.toString();
    }
}
