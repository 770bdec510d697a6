import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.TreeSet;
import org.eclipse.packager.rpm.RpmTag;
import org.eclipse.packager.rpm.build.BuilderContext;
import org.eclipse.packager.rpm.build.RpmBuilder;
import org.eclipse.packager.rpm.build.RpmBuilder.PackageInformation;
import org.eclipse.packager.rpm.build.SimpleFileInformationCustomizer;
import org.eclipse.packager.rpm.deps.RpmDependencyFlags;

/** The image as an .rpm; folders of its own are listed, as only those are removed with it. */
final class RpmPackage {
    private final String version;
    private final Instant time;

    RpmPackage(String version, Instant time) {
        this.version = version;
        this.time = time;
    }

    void write(FileTree image, FileTree manual, FileTree completions, FileTree papers, Path packages)
            throws IOException {
        FileTree tree = SystemFiles.of(image, manual, completions).plus(papers.in("usr/share/licenses/leakline"));
        try (RpmBuilder rpm = new RpmBuilder("leakline", version, "1", Release.architecture(), packages)) {
            rpm.setInformation(information());
            rpm.setHeaderCustomizer(header -> header.putInt(RpmTag.BUILDTIME, (int) time.getEpochSecond()));
            rpm.addRequirement("libc.so.6(GLIBC_2.17)(64bit)", "", new RpmDependencyFlags[0]);
            add(tree, rpm.newContext());
            rpm.build();
        }
    }

    private static PackageInformation information() {
        PackageInformation information = new PackageInformation();
        information.setSummary("Finds the line of code that leaks GPU memory in PyTorch jobs");
        information.setDescription(
                "Reads memory snapshots, profiler traces, logs and messages, and says what\n"
                        + "leaks or fills GPU memory, at which line, and what to change. It brings the\npart of Java that it needs.");
        information.setLicense("Apache-2.0");
        information.setGroup("Development/Tools");
        information.setBuildHost("localhost");
        return information;
    }

    private void add(FileTree tree, BuilderContext context) throws IOException {
        TreeSet<String> folders = new TreeSet<>();
        for (Map.Entry<String, FileTree.Entry> file : tree.entries().entrySet()) {
            String name = "/" + file.getKey();
            int own = name.indexOf("/leakline/");
            for (int slash = own < 0 ? -1 : name.indexOf('/', own + 1);
                    slash >= 0;
                    slash = name.indexOf('/', slash + 1)) {
                folders.add(name.substring(0, slash));
            }
            FileTree.Entry entry = file.getValue();
            if (entry.isLink()) {
                context.addSymbolicLink(name, entry.link(), rootOwns(0777));
            } else {
                context.addFile(name, entry.content(), rootOwns(entry.mode()));
            }
        }
        for (String folder : folders) {
            context.addDirectory(folder, rootOwns(0755));
        }
    }

    private SimpleFileInformationCustomizer rootOwns(int mode) {
        return information -> {
            information.setTimestamp(time);
            information.setMode((short) mode);
            information.setUser("root");
            information.setGroup("root");
        };
    }
}
