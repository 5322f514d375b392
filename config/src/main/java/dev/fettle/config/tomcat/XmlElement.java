package dev.fettle.config.tomcat;

import java.util.List;
import java.util.Optional;

/**
 * An element of an {@link XmlText}, with its position: from {@code start} to before {@code end}.
 *
 * @param parent the enclosing element; empty for the root
 * @param nameEnd end of its name in the start tag
 * @param tagEnd end of its start tag
 * @param empty whether it is written {@code <name/>}
 */
public record XmlElement(
        Optional<XmlElement> parent,
        String name,
        List<Attribute> attributes,
        int start,
        int nameEnd,
        int tagEnd,
        int end,
        boolean empty) {
    public XmlElement {
        attributes = List.copyOf(attributes);
    }

    /**
     * An attribute, {@code name="value"}, with its position: from {@code start} to before {@code end}.
     *
     * @param value with entities resolved
     * @param valueStart where the value begins, after its quote
     * @param valueEnd position of its closing quote
     */
    public record Attribute(String name, String value, int start, int valueStart, int valueEnd) {
        public int end() {
            return valueEnd + 1;
        }
    }

    Optional<Attribute> attribute(String wanted) {
        return attributes.stream().filter(a -> a.name().equals(wanted)).findFirst();
    }

    /** An attribute's value. */
    public Optional<String> value(String attribute) {
        return attribute(attribute).map(Attribute::value);
    }

    boolean has(String attribute, String value) {
        return value(attribute).filter(value::equals).isPresent();
    }

    boolean in(XmlElement other) {
        return parent.filter(p -> p.start() == other.start()).isPresent();
    }

    /** Where a new attribute can be inserted. */
    int attributesEnd() {
        return attributes.isEmpty() ? nameEnd : attributes.getLast().end();
    }
}
