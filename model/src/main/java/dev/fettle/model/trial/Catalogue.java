package dev.fettle.model.trial;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fettle.model.trial.Signal.Group;
import dev.fettle.model.trial.Signal.Thin;
import dev.fettle.model.trial.Signal.Unit;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** The signals that have a fixed name: the lines of {@code signals.txt}, whose head explains the columns. */
final class Catalogue {
    private Catalogue() {}

    /** All of them by id, in their order. */
    static Map<String, Signal> read() {
        try (InputStream in = Catalogue.class.getResourceAsStream("signals.txt")) {
            if (in == null) {
                throw new IllegalStateException("signals.txt is missing from the class path");
            }
            var all = new LinkedHashMap<String, Signal>();
            new String(in.readAllBytes(), UTF_8)
                    .lines()
                    .filter(l -> !l.startsWith("#"))
                    .map(Catalogue::signal)
                    .forEach(s -> all.put(s.id(), s));
            return all;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Signal signal(String line) {
        String[] c = line.split("\\|");
        Arrays.setAll(c, i -> c[i].strip());
        boolean counter = c[4].equals("RATE") || c[4].equals("GROWTH");
        Thin thin = switch (c[4]) {
            case "RATE" -> Thin.MEAN;
            case "GROWTH" -> Thin.SUM;
            default -> Thin.valueOf(c[4]);
        };
        return new Signal(c[0], c[1], Unit.valueOf(c[2]), Group.valueOf(c[3]), thin, counter, c[5]);
    }
}
