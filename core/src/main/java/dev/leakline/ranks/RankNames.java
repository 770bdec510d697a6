package dev.leakline.ranks;

import dev.leakline.ranks.PathNumber.Meaning;
import dev.leakline.ranks.PathNumber.Place;
import dev.leakline.text.NaturalOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The ranks that files are of, by their paths. Trainers name files in many ways; what they have in common is a number that tells the
 * files of one moment apart. A word before it says so ({@code rank3}); without one it is the number that is different in all files and comes
 * nearest to counting them. Where files of several machines have the same numbers, these are ranks within the machine, and ranks of the
 * job are counted machine by machine. Where no number tells files apart, they are counted in the order of their names.
 */
public final class RankNames {
    /**
     * The process that a file is of.
     *
     * @param rank the number that tells it apart in its job
     * @param host the folder of its machine, empty where none is named
     * @param file the path from the folder that all files have in common
     */
    record RankName(int rank, String host, String file) {}

    /** A file whose path is being read. */
    private record Named(String file, List<PathNumber> numbers) {
        @Nullable
        Long at(Place place) {
            return numbers.stream()
                    .filter(number -> number.place().equals(place))
                    .map(PathNumber::value)
                    .findFirst()
                    .orElse(null);
        }

        /** How far the job had come, where the number at {@code rank} tells ranks apart. */
        List<Long> iterations(@Nullable Place rank) {
            return values(number -> number.isIteration(rank));
        }

        /** The same, and when it was written. */
        List<Long> moment(@Nullable Place rank) {
            return values(number -> number.isIteration(rank) || number.meaning() == Meaning.TIME);
        }

        private List<Long> values(Predicate<PathNumber> isWanted) {
            return numbers.stream().filter(isWanted).map(PathNumber::value).toList();
        }
    }

    /** Some jobs dump one rank in eight, as dumps are slow; numbers with more gaps than that leaves are times or process ids. */
    private static final int FEWEST_DUMPED = 16;

    /** Numbers that may be ranks where no word says which is. */
    private static final Set<Meaning> CANDIDATES = Set.of(Meaning.UNKNOWN, Meaning.HOST, Meaning.FOLDER_OF_FILES);

    private final List<Named> files;
    private final @Nullable Place place;

    private RankNames(List<String> paths) {
        String common = commonFolder(paths);
        this.files = paths.stream()
                .map(path -> path.substring(common.length()))
                .map(file -> new Named(file, PathNumber.of(file)))
                .toList();
        this.place = choose();
    }

    /** The ranks of files, in their order; paths have slashes. */
    static List<RankName> of(List<String> paths) {
        return new RankNames(paths).names();
    }

    /** The folder of a job, by the path of one of its files alone: what stands above folders with numbers of ranks, machines and iterations. */
    public static String jobFolder(String path) {
        int end = path.lastIndexOf('/');
        while (end > 0 && isOfRank(path, path.lastIndexOf('/', end - 1) + 1, end)) {
            end = path.lastIndexOf('/', end - 1);
        }
        return path.substring(0, Math.max(end, 0));
    }

    private static boolean isOfRank(String path, int from, int to) {
        return meanings(path.substring(from, to) + "/").anyMatch(meaning -> meaning != Meaning.UNKNOWN);
    }

    /** Meanings of the numbers in a name; with a separator before it, its first word is taken whole. */
    private static Stream<Meaning> meanings(String name) {
        return PathNumber.of("_" + name).stream().map(PathNumber::meaning);
    }

    /** The machine that a path names, such as {@code node3}: a folder, or a word of the file's name; null where it names none. */
    public static @Nullable String host(String path) {
        int file = path.lastIndexOf('/') + 1;
        Stream<String> folders = Stream.of(path.substring(0, file).split("/"));
        Stream<String> words = Stream.of(path.substring(file).split("[_.]"));
        return Stream.concat(folders, words)
                .filter(name -> meanings(name).anyMatch(meaning -> meaning == Meaning.HOST))
                .findFirst()
                .orElse(null);
    }

    /** Which of two files of one rank is the later, by their names alone. */
    static Comparator<String> byIteration() {
        return Comparator.comparing(
                        (String file) -> new Named(file, PathNumber.of(file)).moment(null), RankNames::order)
                .thenComparing(NaturalOrder.NAMES);
    }

    private static int order(List<Long> one, List<Long> other) {
        for (int i = 0; i < Math.min(one.size(), other.size()); i++) {
            int order = Long.compare(one.get(i), other.get(i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(one.size(), other.size());
    }

    private static String commonFolder(List<String> paths) {
        String common = paths.isEmpty() ? "" : paths.getFirst();
        for (String path : paths) {
            int end = 0;
            while (end < Math.min(common.length(), path.length()) && common.charAt(end) == path.charAt(end)) {
                end++;
            }
            common = common.substring(0, end);
        }
        return common.substring(0, common.lastIndexOf('/') + 1);
    }

    /** The place of the number that tells ranks apart; null where there is none. */
    private @Nullable Place choose() {
        Map<Place, Meaning> places = new LinkedHashMap<>();
        files.forEach(file -> file.numbers.forEach(number -> places.put(number.place(), number.meaning())));
        places.keySet().removeIf(each -> files.stream().anyMatch(file -> file.at(each) == null));
        for (Meaning meaning : List.of(Meaning.RANK, Meaning.LOCAL_RANK)) {
            Place best = places.keySet().stream()
                    .filter(each -> places.get(each) == meaning)
                    .max(Comparator.comparingInt(this::distinct)
                            .thenComparing(
                                    Comparator.comparingInt(Place::partFromEnd).reversed()))
                    .orElse(null);
            if (best != null) {
                return best;
            }
        }
        return places.keySet().stream()
                .filter(each -> CANDIDATES.contains(places.get(each)))
                .filter(each ->
                        files.size() > 1 && tellsApart(each) && gaps(each) <= (long) FEWEST_DUMPED * files.size())
                .min(Comparator.comparingLong(this::gaps)
                        .thenComparingInt(Place::partFromEnd)
                        .thenComparing(Comparator.comparingInt(Place::ordinal).reversed()))
                .orElse(null);
    }

    private int distinct(Place at) {
        return (int) files.stream().map(file -> file.at(at)).distinct().count();
    }

    /** Returns whether no two files of one iteration have the same number. */
    private boolean tellsApart(Place at) {
        Set<List<Long>> seen = new HashSet<>();
        return files.stream().allMatch(file -> {
            List<Long> key = new ArrayList<>(file.moment(at));
            Long value = file.at(at);
            key.add(value == null ? -1 : value);
            return seen.add(key);
        });
    }

    /** The numbers from 0 to the largest that no file has: none where they count files, many where they are times or process ids. */
    private long gaps(Place at) {
        long most = files.stream()
                .map(file -> file.at(at))
                .mapToLong(value -> value == null ? 0 : value)
                .max()
                .orElse(0);
        return most + 1 - distinct(at);
    }

    private List<RankName> names() {
        List<String> hosts = files.stream().map(this::host).toList();
        List<Integer> numbers = place == null ? byOrder() : numbers(place);
        if (areLocal(numbers, hosts)) {
            numbers = counted(numbers, hosts);
        }
        List<RankName> names = new ArrayList<>();
        for (int i = 0; i < files.size(); i++) {
            names.add(new RankName(numbers.get(i), hosts.get(i), files.get(i).file));
        }
        return names;
    }

    private List<Integer> numbers(Place at) {
        return files.stream()
                .map(file -> file.at(at))
                .map(value -> value == null ? 0 : (int) Math.min(value, Integer.MAX_VALUE))
                .toList();
    }

    /** Files without a number that tells them apart: those of one name but for how far the job had come are of one rank. */
    private List<Integer> byOrder() {
        Set<String> names = new TreeSet<>(NaturalOrder.NAMES);
        files.forEach(file -> names.add(withoutIterations(file.file)));
        List<String> ordered = List.copyOf(names);
        return files.stream()
                .map(file -> ordered.indexOf(withoutIterations(file.file)))
                .toList();
    }

    private static String withoutIterations(String file) {
        List<String> parts = new ArrayList<>();
        for (String part : file.split("/", -1)) {
            boolean isIteration = PathNumber.of(part).stream()
                    .anyMatch(number -> number.meaning() == Meaning.ITERATION || number.meaning() == Meaning.TIME);
            parts.add(isIteration ? part.replaceAll("\\d+", "#") : part);
        }
        return String.join("/", parts);
    }

    /** The folders of a file that are neither of an iteration nor of a rank, as far as they differ among files. */
    private String host(Named file) {
        String[] parts = file.file.split("/", -1);
        List<String> folders = new ArrayList<>();
        for (int part = 0; part < parts.length - 1; part++) {
            int fromEnd = parts.length - 1 - part;
            boolean isOther = file.numbers.stream()
                    .filter(number -> number.place().partFromEnd() == fromEnd)
                    .anyMatch(number -> number.isIteration(place)
                            || number.meaning() == Meaning.TIME
                            || number.meaning() == Meaning.RANK
                            || number.place().equals(place));
            if (!isOther) {
                folders.add(parts[part]);
            }
        }
        return String.join("/", folders);
    }

    /** Returns whether different machines have the same numbers at the same time. */
    private boolean areLocal(List<Integer> numbers, List<String> hosts) {
        Map<List<Object>, String> seen = new HashMap<>();
        for (int i = 0; i < files.size(); i++) {
            String other = seen.put(List.of(files.get(i).iterations(place), numbers.get(i)), hosts.get(i));
            if (other != null && !other.equals(hosts.get(i))) {
                return true;
            }
        }
        return false;
    }

    /** Ranks counted machine by machine: each has as many as the largest of them. */
    private static List<Integer> counted(List<Integer> local, List<String> hosts) {
        int size = local.stream().mapToInt(Integer::intValue).max().orElse(0) + 1;
        Map<String, Integer> order = new TreeMap<>(NaturalOrder.NAMES);
        hosts.forEach(host -> order.put(host, 0));
        int next = 0;
        for (Map.Entry<String, Integer> host : order.entrySet()) {
            host.setValue(next++);
        }
        List<Integer> ranks = new ArrayList<>();
        for (int i = 0; i < local.size(); i++) {
            ranks.add(order.getOrDefault(hosts.get(i), 0) * size + local.get(i));
        }
        return ranks;
    }
}
