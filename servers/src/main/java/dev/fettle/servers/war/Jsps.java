package dev.fettle.servers.war;

import io.undertow.jsp.HackInstanceManager;
import io.undertow.jsp.JspFileHandler;
import io.undertow.jsp.JspServletBuilder;
import io.undertow.servlet.api.DeploymentInfo;
import io.undertow.servlet.api.ServletInfo;
import java.util.HashMap;
import java.util.Map;
import org.apache.jasper.deploy.TagLibraryInfo;
import org.apache.jasper.servlet.JspServlet;

/** JSPs on Undertow, by Jastow. */
final class Jsps {
    private Jsps() {}

    /** Serves {@code *.jsp} and {@code *.jspx}. */
    static void declare(DeploymentInfo info, Map<String, TagLibraryInfo> tagLibraries) {
        info.addServlet(JspServletBuilder.createServlet("jsp", "*.jsp").addMapping("*.jspx"));
        JspServletBuilder.setupDeployment(info, new HashMap<>(), tagLibraries, new HackInstanceManager());
    }

    static ServletInfo file(String name, String jsp) {
        return new ServletInfo(name, JspServlet.class)
                .addHandlerChainWrapper(JspFileHandler.jspFileHandlerWrapper(jsp));
    }
}
