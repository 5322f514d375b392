package dev.fettle.report;

import dev.fettle.model.text.Format;
import dev.fettle.model.trial.Answers;
import dev.fettle.model.trial.Measurement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Formats samples of wrong answers for people. */
public final class WrongAnswerWords {
    private static final String TYPE = "content-type:";

    private WrongAnswerWords() {}

    /**
     * A sample and where it came from.
     *
     * @param step of a scenario; empty for a plain load
     */
    public record Sample(String step, Answers.Wrong answer) {}

    /** The samples of a measurement. */
    public static List<Sample> of(Measurement m) {
        return m.detail().answers().stream()
                .flatMap(a -> a.wrong().stream().map(w -> new Sample(a.step(), w)))
                .toList();
    }

    /** A short description: {@code 404, 134 bytes of application/json}. */
    public static String title(Sample s) {
        Answers.Wrong w = s.answer();
        String type = w.head().stream()
                .filter(f -> f.toLowerCase(Locale.ROOT).startsWith(TYPE))
                .map(f -> " of " + f.substring(TYPE.length()).strip())
                .findFirst()
                .orElse("");
        String bytes = Format.whole(w.bytes()) + (w.bytes() == 1 ? " byte" : " bytes") + type;
        return (s.step().isEmpty() ? "" : "step '" + s.step() + "': ")
                + (w.status() == 0 ? "a message, " : w.status() + ", ")
                + bytes
                + (w.whole() ? "" : ", the beginning");
    }

    /** The body on one line, without control characters, cut at a maximum length. */
    public static String line(Answers.Wrong w, int most) {
        String flat = w.body().replaceAll("[\\s\\p{Cntrl}]+", " ").strip();
        return flat.length() <= most ? flat : flat.substring(0, most - 1) + "…";
    }

    /** Head and body as received. */
    public static String whole(Answers.Wrong w) {
        var lines = new ArrayList<String>(w.head());
        if (!lines.isEmpty()) {
            lines.add("");
        }
        lines.add(w.body().replaceAll("[\\p{Cntrl}&&[^\\r\\n\\t]]", "\uFFFD"));
        return String.join("\n", lines);
    }
}
