package dev.fettle.cli.option;

import dev.fettle.load.api.Arrivals.Stage;
import dev.fettle.model.text.Units;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The text of {@code --stages}: {@code RATE[..RATE]:TIME[:burst=N]}, joined by commas. {@code 100/s:10s, 100/s..2000/s:1m,
 * 500/s:10s:burst=50} is ten seconds at 100 a second, a minute in which it rises to 2,000, and ten seconds in which 50
 * requests arrive at once ten times a second.
 *
 * @param all in order, one of them with a rate above 0
 */
public record StagesText(List<Stage> all) {
    private static final String FORM = "RATE[..RATE]:TIME[:burst=N], as in 100/s:10s, 100/s..2000/s:1m";
    private static final Duration LONGEST = Duration.ofDays(7);
    private static final int LARGEST_BURST = 1_000_000;

    /**
     * Parses it.
     *
     * @throws IllegalArgumentException if it can't be read; the message says which stage, and what would be right
     */
    public static StagesText parse(String text) {
        var stages = new ArrayList<Stage>();
        String[] parts = text.split(",", -1);
        for (int i = 0; i < parts.length; i++) {
            try {
                stages.add(stage(parts[i].strip()));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("stage " + (i + 1) + ": " + e.getMessage(), e);
            }
        }
        if (stages.stream().allMatch(s -> s.from() == 0 && s.to() == 0)) {
            throw new IllegalArgumentException("no stage has a rate above 0, so nothing would be sent");
        }
        return new StagesText(List.copyOf(stages));
    }

    private static Stage stage(String text) {
        String[] parts = text.split(":", -1);
        if (text.isEmpty() || parts.length < 2 || parts.length > 3) {
            throw new IllegalArgumentException("'%s' is not of the form %s".formatted(text, FORM));
        }
        String[] rates = parts[0].strip().split("\\.\\.", -1);
        if (rates.length > 2) {
            throw new IllegalArgumentException("'%s' is not RATE or RATE..RATE".formatted(parts[0]));
        }
        double from = rate(rates[0].strip());
        double to = rates.length == 1 ? from : rate(rates[1].strip());
        Duration length = Units.duration(parts[1]);
        if (length.isZero() || length.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("a stage is over 0 and at most 7 days long, not " + parts[1].strip());
        }
        return new Stage(from, to, length, parts.length == 3 ? burst(parts[2].strip()) : 1);
    }

    /** A stage may be silent, and a ramp may begin at 0. */
    private static double rate(String text) {
        return text.matches("0+(/s)?") ? 0 : Units.rate(text);
    }

    private static int burst(String text) {
        if (!text.matches("burst=[0-9]{1,7}")) {
            throw new IllegalArgumentException("'%s' is not burst=N".formatted(text));
        }
        int size = Integer.parseInt(text.substring("burst=".length()));
        if (size < 1 || size > LARGEST_BURST) {
            throw new IllegalArgumentException("a burst is of 1 to 1000000 requests, not " + size);
        }
        return size;
    }
}
