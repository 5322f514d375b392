package dev.fettle.junit;

import java.util.ArrayList;
import java.util.List;

/** Conditions that must hold, as the conditions of which each is a failure: what {@code --fail-if} takes. */
final class Slo {
    private Slo() {}

    /**
     * {@code p99<50ms, errors<=0.1% and throughput>1000/s} as {@code p99>=50ms,errors>0.1%,throughput<=1000/s}. Figures and bounds are
     * the command's to check.
     *
     * @throws IllegalArgumentException for a condition without a comparison
     */
    static String failIf(String slo) {
        var all = new ArrayList<String>();
        for (String condition : conditions(slo)) {
            all.add(opposite(condition));
        }
        return String.join(",", all);
    }

    private static List<String> conditions(String slo) {
        var all = new ArrayList<String>();
        for (String part : slo.split(",", -1)) {
            String rest = " " + part + " ";
            int and = and(rest);
            while (and >= 0) {
                all.add(rest.substring(0, and));
                rest = rest.substring(and + "and".length() + 1);
                and = and(rest);
            }
            all.add(rest);
        }
        return all;
    }

    /** Where the next blank is that stands in front of the word. */
    private static int and(String text) {
        for (int i = 0; i + 4 < text.length(); i++) {
            if (Character.isWhitespace(text.charAt(i))
                    && text.regionMatches(true, i + 1, "and", 0, 3)
                    && Character.isWhitespace(text.charAt(i + 4))) {
                return i;
            }
        }
        return -1;
    }

    private static String opposite(String condition) {
        String text = condition.strip();
        int sign = 0;
        while (sign < text.length() && text.charAt(sign) != '<' && text.charAt(sign) != '>') {
            sign++;
        }
        if (sign == 0 || sign == text.length()) {
            throw new IllegalArgumentException(
                    "'%s' is no condition: write p99<50ms, errors<0.1%% or throughput>1000/s".formatted(text));
        }
        boolean less = text.charAt(sign) == '<';
        boolean equal = text.startsWith("=", sign + 1);
        String not = less ? equal ? ">" : ">=" : equal ? "<" : "<=";
        return text.substring(0, sign).strip()
                + not
                + text.substring(sign + (equal ? 2 : 1)).strip();
    }
}
