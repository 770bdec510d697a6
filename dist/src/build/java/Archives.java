import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.HexFormat;
import java.util.TreeSet;
import java.util.zip.Deflater;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.apache.commons.compress.compressors.gzip.GzipCompressorOutputStream;
import org.apache.commons.compress.compressors.gzip.GzipParameters;

/** Tar files that say nothing of who made them where: all files are root's and have one time. */
final class Archives {
    private Archives() {}

    static void tar(FileTree tree, String prefix, Instant time, OutputStream out) throws IOException {
        TarArchiveOutputStream tar = new TarArchiveOutputStream(out, "UTF-8");
        tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
        TreeSet<String> folders = new TreeSet<>();
        for (var file : tree.entries().entrySet()) {
            String name = prefix + file.getKey();
            for (int slash = name.indexOf('/'); slash >= 0; slash = name.indexOf('/', slash + 1)) {
                String folder = name.substring(0, slash + 1);
                if (folders.add(folder)) {
                    put(tar, new TarArchiveEntry(folder), 0755, new byte[0], time);
                }
            }
            FileTree.Entry entry = file.getValue();
            TarArchiveEntry header =
                    entry.isLink() ? new TarArchiveEntry(name, TarConstants.LF_SYMLINK) : new TarArchiveEntry(name);
            header.setLinkName(entry.link());
            put(tar, header, entry.mode(), entry.content(), time);
        }
        tar.finish();
        tar.flush();
    }

    private static void put(TarArchiveOutputStream tar, TarArchiveEntry entry, int mode, byte[] content, Instant time)
            throws IOException {
        boolean isTemporary = entry.getName().equals("tmp/");
        entry.setMode((entry.getMode() & ~07777) | (isTemporary ? 01777 : mode));
        entry.setIds(0, 0);
        entry.setNames("root", "root");
        entry.setModTime(time.toEpochMilli());
        entry.setSize(content.length);
        tar.putArchiveEntry(entry);
        tar.write(content);
        tar.closeArchiveEntry();
    }

    static byte[] gzip(byte[] content) throws IOException {
        GzipParameters parameters = new GzipParameters();
        parameters.setCompressionLevel(Deflater.BEST_COMPRESSION);
        parameters.setOperatingSystem(255); // unknown
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = new GzipCompressorOutputStream(bytes, parameters)) {
            out.write(content);
        }
        return bytes.toByteArray();
    }

    static byte[] tarred(FileTree tree, String prefix, Instant time) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        tar(tree, prefix, time, bytes);
        return bytes.toByteArray();
    }

    static String sha256(byte[] content) throws GeneralSecurityException {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    }
}
