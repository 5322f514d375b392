package dev.fettle.report.document;

import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/**
 * The top of a document: what was run, the answer, and the key figures.
 *
 * @param title the kind of run and its name
 * @param brief what was run, in a line or two
 * @param badge the kind of answer, in a few words
 * @param tone of the badge: {@code good}, {@code warn}, {@code bad}, {@code calm} or empty
 * @param headline the answer
 * @param bigs the key figures; may be empty
 * @param meta when and where, in a few words each; may be empty
 * @param notes what to know before judging; may be empty
 */
public record Head(
        String title,
        List<String> brief,
        String badge,
        String tone,
        String headline,
        List<Big> bigs,
        List<String> meta,
        List<String> notes) {
    /** The format of a run's start. */
    public static final DateTimeFormatter WHEN = DateTimeFormatter.ofPattern("d MMMM uuuu, HH:mm 'UTC'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    public Head {
        brief = List.copyOf(brief);
        bigs = List.copyOf(bigs);
        meta = List.copyOf(meta);
        notes = List.copyOf(notes);
    }

    /** A key figure; {@code below} is a line in small letters, {@code css} a class or empty. */
    public record Big(String name, String value, String below, String css) {
        public Big(String name, String value, String below) {
            this(name, value, below, "");
        }
    }

    /** What an experiment's result says at the top. */
    public record Answer(String badge, String tone, List<Big> bigs) {}
}
