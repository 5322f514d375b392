package dev.fettle.model.imports;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Splits the text of a tool that was run several times, so that figures of two results are never held against each other. A
 * result ends where a line that it has once comes again, or one with which the next begins.
 */
final class ResultSplit {
    /** The most results that are read from one text; each takes a kilobyte or two to judge. */
    private static final int MOST = 10_000;

    private final Pattern lines;

    /**
     * @param begins what the first lines of a result look like; without groups
     * @param once what lines look like that a result has once; without groups
     */
    ResultSplit(String begins, String... once) {
        lines = Pattern.compile("(?m)(" + begins + ")|(" + String.join(")|(", once) + ")");
    }

    /** Each result; if there are several, they are numbered. */
    List<Published> read(String text, Function<String, Published> one) {
        List<Published> all = parts(text).stream().map(one).toList();
        List<Published> told = all.stream()
                .filter(p -> all.size() == 1
                        || !p.figures().isEmpty()
                        || !p.percentiles().isEmpty())
                .toList();
        return numbered(told);
    }

    /** Several results of one text, with numbers to tell them apart. */
    static List<Published> numbered(List<Published> all) {
        var numbered = new ArrayList<Published>();
        for (Published p : all) {
            String number = String.valueOf(numbered.size() + 1);
            numbered.add(
                    all.size() == 1 ? p : p.named(p.tool(), p.label().isEmpty() ? number : number + ", " + p.label()));
        }
        return numbered;
    }

    private List<String> parts(String text) {
        var parts = new ArrayList<String>();
        var seen = new BitSet();
        int from = 0;
        int last = 0;
        Matcher m = lines.matcher(text);
        while (m.find()) {
            int which = 1;
            while (m.start(which) < 0) {
                which++;
            }
            boolean begins = which == 1;
            if (begins ? !seen.isEmpty() : seen.get(which)) {
                int line = text.lastIndexOf('\n', m.start()) + 1;
                int cut = line > last ? line : m.start();
                parts.add(text.substring(from, cut));
                checkNumber(parts.size());
                from = cut;
                seen.clear();
            }
            if (!begins) {
                seen.set(which);
            }
            last = m.end();
        }
        // the first lines of a test that then failed are no result
        if (parts.isEmpty() || !seen.isEmpty()) {
            parts.add(text.substring(from));
        }
        return parts;
    }

    /** Refuses a text with too many results. */
    static void checkNumber(int results) {
        if (results > MOST) {
            throw new ImportException("more than %,d results are too many for one file: split it".formatted(MOST));
        }
    }
}
