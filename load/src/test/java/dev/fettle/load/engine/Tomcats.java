package dev.fettle.load.engine;

import jakarta.servlet.http.HttpServlet;
import java.nio.file.Path;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.apache.tomcat.util.net.SSLHostConfigCertificate;

/** Tomcats for tests; only one at a time, because of its MBeans. */
final class Tomcats {
    /** Held, because the log manager forgets a logger that nobody holds, and its level with it. */
    private static final Logger LOG = Logger.getLogger("org.apache");

    private Tomcats() {}

    /**
     * One without anything. The first Tomcat of a JVM makes its base the home of all later ones, and these create it again
     * when its test has deleted it; so their home is in the build folder.
     */
    static Tomcat empty() {
        System.setProperty(
                "catalina.home", Path.of("build", "tomcat").toAbsolutePath().toString());
        return new Tomcat();
    }

    /** One with a servlet for every path, on a free port of its default connector; not started. */
    static Tomcat serving(HttpServlet servlet, Path base) {
        LOG.setLevel(Level.SEVERE);
        Tomcat tomcat = empty();
        tomcat.setBaseDir(base.toString());
        tomcat.setHostname("127.0.0.1");
        tomcat.setPort(0);
        Context context = tomcat.addContext("", base.toString());
        Tomcat.addServlet(context, "all", servlet);
        context.addServletMappingDecoded("/", "all");
        return tomcat;
    }

    /** Puts a connector on a free port and behind TLS. */
    static void secure(Connector connector) {
        connector.setPort(0);
        connector.setSecure(true);
        connector.setScheme("https");
        connector.setProperty("SSLEnabled", "true");
        SSLHostConfig host = new SSLHostConfig();
        SSLHostConfigCertificate certificate =
                new SSLHostConfigCertificate(host, SSLHostConfigCertificate.Type.UNDEFINED);
        certificate.setCertificateKeystoreFile(Certificates.GOOD.store().toString());
        certificate.setCertificateKeystorePassword("changeit");
        host.addCertificate(certificate);
        connector.addSslHostConfig(host);
    }
}
