package dev.fettle.model.text;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Finds what a user probably meant. */
public final class NearestName {
    private NearestName() {}

    /**
     * The closest candidate: equal except for case and punctuation, or within a few single-letter edits (a swap of neighbours
     * is one), depending on the length. Ties go to the first candidate.
     */
    public static Optional<String> nearest(String written, Collection<String> candidates) {
        String w = plain(written);
        if (w.isEmpty() || w.length() > 64) {
            return Optional.empty();
        }
        String best = "";
        int bestDistance = Integer.MAX_VALUE;
        for (String candidate : candidates) {
            int d = distance(w, plain(candidate));
            if (d < bestDistance) {
                best = candidate;
                bestDistance = d;
            }
        }
        int allowed = Math.max(1, Math.min(3, w.length() / 3));
        return bestDistance <= allowed ? Optional.of(best) : Optional.empty();
    }

    /** Whether two names are equal except for case and punctuation and one edit: a letter more, less, changed or swapped. */
    public static boolean isOneEditAway(String a, String b) {
        return a.length() + b.length() <= 200 && distance(plain(a), plain(b)) <= 1;
    }

    /** A name without case and punctuation. */
    public static String plain(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[-_. ]", "");
    }

    /** Optimal string alignment distance (Damerau 1964, restricted). */
    private static int distance(String a, String b) {
        int[][] d = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    d[i][j] = i + j;
                    continue;
                }
                int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                d[i][j] = Math.min(Math.min(d[i - 1][j], d[i][j - 1]) + 1, d[i - 1][j - 1] + change);
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
                }
            }
        }
        return d[a.length()][b.length()];
    }
}
