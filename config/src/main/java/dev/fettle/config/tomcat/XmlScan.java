package dev.fettle.config.tomcat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds the positions of elements that the parser has found. The text is known to be well-formed. */
final class XmlScan {
    /** An element as reported by the parser. */
    record Parsed(String name, List<String> names, List<String> values) {}

    private final String text;
    private final List<Parsed> parsed;
    private final List<Open> all = new ArrayList<>();
    private final Deque<Open> open = new ArrayDeque<>();
    private int at;

    XmlScan(String text, int from, List<Parsed> parsed) {
        this.text = text;
        this.at = from;
        this.parsed = parsed;
    }

    /** An element whose end is not yet known. */
    private static final class Open {
        final @Nullable Open parent;
        final Parsed parsed;
        final int start;
        final List<XmlElement.Attribute> attributes = new ArrayList<>();
        int nameEnd;
        int tagEnd;
        int end;
        boolean empty;

        @Nullable
        XmlElement done;

        Open(@Nullable Open parent, Parsed parsed, int start) {
            this.parent = parent;
            this.parsed = parsed;
            this.start = start;
        }

        XmlElement element() {
            XmlElement e = done;
            if (e == null) {
                Optional<XmlElement> around = Optional.ofNullable(parent).map(Open::element);
                e = new XmlElement(around, parsed.name(), attributes, start, nameEnd, tagEnd, end, empty);
                done = e;
            }
            return e;
        }
    }

    List<XmlElement> elements() {
        for (int i = text.indexOf('<', at); i >= 0; i = text.indexOf('<', at)) {
            if (text.startsWith("<!--", i)) {
                skipTo("-->", i + 4);
            } else if (text.startsWith("<![CDATA[", i)) {
                skipTo("]]>", i + 9);
            } else if (text.startsWith("<?", i)) {
                skipTo("?>", i + 2);
            } else if (text.startsWith("</", i)) {
                skipTo(">", i + 2);
                open.pop().end = at;
            } else {
                tag(i);
            }
        }
        return all.stream().map(Open::element).toList();
    }

    private void skipTo(String end, int from) {
        at = text.indexOf(end, from) + end.length();
    }

    private void tag(int start) {
        Parsed p = parsed.get(all.size());
        var e = new Open(open.peek(), p, start);
        all.add(e);
        e.nameEnd = start + 1 + p.name().length();
        at = e.nameEnd;
        for (int i = 0; i < p.names().size(); i++) {
            space();
            int from = at;
            at = text.indexOf('=', at) + 1;
            space();
            int valueStart = at + 1;
            int valueEnd = text.indexOf(text.charAt(at), valueStart);
            e.attributes.add(
                    new XmlElement.Attribute(p.names().get(i), p.values().get(i), from, valueStart, valueEnd));
            at = valueEnd + 1;
        }
        space();
        e.empty = text.charAt(at) == '/';
        at += e.empty ? 2 : 1;
        e.tagEnd = at;
        if (e.empty) {
            e.end = at;
        } else {
            open.push(e);
        }
    }

    private void space() {
        while (Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }
}
