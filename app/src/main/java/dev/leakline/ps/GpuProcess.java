package dev.leakline.ps;

import dev.leakline.primitive.Ints;

/**
 * A process that has to do with a GPU.
 *
 * @param pid its number
 * @param parent its parent's number
 * @param group the number of its process group
 * @param session the number of its session
 * @param user its owner's name
 * @param name what it calls itself, at most 15 characters
 * @param command its command line, without line breaks
 * @param deviceFiles how many open files of the NVIDIA driver it has
 * @param devices the GPUs whose files are among them, ascending
 * @param role what it is
 */
public record GpuProcess(
        int pid,
        int parent,
        int group,
        int session,
        String user,
        String name,
        String command,
        int deviceFiles,
        Ints devices,
        Role role) {
    /** Roles of a process with respect to GPU memory. */
    public enum Role {
        /** It holds memory. */
        HOLDER,
        /** A worker of a process that uses the GPU: it has that one's files open, and no memory of its own. */
        WORKER,
        /** A worker whose parent process has ended. What that one held stays while this one lives. */
        SURVIVOR,
        /** It has files of the driver open and holds nothing. */
        IDLE
    }

    GpuProcess as(Role other) {
        return new GpuProcess(pid, parent, group, session, user, name, command, deviceFiles, devices, other);
    }

    /** Returns whether it runs Python. */
    public boolean isPython() {
        return isLoader() || name.startsWith("python") || command.split(" ", 2)[0].contains("python");
    }

    /** Returns whether it calls itself a DataLoader's worker, as PyTorch's do. */
    public boolean isLoader() {
        return name.startsWith("pt_data_worker") || name.startsWith("pt_data_pin");
    }
}
