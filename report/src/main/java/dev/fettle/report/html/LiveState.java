package dev.fettle.report.html;

import dev.fettle.report.JsonFields;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * How far a result is whose page goes on, in the bar at its top.
 *
 * @param version of the page that this was made for
 * @param ended whether it is final
 * @param doing what is going on, in a few words
 * @param buttons those that make sense now
 */
public record LiveState(long version, boolean ended, String doing, List<Button> buttons) {
    /** What a reader may ask for. */
    public enum Button {
        STOP("Stop and keep", "Ends the run now; what was measured is kept"),
        MARK("Mark", "Writes a note at this moment into the record");

        private final String label;
        private final String about;

        Button(String label, String about) {
            this.label = label;
            this.about = about;
        }

        /** As a request names it. */
        public String id() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public LiveState {
        buttons = List.copyOf(buttons);
    }

    /** The bar. */
    String bar(String secret) {
        var html = new Html();
        html.open(
                "div",
                "id",
                "live",
                "class",
                ended ? "live ended" : "live",
                "data-version",
                Long.toString(version),
                "data-state",
                json().line(),
                "data-secret",
                secret);
        html.in(
                "p",
                "now",
                p -> p.el("strong", ended ? "Finished" : "Live")
                        .text(" ")
                        .el("span", doing, "id", "doing", "role", "status"));
        html.in("p", "acts", p -> {
            if (!secret.isEmpty()) {
                for (Button b : Button.values()) {
                    var attributes = new ArrayList<>(List.of("type", "button", "data-act", b.id(), "title", b.about));
                    if (!buttons.contains(b)) {
                        attributes.addAll(List.of("hidden", ""));
                    }
                    p.el("button", b.label, attributes.toArray(String[]::new));
                }
            }
            p.el("a", "Save as it is now", "href", "save", "download", "");
        });
        return html.close().toString();
    }

    /** For the page's script. */
    public JsonFields json() {
        return new JsonFields().put("ended", ended, "doing", doing).each("buttons", buttons, Button::id);
    }
}
