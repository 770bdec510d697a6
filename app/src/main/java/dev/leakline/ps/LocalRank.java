package dev.leakline.ps;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The GPUs that a process was started for, from the variables that launchers set.
 *
 * @param rank its number among the processes of its job on this machine, -1 where it is not said
 * @param size how many processes of its job there are on this machine, 0 where it is not said
 * @param visible the GPUs that CUDA may see, as numbers or identities, in its order; null for all
 * @param isByBus whether CUDA counts GPUs as the driver does, by their place on the bus
 */
record LocalRank(int rank, int size, @Nullable List<String> visible, boolean isByBus) {
    /** By torchrun and its kin, Open MPI, Intel's MPI and MPICH; the rank and the size. */
    private static final List<List<String>> NAMES = List.of(
            List.of("LOCAL_RANK", "LOCAL_WORLD_SIZE"),
            List.of("OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE"),
            List.of("MPI_LOCALRANKID", "MPI_LOCALNRANKS"));

    static LocalRank of(Map<String, String> variables) {
        String visible = variables.get("CUDA_VISIBLE_DEVICES");
        List<String> names = NAMES.stream()
                .filter(pair -> variables.containsKey(pair.getFirst()))
                .findFirst()
                .orElse(NAMES.getFirst());
        return new LocalRank(
                number(variables.get(names.getFirst()), -1),
                number(variables.get(names.getLast()), 0),
                visible == null ? null : List.of(visible.split(" *, *", -1)),
                "PCI_BUS_ID".equals(variables.get("CUDA_DEVICE_ORDER")));
    }

    private static int number(@Nullable String text, int otherwise) {
        return text != null && text.matches("\\d{1,4}") ? Integer.parseInt(text) : otherwise;
    }
}
