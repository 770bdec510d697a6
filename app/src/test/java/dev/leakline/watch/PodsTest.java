package dev.leakline.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leakline.watch.Pods.Pod;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PodsTest {
    private static final String CONTAINER = "0123456789abcdef".repeat(4);
    private static final String UID = "0b1c2d3e-4f50-6172-8394-a5b6c7d8e9f0";

    @TempDir
    private Path folder;

    private Pod pod(String cgroup) throws Exception {
        Files.writeString(Files.createDirectories(folder.resolve("proc/7")).resolve("cgroup"), cgroup);
        return new Pods(folder.resolve("proc"), folder.resolve("logs")).of(7, 1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0::/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-podUNDER.slice/cri-containerd-NUMBER.scope\n",
                "0::/kubepods/besteffort/podUID/NUMBER\n",
                "12:memory:/kubepods.slice/kubepods-podUNDER.slice/docker-NUMBER.scope/child\n1:name=systemd:/\n",
                "0::/../../kubelet.slice/kubelet-kubepods.slice/kubelet-kubepods-podUNDER.slice/crio-NUMBER.scope\n"
            })
    void controlGroupsOfAllDriversNameThePod(String group) throws Exception {
        Files.createFile(Files.createDirectories(folder.resolve("logs"))
                .resolve("llama-0_ml-team_server-" + CONTAINER + ".log"));
        assertThat(pod(group.replace("UNDER", UID.replace('-', '_'))
                        .replace("UID", UID)
                        .replace("NUMBER", CONTAINER)))
                .isEqualTo(new Pod(UID, CONTAINER, "ml-team", "llama-0", "server"));
    }

    @Test
    void aStaticPodHasADigestAndWithoutLogsThereAreNumbersAlone() throws Exception {
        String digest = UID.replace("-", "");
        assertThat(pod("0::/kubepods/pod" + digest + "/" + CONTAINER)).isEqualTo(new Pod(UID, CONTAINER, "", "", ""));
    }

    @Test
    void otherProcessesAreInNone() throws Exception {
        assertThat(pod("0::/user.slice/user-1000.slice/session-2.scope\n")).isNull();
        assertThat(pod("0::/system.slice/docker-" + CONTAINER + ".scope\n")).isNull();
    }
}
