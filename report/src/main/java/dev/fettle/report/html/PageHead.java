package dev.fettle.report.html;

import dev.fettle.report.Wording;
import dev.fettle.report.document.Head;
import dev.fettle.report.document.Head.Big;
import java.util.List;

/** The top of a page: what was run, the answer, and the key figures. */
record PageHead(Head head) {
    /** Notes that are not folded away: the proof follows on the first screen. */
    private static final int FIRST_NOTES = 2;

    void write(Html html) {
        html.open("header");
        html.in("p", "eyebrow", p -> p.el("span", "Fettle", "class", "mark").text(" " + head.title()));
        html.in("p", "verdict", p -> p.el("span", head.badge(), "class", "badge " + head.tone()));
        html.el("h1", head.headline());
        html.in("ul", "bigs", ul -> head.bigs().forEach(b -> ul.in("li", li -> big(li, b))));
        if (!head.meta().isEmpty()) {
            html.in("p", "meta", p -> head.meta().forEach(m -> p.el("span", m)));
        }
        if (!head.notes().isEmpty()) {
            html.in("div", "notes", d -> {
                List<String> notes = head.notes();
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
