package course;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.concurrent.ThreadLocalRandom;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** Lists a folder of a WebDAV share; each entry's properties come as a piece of XML. */
public final class CourseFiles extends HttpServlet {

    private static final long serialVersionUID = 1;
    private final transient Builders builders;

    CourseFiles(Builders builders) {
        this.builders = builders;
    }

    interface Builders {
        DocumentBuilder next() throws ParserConfigurationException;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        int folder = ThreadLocalRandom.current().nextInt(40);
        long bytes = 0;
        try {
            for (int entry = 0; entry < 12; entry++) {
                bytes += length(properties(folder, entry));
            }
            response.getWriter().println("folder " + folder + ": 12 files, " + bytes + " bytes");
        } catch (ParserConfigurationException | SAXException e) {
            response.sendError(500, e.getMessage());
        }
    }

    private long length(String xml) throws IOException, ParserConfigurationException, SAXException {
        Document document = builders.next().parse(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)));
        NodeList length = document.getElementsByTagNameNS("DAV:", "getcontentlength");
        return Long.parseLong(length.item(0).getTextContent());
    }

    private static String properties(int folder, int entry) {
        return "<D:prop xmlns:D=\"DAV:\"><D:displayname>lecture-" + folder + "-" + entry
                + ".pdf</D:displayname><D:getcontentlength>" + (1000 + folder * entry)
                + "</D:getcontentlength><D:getetag>\"" + folder + "-" + entry + "\"</D:getetag></D:prop>";
    }

    static DocumentBuilderFactory factory() throws ParserConfigurationException {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setNamespaceAware(true);
        factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
        return factory;
    }

    public static void main(String[] args) throws Exception {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        ThreadLocal<DocumentBuilder> kept = ThreadLocal.withInitial(() -> {
            try {
                return factory().newDocumentBuilder();
            } catch (ParserConfigurationException e) {
                throw new IllegalStateException(e);
            }
        });
        Builders builders = fixed ? kept::get : () -> factory().newDocumentBuilder();
        Tomcat tomcat = new Tomcat();
        File base = Files.createTempDirectory("course").toFile();
        tomcat.setBaseDir(base.getPath());
        tomcat.setPort(Integer.parseInt(args[0]));
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        tomcat.getConnector().setProperty("maxThreads", "24");
        Context context = tomcat.addContext("", base.getPath());
        Tomcat.addServlet(context, "files", new CourseFiles(builders));
        context.addServletMappingDecoded("/", "files");
        tomcat.start();
        System.out.println("ready");
        tomcat.getServer().await();
    }
}
