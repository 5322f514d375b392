package dev.fettle.servers.war;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.ErrorHandler;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;

/** An element of a descriptor; names are taken without their namespace, which differs by version. */
record Xml(Element element) {

    /**
     * Reads a document. A document type is refused, and with it all entities.
     *
     * @param name the file's, for messages
     */
    static Xml read(InputStream in, String name) throws IOException, WarException {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newDefaultInstance();
            factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            factory.setXIncludeAware(false);
            factory.setExpandEntityReferences(false);
            factory.setNamespaceAware(true);
            DocumentBuilder builder = factory.newDocumentBuilder();
            builder.setErrorHandler(new Strict());
            return new Xml(builder.parse(in).getDocumentElement());
        } catch (SAXParseException e) {
            String why = String.valueOf(e.getMessage());
            throw new WarException(
                    name + ": line " + e.getLineNumber() + ": "
                            + (why.contains("DOCTYPE")
                                    ? "a document type is not read, and so no entities: leave it out"
                                    : why),
                    e);
        } catch (SAXException | ParserConfigurationException e) {
            throw new WarException(name + ": " + e.getMessage(), e);
        }
    }

    /** Its children of a name, in their order. */
    List<Xml> all(String name) {
        List<Xml> found = new ArrayList<>();
        for (Node n = element.getFirstChild(); n != null; n = n.getNextSibling()) {
            if (n instanceof Element child && name.equals(child.getLocalName())) {
                found.add(new Xml(child));
            }
        }
        return found;
    }

    Optional<Xml> one(String name) {
        return all(name).stream().findFirst();
    }

    /** The text of a child. */
    Optional<String> text(String name) {
        return one(name).map(Xml::text);
    }

    String text() {
        return element.getTextContent().strip();
    }

    /** The texts of all children of a name. */
    List<String> texts(String name) {
        return all(name).stream().map(Xml::text).toList();
    }

    /** The text of a child that has to be there. */
    String need(String name) throws WarException {
        return text(name)
                .filter(t -> !t.isEmpty())
                .orElseThrow(() -> new WarException("a <" + element.getLocalName() + "> has no <" + name + ">"));
    }

    /** Prints nothing, and goes on after warnings only. */
    private static final class Strict implements ErrorHandler {
        @Override
        public void warning(SAXParseException e) {
            // nothing that a deployment depends on
        }

        @Override
        public void error(SAXParseException e) throws SAXException {
            throw e;
        }

        @Override
        public void fatalError(SAXParseException e) throws SAXException {
            throw e;
        }
    }
}
