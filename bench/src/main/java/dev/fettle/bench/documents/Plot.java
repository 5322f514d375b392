package dev.fettle.bench.documents;

import java.util.List;

/** Pictures of a few figures with their intervals, as SVG: bars from zero, one group after the other. */
final class Plot {
    private static final int WIDTH = 720;
    private static final int LEFT = 190;
    private static final int RIGHT = 150;
    private static final int ROW = 24;
    private static final List<String> COLOURS =
            List.of("#2563eb", "#ea580c", "#059669", "#7c3aed", "#64748b", "#be123c");

    /**
     * A bar.
     *
     * @param group a heading above the first bar of a group; may be empty
     * @param low lower end of the interval; the value itself if there is none
     * @param words what stands behind it
     * @param colour number of a colour, from 0
     */
    record Bar(String group, String name, double value, double low, double high, String words, int colour) {
        /** One without an interval. */
        static Bar of(String group, String name, double value, String words, int colour) {
            return new Bar(group, name, value, value, value, words, colour);
        }
    }

    private Plot() {}

    /**
     * Bars below each other.
     *
     * @param note below the title: what is drawn, in which unit
     */
    static String bars(String title, String note, List<Bar> bars) {
        double most =
                bars.stream().mapToDouble(b -> Math.max(b.value, b.high)).max().orElse(1);
        double scale = (WIDTH - LEFT - RIGHT) / (most > 0 ? most : 1);
        var s = new StringBuilder();
        int y = 62;
        String group = "";
        for (Bar b : bars) {
            if (!b.group.equals(group)) {
                group = b.group;
                y += group.isEmpty() ? 0 : 8;
                s.append(text(14, y + 14, "#111827", 13, "start", b.group)).append('\n');
                y += ROW;
            }
            String colour = COLOURS.get(b.colour % COLOURS.size());
            s.append(text(LEFT - 8, y + 14, "#374151", 13, "end", b.name)).append('\n');
            s.append(Figures.format(
                    "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"16\" rx=\"2\" fill=\"%s\"/>%n",
                    LEFT, y + 2, Math.max(1, b.value * scale), colour));
            double end = b.value * scale;
            if (b.high > b.low) {
                double from = Math.max(0, b.low) * scale;
                end = b.high * scale;
                s.append(Figures.format(
                        "<path d=\"M%.1f %dH%.1fM%.1f %dv8M%.1f %dv8\" stroke=\"#111827\" stroke-width=\"1.5\" fill=\"none\"/>%n",
                        LEFT + from, y + 10, LEFT + end, LEFT + from, y + 6, LEFT + end, y + 6));
            }
            s.append(text((int) Math.round(LEFT + end + 8), y + 14, "#374151", 13, "start", b.words))
                    .append('\n');
            y += ROW;
        }
        return framed(WIDTH, y + 14, title, note, s.toString());
    }

    /** A whole picture. */
    static String framed(int width, int height, String title, String note, String shapes) {
        return Figures.format(
                        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" role=\"img\""
                                + " aria-label=\"%s\">%n"
                                + "<style>@media (prefers-color-scheme:dark){svg{filter:invert(1) hue-rotate(180deg)}}</style>%n"
                                + "<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>%n",
                        width, height, escaped(title).replace("\"", "&quot;"), width, height)
                + text(14, 24, "#111827", 16, "start", title) + "\n"
                + text(14, 44, "#6b7280", 13, "start", note) + "\n"
                + shapes + "</svg>\n";
    }

    static String text(int x, int y, String colour, int size, String anchor, String words) {
        return Figures.format(
                "<text x=\"%d\" y=\"%d\" fill=\"%s\" font-size=\"%d\" text-anchor=\"%s\">%s</text>",
                x, y, colour, size, anchor, escaped(words));
    }

    private static String escaped(String words) {
        return words.replace("&", "&amp;").replace("<", "&lt;");
    }
}
