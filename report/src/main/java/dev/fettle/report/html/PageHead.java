package dev.fettle.report.html;

import dev.fettle.report.Wording;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/**
 * The top of a page: what was run, the answer, and the key figures.
 *
 * @param run the kind of run and its name
 * @param tone of the badge: {@code good}, {@code warn}, {@code bad}, {@code calm} or empty
 * @param meta when and where, in a few words each; may be empty
 * @param notes what to know before judging; may be empty
 */
record PageHead(
        String run, String badge, String tone, String headline, List<Big> bigs, List<String> meta, List<String> notes) {

    /** Notes that are not folded away: the proof follows on the first screen. */
    private static final int FIRST_NOTES = 2;

    /** The format of a run's start. */
    static final DateTimeFormatter WHEN = DateTimeFormatter.ofPattern("d MMMM uuuu, HH:mm 'UTC'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    /** A big number; {@code below} is a line in small letters, {@code css} a class or empty. */
    record Big(String name, String value, String below, String css) {
        Big(String name, String value, String below) {
            this(name, value, below, "");
        }
    }

    void write(Html html) {
        html.open("header");
        html.in("p", "eyebrow", p -> p.el("span", "Fettle", "class", "mark").text(" " + run));
        html.in("p", "verdict", p -> p.el("span", badge, "class", "badge " + tone));
        html.el("h1", headline);
        html.in("ul", "bigs", ul -> bigs.forEach(b -> ul.in("li", li -> big(li, b))));
        if (!meta.isEmpty()) {
            html.in("p", "meta", p -> meta.forEach(m -> p.el("span", m)));
        }
        if (!notes.isEmpty()) {
            html.in("div", "notes", d -> {
                List<String> first = notes.size() <= FIRST_NOTES + 1 ? notes : notes.subList(0, FIRST_NOTES);
                d.el("h2", "Before you judge").in("ul", ul -> first.forEach(n -> ul.el("li", n)));
                List<String> rest = notes.subList(first.size(), notes.size());
                if (!rest.isEmpty()) {
                    d.in(
                            "details",
                            more -> more.el("summary", Wording.plural(rest.size(), "more note"))
                                    .in("ul", ul -> rest.forEach(n -> ul.el("li", n))));
                }
            });
        }
        html.close();
    }

    private static void big(Html li, Big b) {
        li.el("span", b.name(), "class", "name");
        li.el("span", b.value(), "class", ("value " + b.css()).strip());
        li.el("span", b.below(), "class", "below");
    }
}
