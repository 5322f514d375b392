package dev.fettle.bench.documents;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fettle.insight.stats.Interval;
import dev.fettle.insight.trials.RatioWords;
import dev.fettle.insight.words.FigureText;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;

/** Figures and names as the pages print them. */
final class Figures {
    /** With two trials an interval is wider than the figure. */
    private static final int ENOUGH = 3;

    private Figures() {}

    static String rate(double perSecond) {
        return Format.number(perSecond);
    }

    static String millis(double millis) {
        return Format.seconds(millis / 1000);
    }

    /** The estimate, and the interval in brackets where there are trials enough for one. */
    static String rate(JsonNode estimate, int trials) {
        if (trials == 0 || !estimate.has("estimate")) {
            return "–";
        }
        String text = rate(estimate.get("estimate").asDouble());
        return hasInterval(estimate, trials)
                ? text + " [" + rate(estimate.get("low").asDouble()) + ", "
                        + rate(estimate.get("high").asDouble()) + "]"
                : text;
    }

    /** Whether its interval is shown. */
    static boolean hasInterval(JsonNode estimate, int trials) {
        return trials >= ENOUGH && estimate.has("low");
    }

    /**
     * A contrast's ratio as a change in per cent: {@code +12 % [3, 21]}; where the interval tells nothing, that of each pair:
     * {@code +12 % (4.1, 20.3)}.
     */
    static String change(JsonNode contrast) {
        JsonNode ratio = contrast.path("ratio");
        double estimate = ratio.path("estimate").asDouble();
        String text = percent(estimate, true) + " %";
        if (!ratio.has("low") || !ratio.has("high")) {
            return text;
        }
        double low = ratio.get("low").asDouble();
        double high = ratio.get("high").asDouble();
        if (RatioWords.tells(
                new Interval(estimate, low, high, ratio.path("level").asDouble()))) {
            return text + " [" + percent(low, false) + ", " + percent(high, false) + "]";
        }
        var each = new StringJoiner(", ", " (", ")");
        contrast.path("pairRatios").forEach(r -> each.add(percent(r.asDouble(), false)));
        return text + (contrast.path("pairRatios").isEmpty() ? "" : each);
    }

    /** When a variant was back to normal after the spike: {@code 8.00 s}, {@code 8.00 s in 3 of 5}, {@code not within 12.0 s}. */
    static String recovery(JsonNode spike, JsonNode conclusion) {
        if (!spike.hasNonNull("recoverySeconds")) {
            return "not within "
                    + Format.seconds(
                            conclusion.path("spike").path("watchedSeconds").asDouble());
        }
        int recovered = spike.path("recovered").asInt();
        int trials = spike.path("trials").asInt();
        return recovered(Blocks.value(spike.get("recoverySeconds")))
                + (recovered < trials ? " in " + recovered + " of " + trials : "");
    }

    /** The same with its interval, where there are trials enough: {@code 8.00 s [7.20 s, 8.80 s]}. */
    static String recoveryWithInterval(JsonNode spike, JsonNode conclusion) {
        JsonNode seconds = spike.path("recoverySeconds");
        return recovery(spike, conclusion)
                + (spike.path("recovered").asInt() >= ENOUGH && seconds.has("low")
                        ? " [" + recovered(seconds.get("low").asDouble()) + ", "
                                + recovered(seconds.get("high").asDouble()) + "]"
                        : "");
    }

    /** A time in seconds, no finer than the windows in which it was seen. */
    private static String recovered(double seconds) {
        return Format.seconds(Math.round(seconds * 10) / 10.0);
    }

    /** The least difference that every contrast of a comparison would show, in Fettle's words. */
    static String least(JsonNode conclusion) {
        double most = 0;
        int pairs = 0;
        for (JsonNode condition : conclusion.path("conditions")) {
            for (JsonNode x : condition.path("contrasts")) {
                if (x.path("leastShownRatio").asDouble() > most) {
                    most = x.path("leastShownRatio").asDouble();
                    pairs = x.path("pairs").asInt();
                }
            }
        }
        return FigureText.leastShown(
                most > 0 ? OptionalFigure.of(most) : OptionalFigure.empty(), "a difference", pairs, "block");
    }

    /** How much of the server's CPUs the valid trials used, the least and the most: {@code 96 % to 106 %}. */
    static String cpu(JsonNode trials) {
        double least = Double.MAX_VALUE;
        double most = -1;
        for (JsonNode t : trials) {
            if (t.path("valid").asBoolean() && t.has("serverCpu")) {
                double share =
                        t.get("serverCpu").asDouble() / t.path("serverCpus").asInt(1);
                least = Math.min(least, share);
                most = Math.max(most, share);
            }
        }
        return most < 0 ? "no valid trial" : Format.share(least) + " to " + Format.share(most);
    }

    private static String percent(double ratio, boolean signed) {
        return signed ? Format.change(ratio, ratio) : Format.gain(ratio, ratio);
    }

    /** A point of a grid: {@code load.connections=100, threads.max=200}; empty for none. */
    static String point(JsonNode point) {
        var text = new StringJoiner(", ");
        point.properties().forEach(e -> text.add(e.getKey() + "=" + e.getValue().asText()));
        return text.toString();
    }

    static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }

    static List<String> names(JsonNode array) {
        var all = new ArrayList<String>();
        array.forEach(n -> all.add(n.asText()));
        return all;
    }

    /** Text as it may stand in a cell of a table. */
    static String cell(String text) {
        return text.replace("|", "\\|").replace("\n", " ");
    }
}
