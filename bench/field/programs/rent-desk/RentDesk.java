package rents;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.apache.logging.log4j.core.config.Configurator;
import org.apache.logging.log4j.core.config.builder.api.ConfigurationBuilder;
import org.apache.logging.log4j.core.config.builder.api.ConfigurationBuilderFactory;
import org.apache.logging.log4j.core.config.builder.impl.BuiltConfiguration;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** Looks for a car to rent; each partner's rules are a plug-in with a class loader of its own. */
public final class RentDesk extends Handler.Abstract {

    /** What a plug-in offers. */
    public interface Rule {
        int price(int car, int days);
    }

    private final Logger log = LogManager.getLogger(RentDesk.class);

    private final Rule rules;

    RentDesk(Rule rules) {
        this.rules = rules;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        int days = 1 + ThreadLocalRandom.current().nextInt(14);
        int cheapest = Integer.MAX_VALUE;
        for (int i = 0; i < 6; i++) {
            int car = ThreadLocalRandom.current().nextInt(900);
            try {
                cheapest = Math.min(cheapest, rules.price(car, days));
            } catch (IllegalStateException e) {
                log.warn("no price for car {}", car, e);
            }
        }
        String text = cheapest == Integer.MAX_VALUE ? "no car\n" : days + " days from " + cheapest + "\n";
        response.getHeaders().put("Content-Type", "text/plain");
        response.write(true, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), callback);
        return true;
    }

    private static int basic(int car, int days) {
        if (car % 2 == 1) {
            throw new IllegalStateException("car " + car + " is in the workshop");
        }
        return days * (30 + car % 17);
    }

    /** The rules of eight partners, one around the other. */
    private static Rule plugIns() {
        Rule rule = RentDesk::basic;
        for (int partner = 0; partner < 8; partner++) {
            Rule next = rule;
            int discount = partner % 3;
            InvocationHandler around = (proxy, method, values) -> {
                try {
                    return (Integer) method.invoke(next, values) - discount;
                } catch (InvocationTargetException e) {
                    throw e.getCause();
                }
            };
            ClassLoader own = new URLClassLoader("partner-" + partner, new URL[0], RentDesk.class.getClassLoader());
            rule = (Rule) Proxy.newProxyInstance(own, new Class<?>[] {Rule.class}, around);
        }
        return rule;
    }

    private static void logTo(Path folder, String pattern) {
        ConfigurationBuilder<BuiltConfiguration> builder = ConfigurationBuilderFactory.newConfigurationBuilder();
        builder.setStatusLevel(Level.ERROR);
        builder.add(builder.newAppender("file", "RollingFile")
                .addAttribute("fileName", folder.resolve("rents.log").toString())
                .addAttribute("filePattern", folder.resolve("rents-%i.log").toString())
                .add(builder.newLayout("PatternLayout").addAttribute("pattern", pattern))
                .addComponent(builder.newComponent("Policies")
                        .addComponent(builder.newComponent("SizeBasedTriggeringPolicy")
                                .addAttribute("size", "20MB")))
                .addComponent(builder.newComponent("DefaultRolloverStrategy").addAttribute("max", "2")));
        builder.add(builder.newRootLogger(Level.INFO).add(builder.newAppenderRef("file")));
        Configurator.initialize(builder.build());
    }

    public static void main(String[] args) throws Exception {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        Path folder = Files.createTempDirectory("rents");
        for (String name : List.of("", "rents.log", "rents-1.log", "rents-2.log")) {
            folder.resolve(name).toFile().deleteOnExit();
        }
        logTo(folder, fixed ? "%d %p %c{1} %m%n%ex" : "%d %p %c{1} %m%n");
        Server server = new Server(new QueuedThreadPool(40));
        ServerConnector connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        connector.setPort(Integer.parseInt(args[0]));
        server.addConnector(connector);
        server.setHandler(new RentDesk(plugIns()));
        server.start();
        System.out.println("ready");
    }
}
