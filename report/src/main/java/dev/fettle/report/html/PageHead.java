package dev.fettle.report.html;

import dev.fettle.report.Wording;
import dev.fettle.report.document.Head;
import dev.fettle.report.document.Head.Big;
import java.util.List;

/** The top of a page: what was run, the answer, and the key figures. */
record PageHead(Head head) {
    /** Notes that are not folded away: the proof follows on the first screen. */
    private static final int FIRST_NOTES = 2;

    private static final int LEAST_OF_A_HEADLINE = 24;

    void write(Html html) {
        html.open("header");
        html.in("p", "eyebrow", p -> p.el("span", "Fettle", "class", "mark").text(" " + head.title()));
        html.in("p", "verdict", p -> p.el("span", head.badge(), "class", "badge " + head.tone()));
        String first = first(head.headline());
        html.el("h1", first);
        String rest = opened(head.headline().substring(first.length()).strip());
        if (!rest.isEmpty()) {
            html.el("p", rest, "class", "lead");
        }
        html.in("ul", "bigs", ul -> head.bigs().forEach(b -> ul.in("li", li -> big(li, b))));
        if (!head.meta().isEmpty()) {
            html.in("p", "meta", p -> head.meta().forEach(m -> p.el("span", m)));
        }
        if (!isFolded()) {
            notes(html);
        }
        html.close();
    }

    /** Whether the notes can wait: the answer stands, and its proof comes first. */
    boolean isFolded() {
        return !head.tone().equals("warn") && !head.tone().equals("bad");
    }

    /** The notes, folded if they can wait. */
    void notes(Html html) {
        List<String> notes = head.notes();
        if (notes.isEmpty()) {
            return;
        }
        html.in("div", "notes", d -> {
            if (isFolded()) {
                d.in(
                        "details",
                        more -> more.el("summary", "Before you judge: " + Wording.plural(notes.size(), "note"))
                                .in("ul", ul -> notes.forEach(n -> ul.el("li", n))));
                return;
            }
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

    /** The rest of an answer without the brackets that it would begin with. */
    private static String opened(String rest) {
        int end = rest.indexOf(')');
        return rest.startsWith("(") && end > 0 ? rest.substring(1, end) + rest.substring(end + 1) : rest;
    }

    /** What of an answer stands in large letters: up to where figures follow that the cards below have, too. */
    static String first(String headline) {
        int end = headline.length();
        for (String stop : List.of(" (", ": ", "; ", ". ")) {
            int at = headline.indexOf(stop, LEAST_OF_A_HEADLINE);
            if (at > 0) {
                end = Math.min(end, stop.equals(" (") ? at : at + 1);
            }
        }
        return headline.substring(0, end);
    }

    private static void big(Html li, Big b) {
        li.el("span", b.name(), "class", "name");
        li.el("span", b.value(), "class", ("value " + b.css()).strip());
        li.el("span", b.below(), "class", "below");
    }
}
