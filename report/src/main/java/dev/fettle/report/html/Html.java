package dev.fettle.report.html;

import dev.fettle.report.Markup;
import dev.fettle.report.document.Table;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** Writes HTML. Text and attribute values are always escaped, except by {@link #trusted}, for our own resources. */
final class Html {
    private static final Pattern UNIT =
            Pattern.compile("(?<=[0-9]) (?=(?:%|×|ns|µs|ms|s|min|h|B|KiB|MiB|GiB|TiB)(?![\\w]))");

    /** Attributes that are left out if there is nothing in them. */
    private static final Set<String> UNLESS_EMPTY = Set.of("class", "data-sort");

    private final StringBuilder out = new StringBuilder();
    private final Deque<String> open = new ArrayDeque<>();

    /** Opens an element; attributes alternate name and value. */
    Html open(String tag, String... attributes) {
        tag(tag, attributes);
        open.push(tag);
        return this;
    }

    /** Closes the element opened last. */
    Html close() {
        out.append("</").append(open.pop()).append('>');
        return this;
    }

    /** An element with content. */
    Html in(String tag, Consumer<Html> content, String... attributes) {
        open(tag, attributes);
        content.accept(this);
        return close();
    }

    /** An element of a class, with content. */
    Html in(String tag, String name, Consumer<Html> content) {
        return in(tag, content, "class", name);
    }

    /** An element with text. */
    Html el(String tag, String text, String... attributes) {
        return open(tag, attributes).text(text).close();
    }

    /** An element without an end tag. */
    Html empty(String tag, String... attributes) {
        tag(tag, attributes);
        return this;
    }

    /** Escaped text; keeps a figure and its unit on one line. */
    Html text(String text) {
        out.append(Markup.text(UNIT.matcher(text).replaceAll("\u00a0")));
        return this;
    }

    /** Escaped text without other changes, for copying. */
    Html verbatim(String text) {
        out.append(Markup.text(text));
        return this;
    }

    /** Unescaped text from our own resources. */
    Html trusted(String markup) {
        out.append(markup);
        return this;
    }

    private void tag(String tag, String... attributes) {
        out.append('<').append(tag);
        for (int i = 0; i + 1 < attributes.length; i += 2) {
            if (attributes[i + 1].isEmpty() && UNLESS_EMPTY.contains(attributes[i])) {
                continue;
            }
            out.append(' ')
                    .append(attributes[i])
                    .append("=\"")
                    .append(Markup.text(attributes[i + 1]))
                    .append('"');
        }
        out.append('>');
    }

    /** A section of the page with its heading. */
    Html section(String id, String title, Consumer<Html> content) {
        return in(
                "section",
                h -> {
                    h.el("h2", title, "id", id + "-title");
                    content.accept(h);
                },
                "id",
                id,
                "aria-labelledby",
                id + "-title");
    }

    /** A table that scrolls sideways within itself instead of widening the page. */
    Html table(String label, Table table) {
        return in(
                "div",
                h -> HtmlTable.write(h, table, label),
                "class",
                "scroll",
                "tabindex",
                "0",
                "role",
                "region",
                "aria-label",
                label);
    }

    /** A plot with the same figures as a table below. */
    Html plot(String chart, String title, String label, Table data) {
        return in("figure", "plot", h -> {
            h.el("figcaption", title);
            h.el("div", "", "class", "chart", "data-chart", chart, "role", "img", "aria-label", label);
            h.unfolded("The figures as a table", title, data);
        });
    }

    /** A table that can be folded away. */
    Html unfolded(String summary, String title, Table table) {
        return in("details", d -> d.el("summary", summary).table(title, table), "class", "data", "open", "");
    }

    @Override
    public String toString() {
        if (!open.isEmpty()) {
            throw new IllegalStateException("not closed: " + open);
        }
        return out.toString();
    }
}
