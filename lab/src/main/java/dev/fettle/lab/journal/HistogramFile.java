package dev.fettle.lab.journal;

import dev.fettle.lab.machine.LabException;
import dev.fettle.model.text.Format;
import dev.fettle.model.trial.JdkPackages;
import dev.fettle.model.trial.Sighting;
import dev.fettle.watch.heap.HeapHistogram;
import dev.fettle.watch.heap.HeapHistogram.Held;
import dev.fettle.watch.heap.HeapHolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/** Histograms of a heap in a file, and what several of them show. */
public final class HistogramFile {
    private static final int LINES_LOOKED_AT = 50;

    /** A larger file is refused: a histogram of 100,000 classes has ten megabytes. */
    private static final long MOST_BYTES = 256L << 20;

    /** Classes that are reported. */
    private static final int MOST_REPORTED = 20;

    private static final int MOST_OWN = 3;

    private HistogramFile() {}

    /** Whether a file looks like one. */
    public static boolean is(Path file) {
        return TextLines.any(file, LINES_LOOKED_AT, HeapHistogram::isHead);
    }

    /**
     * All that a file holds, in their order.
     *
     * @throws LabException if it can't be read
     */
    public static List<HeapHistogram> read(Path file) throws LabException {
        try {
            if (Files.size(file) > MOST_BYTES) {
                throw new IOException("it has " + Format.bytes(Files.size(file)) + ", at most "
                        + Format.bytes(MOST_BYTES) + " are read");
            }
            try (var in = TextLines.open(file)) {
                return HeapHistogram.read(in);
            }
        } catch (IOException e) {
            throw new LabException(file + ": " + e.getMessage(), e);
        }
    }

    /**
     * Who holds most of the heap of a dump.
     *
     * @return empty if no field does
     * @throws LabException if it can't be read
     */
    public static Optional<HeapHolders.Held> holder(Path file) throws LabException {
        try {
            return HeapHolders.read(file);
        } catch (IOException e) {
            throw new LabException(file + ": " + e.getMessage(), e);
        }
    }

    /**
     * What histograms show: the largest classes of the last one and, of several, those that grew since the first.
     *
     * @param all in the order of time, at least one
     * @param seconds from the first to the last, if that is known
     */
    public static List<Sighting> sightings(List<HeapHistogram> all, OptionalDouble seconds) {
        HeapHistogram first = all.getFirst();
        HeapHistogram last = all.getLast();
        var seen = new ArrayList<Sighting>();
        seen.add(new Sighting(Sighting.HISTOGRAM, Sighting.HISTOGRAM_ALL, last.bytes()));
        List<Map.Entry<String, Held>> grown = all.size() < 2 ? List.of() : grown(first, last);
        // those that grew are reported with what they hold, too
        Stream.concat(
                        last.classes().entrySet().stream()
                                .sorted(Comparator.<Map.Entry<String, Held>>comparingDouble(
                                                c -> -c.getValue().bytes())
                                        .thenComparing(Map.Entry::getKey))
                                .limit(MOST_REPORTED),
                        grown.stream())
                .distinct()
                .sorted(Comparator.comparingDouble(c -> -c.getValue().bytes()))
                .forEach(c -> seen.add(new Sighting(
                        Sighting.HISTOGRAM,
                        c.getKey(),
                        c.getValue().bytes(),
                        Math.round(c.getValue().instances()) + " objects")));
        if (all.size() > 1) {
            seen.add(new Sighting(Sighting.HISTOGRAM_GREW, Sighting.HISTOGRAM_ALL, last.bytes() - first.bytes()));
            seconds.ifPresent(t -> seen.add(new Sighting(Sighting.HISTOGRAM_SECONDS, Sighting.HISTOGRAM_ALL, t)));
            grown.forEach(c -> seen.add(new Sighting(
                    Sighting.HISTOGRAM_GREW,
                    c.getKey(),
                    grew(c, first),
                    Math.round(before(c, first).instances()) + " "
                            + Math.round(c.getValue().instances()))));
        }
        return seen;
    }

    /** Those that grew most, and the program's own of which most objects came: they may hold the others. */
    private static List<Map.Entry<String, Held>> grown(HeapHistogram first, HeapHistogram last) {
        List<Map.Entry<String, Held>> more = last.classes().entrySet().stream()
                .filter(c -> grew(c, first) > 0)
                .sorted(Comparator.<Map.Entry<String, Held>>comparingDouble(c -> -grew(c, first))
                        .thenComparing(Map.Entry::getKey))
                .toList();
        Stream<Map.Entry<String, Held>> own = more.stream()
                .filter(c -> !JdkPackages.have(c.getKey()) && !c.getKey().endsWith("[]"))
                .sorted(Comparator.comparingDouble(
                        c -> before(c, first).instances() - c.getValue().instances()))
                .limit(MOST_OWN);
        return Stream.concat(more.stream().limit(MOST_REPORTED), own)
                .distinct()
                .sorted(Comparator.comparingDouble(c -> -grew(c, first)))
                .toList();
    }

    private static Held before(Map.Entry<String, Held> c, HeapHistogram first) {
        return first.classes().getOrDefault(c.getKey(), new Held(0, 0));
    }

    private static double grew(Map.Entry<String, Held> c, HeapHistogram first) {
        return c.getValue().bytes() - before(c, first).bytes();
    }
}
