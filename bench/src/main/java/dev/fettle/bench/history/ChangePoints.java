package dev.fettle.bench.history;

import dev.fettle.insight.history.ChangePoint;
import dev.fettle.insight.history.EDivisive;
import dev.fettle.insight.history.FrozenChanges;
import dev.fettle.insight.history.History;
import dev.fettle.insight.history.Levels;
import dev.fettle.model.plan.GateMetric;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Searches series for change points at Otava's levels. Reads a series a line from the standard input, numbers with a blank between: window,
 * level, least magnitude, and the figures. Prints the indexes of the points found, a line each. With {@code --own} as {@code fettle history} does:
 * run by run, at its own levels.
 */
public final class ChangePoints {
    private static final int HEAD = 3;

    private ChangePoints() {}

    /** Reads until the input ends. */
    public static void main(String... args) throws IOException {
        boolean own = List.of(args).contains("--own");
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            double[] all = Arrays.stream(line.strip().split(" ", -1))
                    .mapToDouble(Double::parseDouble)
                    .toArray();
            double[] series = Arrays.copyOfRange(all, HEAD, all.length);
            double least = all[2];
            Stream<ChangePoint> found = own
                    ? FrozenChanges.of(series, Levels.usual(), History.large(GateMetric.CPU, History.usualLeast()))
                            .stream()
                            .map(FrozenChanges.Frozen::point)
                    : EDivisive.of(series, Levels.otava((int) all[0], all[1]), p -> p.magnitude() > least).stream();
            System.out.println(found.map(p -> String.valueOf(p.index())).collect(Collectors.joining(" ")));
        }
    }
}
