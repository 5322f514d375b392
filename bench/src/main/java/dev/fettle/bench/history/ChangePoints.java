package dev.fettle.bench.history;

import dev.fettle.insight.history.ChangePoint;
import dev.fettle.insight.history.EDivisive;
import dev.fettle.insight.history.Levels;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * Searches series for change points at Otava's levels. Reads a series a line from the standard input, numbers with a blank between: window,
 * level, least magnitude, and the figures. Prints the indexes of the points found, a line each.
 */
public final class ChangePoints {
    private static final int HEAD = 3;

    private ChangePoints() {}

    /** Reads until the input ends. */
    public static void main(String... args) throws IOException {
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            double[] all = Arrays.stream(line.strip().split(" ", -1))
                    .mapToDouble(Double::parseDouble)
                    .toArray();
            double least = all[2];
            System.out.println(EDivisive.of(
                            Arrays.copyOfRange(all, HEAD, all.length),
                            Levels.otava((int) all[0], all[1]),
                            p -> p.magnitude() > least)
                    .stream()
                    .map(ChangePoint::index)
                    .map(String::valueOf)
                    .collect(Collectors.joining(" ")));
        }
    }
}
