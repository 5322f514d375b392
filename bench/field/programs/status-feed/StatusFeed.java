package feed;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.apache.logging.log4j.core.config.Configurator;
import org.apache.logging.log4j.core.config.builder.api.ConfigurationBuilder;
import org.apache.logging.log4j.core.config.builder.api.ConfigurationBuilderFactory;

/** Takes in the status of query fragments and logs each of them. */
public final class StatusFeed extends HttpServlet {

    private static final long serialVersionUID = 1;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        List<Fragment> fragments = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            fragments.add(new Fragment(i, ThreadLocalRandom.current().nextInt(1_000_000), i % 7 != 0));
        }
        long rows = new Reports().accept(fragments, 0);
        response.getWriter().println(fragments.size() + " fragments, " + rows + " rows");
    }

    record Fragment(int number, int rows, boolean done) {}

    static final class Reports {
        private static final Logger LOG = LogManager.getLogger(Reports.class);

        /** Takes the reports in as a tree, as the coordinator lays them out. */
        long accept(List<Fragment> fragments, int depth) {
            if (fragments.size() == 1) {
                Fragment fragment = fragments.get(0);
                LOG.info(
                        "fragment {} at depth {}: {} rows, done={}",
                        fragment.number(),
                        depth,
                        fragment.rows(),
                        fragment.done());
                return fragment.rows();
            }
            int half = fragments.size() / 2;
            return accept(fragments.subList(0, half), depth + 1)
                    + accept(fragments.subList(half, fragments.size()), depth + 1);
        }
    }

    private static void configureLog(Path file, String pattern) {
        ConfigurationBuilder<?> builder = ConfigurationBuilderFactory.newConfigurationBuilder();
        builder.setStatusLevel(Level.ERROR);
        builder.add(builder.newAppender("fe", "RandomAccessFile")
                .addAttribute("fileName", file.toString())
                .addAttribute("immediateFlush", false)
                .add(builder.newLayout("PatternLayout").addAttribute("pattern", pattern)));
        builder.add(builder.newRootLogger(Level.INFO).add(builder.newAppenderRef("fe")));
        Configurator.initialize(builder.build());
    }

    public static void main(String[] args) throws Exception {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        Path log = Files.createTempFile("fe", ".log");
        log.toFile().deleteOnExit();
        configureLog(log, fixed ? "%d %p [%t] %c{1} %m%n" : "%d %p [%t] %C{1}.%M():%L %m%n");
        Tomcat tomcat = new Tomcat();
        File base = Files.createTempDirectory("feed").toFile();
        tomcat.setBaseDir(base.getPath());
        tomcat.setPort(Integer.parseInt(args[0]));
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        tomcat.getConnector().setProperty("maxThreads", "32");
        Context context = tomcat.addContext("", base.getPath());
        Tomcat.addServlet(context, "feed", new StatusFeed());
        context.addServletMappingDecoded("/", "feed");
        tomcat.start();
        System.out.println("ready");
        tomcat.getServer().await();
    }
}
