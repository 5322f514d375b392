package dev.fettle.agent;

import io.undertow.Undertow;
import io.undertow.UndertowOptions;
import io.undertow.server.handlers.BlockingHandler;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.util.Locale;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.core.StandardThreadExecutor;
import org.apache.catalina.startup.Tomcat;
import org.apache.catalina.valves.SemaphoreValve;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.LowResourceMonitor;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.QoSHandler;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.ThreadPool;
import org.eclipse.jetty.util.thread.VirtualThreadPool;
import org.xnio.Options;

/**
 * Servers started the way people start them, without any knowledge of Fettle. Prints the ports it listens on, and ends
 * when its input does. A request takes {@link #MILLIS}.
 */
public final class ServerMain {
    static final int MILLIS = 500;

    private ServerMain() {}

    public static void main(String[] args) throws Exception {
        Logger.getLogger("").setLevel(Level.SEVERE);
        String ports = switch (args[0]) {
            case "tomcat",
                    "tomcat-executor",
                    "tomcat-virtual",
                    "tomcat-tasks-virtual",
                    "tomcat-unknown",
                    "tomcat-jdk" -> tomcat(args[0]);
            case "jetty" -> jetty(new QueuedThreadPool(41, 5, 45_678), false);
            case "jetty-virtual" -> jetty(new VirtualThreadPool(51), true);
            case "undertow" -> undertow();
            default -> "";
        };
        System.out.println("ports " + ports);
        while (System.in.read() >= 0) {
            continue;
        }
        if (!ports.isEmpty()) {
            System.exit(0); // servers' threads are no daemons; without a server, this thread is the last
        }
    }

    private static void work() throws IOException {
        try {
            Thread.sleep(MILLIS);
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    private static String tomcat(String kind) throws Exception {
        var tomcat = new Tomcat();
        String base = Files.createTempDirectory("agent-tomcat").toString();
        tomcat.setBaseDir(base);
        Connector connector = connector("maxThreads=37", "minSpareThreads=3", "acceptCount=321", "maxConnections=777");
        set(
                connector,
                "keepAliveTimeout=12345",
                "maxKeepAliveRequests=17",
                "maxQueueSize=19",
                "socket.rxBufSize=65536");
        if (kind.equals("tomcat-virtual")) {
            set(connector, "useVirtualThreads=true");
        }
        if (kind.equals("tomcat-executor")) {
            var executor = new StandardThreadExecutor();
            executor.setName("shared");
            executor.setMaxThreads(23);
            executor.setMinSpareThreads(2);
            executor.setMaxQueueSize(29);
            tomcat.getService().addExecutor(executor);
            connector.getProtocolHandler().setExecutor(executor);
        }
        if (kind.equals("tomcat-tasks-virtual")) { // of Java 21
            connector.getProtocolHandler().setExecutor((Executor)
                    Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null));
        }
        if (kind.equals("tomcat-unknown")) {
            connector.getProtocolHandler().setExecutor(new ForkJoinPool(5));
        }
        if (kind.equals("tomcat-jdk")) {
            connector
                    .getProtocolHandler()
                    .setExecutor(new ThreadPoolExecutor(13, 13, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>(8)));
        }
        tomcat.setConnector(connector);
        Connector second = connector("maxThreads=11");
        tomcat.getService().addConnector(second);
        var admission = new SemaphoreValve();
        admission.setConcurrency(9);
        tomcat.getHost().getPipeline().addValve(admission);
        Context context = tomcat.addContext("", base);
        Tomcat.addServlet(context, "app", new HttpServlet() {
            @Override
            protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
                work();
                response.getWriter().println("fine");
            }
        });
        context.addServletMappingDecoded("/*", "app");
        tomcat.start();
        return connector.getLocalPort() + " " + second.getLocalPort();
    }

    private static Connector connector(String... attributes) {
        var connector = new Connector();
        connector.setPort(0);
        set(connector, "address=127.0.0.1");
        set(connector, attributes);
        return connector;
    }

    private static void set(Connector connector, String... attributes) {
        for (String attribute : attributes) {
            String[] pair = attribute.split("=");
            if (!connector.setProperty(pair[0], pair[1])) {
                throw new IllegalArgumentException(attribute);
            }
        }
    }

    private static String jetty(ThreadPool threads, boolean hook) throws Exception {
        var server = new Server(threads);
        server.setStopAtShutdown(hook);
        var connector = new ServerConnector(server, 1, 2);
        connector.setHost("127.0.0.1");
        connector.setAcceptQueueSize(321);
        connector.setIdleTimeout(12_345);
        server.addConnector(connector);
        server.addBean(new NetworkConnectionLimit(777, server));
        var monitor = new LowResourceMonitor(server);
        monitor.setMonitorThreads(hook);
        server.addBean(monitor);
        var admission = new QoSHandler(new Handler.Abstract() {
            @Override
            public boolean handle(Request request, Response response, Callback callback) throws Exception {
                work();
                Content.Sink.write(response, true, "fine", callback);
                return true;
            }
        });
        admission.setMaxRequestCount(9);
        server.setHandler(admission);
        server.start();
        return Integer.toString(connector.getLocalPort());
    }

    private static String undertow() {
        Undertow undertow = Undertow.builder()
                .addHttpListener(0, "127.0.0.1")
                .setIoThreads(3)
                .setWorkerThreads(29)
                .setBufferSize(4096)
                .setSocketOption(Options.CONNECTION_HIGH_WATER, 777)
                .setSocketOption(Options.CONNECTION_LOW_WATER, 777)
                .setServerOption(UndertowOptions.NO_REQUEST_TIMEOUT, 12_345)
                .setHandler(new BlockingHandler(exchange -> {
                    work();
                    exchange.getResponseSender().send("fine");
                }))
                .build();
        undertow.start();
        var address = (InetSocketAddress) undertow.getListenerInfo().get(0).getAddress();
        return String.format(Locale.ROOT, "%d", address.getPort());
    }
}
