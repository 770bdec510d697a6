package dev.leakline.attach;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How far a process of a job that had the probe came, as it noted itself in a file named by its number.
 *
 * @param pid the process
 * @param hasTorch whether it imported PyTorch
 * @param hasDevice whether it used a GPU through PyTorch
 * @param hasEnded whether it ended by itself; one that was killed, or skipped Python's exit handlers, did not
 * @param isCut whether a snapshot that it wrote while memory grew has not all events that were recorded
 * @param shortage why there was no room for whole files of it, empty where there was
 * @param trouble why its files could not be written where they should, empty where they could
 */
public record ProbedProcess(
        int pid,
        boolean hasTorch,
        boolean hasDevice,
        boolean hasEnded,
        boolean isCut,
        String shortage,
        String trouble) {
    /** All that left notes in a folder. */
    static List<ProbedProcess> of(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(ProbedProcess::isNotes)
                    .sorted()
                    .flatMap(file -> read(file).stream())
                    .toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    static boolean isNotes(Path file) {
        return file.getFileName().toString().matches("\\d{1,9}");
    }

    private static Optional<ProbedProcess> read(Path file) {
        try {
            List<String> notes = Files.readAllLines(file);
            return Optional.of(new ProbedProcess(
                    Integer.parseInt(file.getFileName().toString()),
                    notes.contains("torch"),
                    notes.contains("device"),
                    notes.contains("ended"),
                    notes.contains("cut"),
                    reason(notes, "small "),
                    reason(notes, "trouble ")));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** The text behind the word of the first such note, empty where there is none. */
    private static String reason(List<String> notes, String word) {
        return notes.stream()
                .filter(note -> note.startsWith(word))
                .map(note -> note.substring(word.length()))
                .findFirst()
                .orElse("");
    }
}
