package dev.fettle.config.patch;

import java.util.ArrayList;
import java.util.List;

/**
 * The difference of two texts in the unified format that patch(1) and git take. The shortest there is (longest common
 * subsequence of lines), which takes time and memory by the product of the lengths: for configuration files, not for books.
 */
public final class UnifiedDiff {
    private static final int CONTEXT = 3;
    private static final String NO_NEWLINE = "\\ No newline at end of file";

    private UnifiedDiff() {}

    /** One line of the result: {@code ' '} common, {@code '-'} before only, {@code '+'} after only. */
    private record Line(char sign, String text) {}

    /**
     * The patch that makes one of the other; empty when they are the same.
     *
     * @param path of the file, for the head
     */
    public static String of(String path, String before, String after) {
        if (before.equals(after)) {
            return "";
        }
        List<Line> lines = lines(split(before), split(after));
        var out = new StringBuilder("--- a/" + path + "\n+++ b/" + path + "\n");
        int oldLine = 1;
        int newLine = 1;
        int at = 0;
        while (at < lines.size()) {
            if (lines.get(at).sign() == ' ') {
                oldLine++;
                newLine++;
                at++;
                continue;
            }
            int begin = Math.max(0, at - CONTEXT);
            int end = end(lines, at);
            int oldBegin = oldLine - (at - begin);
            int newBegin = newLine - (at - begin);
            int olds = 0;
            int news = 0;
            var body = new StringBuilder();
            for (Line line : lines.subList(begin, end)) {
                olds += line.sign() == '+' ? 0 : 1;
                news += line.sign() == '-' ? 0 : 1;
                body.append(line.sign()).append(line.text());
                if (!line.text().endsWith("\n")) {
                    body.append('\n').append(NO_NEWLINE).append('\n');
                }
            }
            out.append("@@ -")
                    .append(range(oldBegin, olds))
                    .append(" +")
                    .append(range(newBegin, news))
                    .append(" @@\n");
            out.append(body);
            oldLine = oldBegin + olds;
            newLine = newBegin + news;
            at = end;
        }
        return out.toString();
    }

    /** Where a hunk ends: behind the context of the last change that is no further than two contexts from the one before. */
    private static int end(List<Line> lines, int firstChange) {
        int last = firstChange;
        for (int i = firstChange; i < lines.size() && i - last <= 2 * CONTEXT; i++) {
            if (lines.get(i).sign() != ' ') {
                last = i;
            }
        }
        return Math.min(lines.size(), last + 1 + CONTEXT);
    }

    /** An empty range is named by the line before it. */
    private static String range(int begin, int count) {
        return (count == 0 ? begin - 1 : begin) + (count == 1 ? "" : "," + count);
    }

    /** Lines with their ends. */
    static List<String> split(String text) {
        var lines = new ArrayList<String>();
        int from = 0;
        while (from < text.length()) {
            int to = text.indexOf('\n', from) + 1;
            to = to == 0 ? text.length() : to;
            lines.add(text.substring(from, to));
            from = to;
        }
        return lines;
    }

    private static List<Line> lines(List<String> a, List<String> b) {
        int[][] common = new int[a.size() + 1][b.size() + 1];
        for (int i = a.size() - 1; i >= 0; i--) {
            for (int j = b.size() - 1; j >= 0; j--) {
                common[i][j] = a.get(i).equals(b.get(j))
                        ? common[i + 1][j + 1] + 1
                        : Math.max(common[i + 1][j], common[i][j + 1]);
            }
        }
        var out = new ArrayList<Line>();
        int i = 0;
        int j = 0;
        while (i < a.size() || j < b.size()) {
            if (i < a.size() && j < b.size() && a.get(i).equals(b.get(j))) {
                out.add(new Line(' ', a.get(i)));
                i++;
                j++;
            } else if (j >= b.size() || i < a.size() && common[i + 1][j] >= common[i][j + 1]) {
                out.add(new Line('-', a.get(i++)));
            } else {
                out.add(new Line('+', b.get(j++)));
            }
        }
        return out;
    }
}
