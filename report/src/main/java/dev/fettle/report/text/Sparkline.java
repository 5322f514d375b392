package dev.fettle.report.text;

import java.util.List;

/** Figures over time as one line of text: {@code ▁▂▅▇}. */
public final class Sparkline {
    private static final String LEVELS = "▁▂▃▄▅▆▇█";

    private Sparkline() {}

    /** The last {@code width} values, scaled from zero; NaN counts as zero. */
    public static String of(List<Double> values, int width) {
        List<Double> shown = values.subList(Math.max(0, values.size() - Math.max(0, width)), values.size());
        double most = shown.stream().mapToDouble(Sparkline::size).max().orElse(0);
        var out = new StringBuilder();
        for (double v : shown) {
            int level = most == 0 ? 0 : (int) Math.round(size(v) / most * (LEVELS.length() - 1));
            out.append(LEVELS.charAt(level));
        }
        return out.toString();
    }

    private static double size(double v) {
        return Double.isFinite(v) && v > 0 ? v : 0;
    }
}
