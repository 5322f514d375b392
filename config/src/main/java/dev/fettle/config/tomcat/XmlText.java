package dev.fettle.config.tomcat;

import dev.fettle.config.ConfigException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * An XML text with the positions of its elements and attributes, so that one can be changed and everything else kept
 * byte for byte.
 *
 * <p>The JDK's parser checks that the text is well-formed and gives the names and values; a separate scan finds the
 * positions, which the parser does not report for attributes. A document type is refused, and with it every entity that
 * is not XML's own.
 */
public final class XmlText {
    private static final String BYTE_ORDER_MARK = "\uFEFF";
    private static final int DEEPEST = 50;

    private final String name;
    private final String text;
    private final List<XmlElement> elements;

    private XmlText(String name, String text, List<XmlElement> elements) {
        this.name = name;
        this.text = text;
        this.elements = List.copyOf(elements);
    }

    /**
     * Reads a text.
     *
     * @param name of its file, for messages
     * @throws ConfigException with file, line and column, if it is not well-formed or has a document type
     */
    public static XmlText parse(String name, String text) throws ConfigException {
        int from = text.startsWith(BYTE_ORDER_MARK) ? 1 : 0;
        List<XmlScan.Parsed> parsed = parsed(name, text.substring(from));
        return new XmlText(name, text, new XmlScan(text, from, parsed).elements());
    }

    private static List<XmlScan.Parsed> parsed(String name, String text) throws ConfigException {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_NAMESPACE_AWARE, false);
        factory.setXMLResolver((publicId, systemId, base, namespace) -> {
            throw new XMLStreamException("nothing outside the file is read");
        });
        var out = new ArrayList<XmlScan.Parsed>();
        int depth = 0;
        try {
            XMLStreamReader in = factory.createXMLStreamReader(new StringReader(text));
            while (in.hasNext()) {
                switch (in.next()) {
                    case XMLStreamConstants.DTD ->
                        throw new ConfigException("%s:%d: a document type (<!DOCTYPE …>) is not read: remove it"
                                .formatted(name, in.getLocation().getLineNumber()));
                    case XMLStreamConstants.START_ELEMENT -> {
                        out.add(element(in));
                        if (++depth > DEEPEST) {
                            throw new ConfigException("%s:%d: elements are nested more than %d deep"
                                    .formatted(name, in.getLocation().getLineNumber(), DEEPEST));
                        }
                    }
                    case XMLStreamConstants.END_ELEMENT -> depth--;
                    default -> {
                        // texts and comments stay where they are
                    }
                }
            }
        } catch (XMLStreamException e) {
            throw new ConfigException("%s:%d:%d: not well-formed: %s"
                    .formatted(
                            name,
                            e.getLocation() == null ? 0 : e.getLocation().getLineNumber(),
                            e.getLocation() == null ? 0 : e.getLocation().getColumnNumber(),
                            words(e)));
        }
        return out;
    }

    private static XmlScan.Parsed element(XMLStreamReader in) {
        var names = new ArrayList<String>();
        var values = new ArrayList<String>();
        for (int i = 0; i < in.getAttributeCount(); i++) {
            names.add(in.getAttributeLocalName(i));
            values.add(in.getAttributeValue(i));
        }
        return new XmlScan.Parsed(in.getLocalName(), names, values);
    }

    /** The parser's message without the position that it begins with. */
    private static String words(XMLStreamException e) {
        String all = String.valueOf(e.getMessage());
        int message = all.indexOf("Message: ");
        String words = message < 0 ? all : all.substring(message + "Message: ".length());
        return words.replaceAll("\\s+", " ").strip();
    }

    String name() {
        return name;
    }

    String text() {
        return text;
    }

    /** All elements, in the order of their start tags. */
    public List<XmlElement> elements() {
        return elements;
    }

    XmlElement root() {
        return elements.getFirst();
    }

    List<XmlElement> children(XmlElement of) {
        return elements.stream().filter(e -> e.in(of)).toList();
    }

    List<XmlElement> children(XmlElement of, String named) {
        return children(of).stream().filter(e -> e.name().equals(named)).toList();
    }

    /** "server.xml:23", the place of an element. */
    String place(XmlElement e) {
        return name + ":"
                + (1
                        + text.substring(0, e.start())
                                .chars()
                                .filter(c -> c == '\n')
                                .count());
    }

    // -- changed texts -----------------------------------------------------------------------------------------------

    /** The text with an attribute set; a new one goes after the others, spaced like them. */
    String with(XmlElement e, String attribute, String value) {
        Optional<XmlElement.Attribute> there = e.attribute(attribute);
        if (there.isPresent()) {
            XmlElement.Attribute a = there.get();
            if (a.value().equals(value)) {
                return text;
            }
            return replaced(a.valueStart(), a.valueEnd(), escaped(value, text.charAt(a.valueEnd())));
        }
        String space = " ";
        if (!e.attributes().isEmpty()) {
            XmlElement.Attribute last = e.attributes().getLast();
            int before = e.attributes().size() == 1
                    ? e.nameEnd()
                    : e.attributes().get(e.attributes().size() - 2).end();
            space = text.substring(before, last.start());
        }
        int at = e.attributesEnd();
        return replaced(at, at, space + attribute + "=\"" + escaped(value, '"') + "\"");
    }

    /** The text without an attribute. */
    String without(XmlElement e, String attribute) {
        Optional<XmlElement.Attribute> there = e.attribute(attribute);
        if (there.isEmpty()) {
            return text;
        }
        int i = e.attributes().indexOf(there.get());
        int from = i == 0 ? e.nameEnd() : e.attributes().get(i - 1).end();
        return replaced(from, there.get().end(), "");
    }

    /** The text without an element; lines left empty are removed. */
    String without(XmlElement e) {
        int from = e.start();
        while (from > 0 && (text.charAt(from - 1) == ' ' || text.charAt(from - 1) == '\t')) {
            from--;
        }
        int to = e.end();
        while (to < text.length() && (text.charAt(to) == ' ' || text.charAt(to) == '\t' || text.charAt(to) == '\r')) {
            to++;
        }
        boolean ownLines =
                (from == 0 || text.charAt(from - 1) == '\n') && to < text.length() && text.charAt(to) == '\n';
        return ownLines ? replaced(from, to + 1, "") : replaced(e.start(), e.end(), "");
    }

    /** The text with an element as the first child of another. */
    String withChild(XmlElement parent, String child) {
        String newline = text.contains("\r\n") ? "\r\n" : "\n";
        List<XmlElement> siblings = children(parent);
        String outer = indent(parent);
        String inner = siblings.isEmpty() ? outer + "  " : indent(siblings.getFirst());
        if (parent.empty()) {
            return replaced(
                    parent.tagEnd() - 2,
                    parent.tagEnd(),
                    ">" + newline + inner + child + newline + outer + "</" + parent.name() + ">");
        }
        return replaced(parent.tagEnd(), parent.tagEnd(), newline + inner + child);
    }

    /** The blanks before an element on its line; none if something else is there. */
    private String indent(XmlElement e) {
        int line = text.lastIndexOf('\n', e.start() - 1) + 1;
        String before = text.substring(line, e.start());
        return before.isBlank() ? before : "";
    }

    private String replaced(int from, int to, String with) {
        return text.substring(0, from) + with + text.substring(to);
    }

    /** An attribute value escaped for this kind of quotes. */
    static String escaped(String value, char quote) {
        var out = new StringBuilder();
        for (char c : value.toCharArray()) {
            switch (c) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '\t', '\n', '\r' -> out.append("&#").append((int) c).append(';');
                case '"', '\'' -> out.append(c == quote ? c == '"' ? "&quot;" : "&apos;" : String.valueOf(c));
                default -> out.append(c);
            }
        }
        return out.toString();
    }
}
