package dev.fettle.config.tomcat;

import dev.fettle.config.ConfigException;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/** Changes an attribute in an XML file of the user's, by XPath. Everything else in the text stays byte for byte. */
public final class XPathAttribute {
    private XPathAttribute() {}

    /**
     * The text with an attribute set; it is added to elements that lack it.
     *
     * @param file for messages
     * @param xpath of the attribute: {@code //Resource[@name='jdbc/shop']/@maxTotal}
     * @throws ConfigException if this is not XML, or if no element matches the path
     */
    public static String with(String file, String text, String xpath, String value) throws ConfigException {
        int cut = xpath.lastIndexOf("/@");
        if (cut < 0) {
            throw new ConfigException("'%s' does not end with an attribute: …/@maxTotal".formatted(xpath));
        }
        String changed = text;
        for (List<Integer> path : elements(file, text, xpath.substring(0, cut), xpath)) {
            XmlText xml = XmlText.parse(file, changed);
            XmlElement at = xml.root();
            for (int n : path) {
                at = xml.children(at).get(n);
            }
            changed = xml.with(at, xpath.substring(cut + 2), value);
        }
        return changed;
    }

    /** The matching elements, each as the indexes of the children that lead to it from the root. */
    private static List<List<Integer>> elements(String file, String text, String path, String whole)
            throws ConfigException {
        try {
            var found = (NodeList) XPathFactory.newInstance()
                    .newXPath()
                    .evaluate(path.isEmpty() ? "/*" : path, document(text), XPathConstants.NODESET);
            var paths = new ArrayList<List<Integer>>();
            for (int i = 0; i < found.getLength(); i++) {
                if (found.item(i) instanceof Element e) {
                    paths.add(path(e));
                }
            }
            if (paths.isEmpty()) {
                throw new ConfigException("%s: nothing is at %s".formatted(file, whole));
            }
            return paths;
        } catch (XPathExpressionException e) {
            Throwable why = e.getCause() == null ? e : e.getCause();
            throw new ConfigException("'%s' is no XPath: %s".formatted(whole, why.getMessage()));
        } catch (SAXException | IOException | ParserConfigurationException e) {
            throw new ConfigException("%s is no XML that can be read: %s".formatted(file, e.getMessage()));
        }
    }

    private static Document document(String text) throws SAXException, IOException, ParserConfigurationException {
        var factory = DocumentBuilderFactory.newInstance();
        factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
        factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
        factory.setFeature("http://xml.org/sax/features/external-general-entities", false);
        factory.setFeature("http://xml.org/sax/features/external-parameter-entities", false);
        var builder = factory.newDocumentBuilder();
        builder.setErrorHandler(null);
        int from = text.startsWith("\uFEFF") ? 1 : 0;
        return builder.parse(new InputSource(new StringReader(text.substring(from))));
    }

    private static List<Integer> path(Element element) {
        var path = new ArrayList<Integer>();
        for (Node e = element; e.getParentNode() instanceof Element; e = e.getParentNode()) {
            int n = 0;
            for (Node b = e.getPreviousSibling(); b != null; b = b.getPreviousSibling()) {
                n += b instanceof Element ? 1 : 0;
            }
            path.addFirst(n);
        }
        return path;
    }
}
