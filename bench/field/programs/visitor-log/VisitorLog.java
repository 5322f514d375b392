package visitors;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.File;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Hashtable;
import java.util.concurrent.ThreadLocalRandom;
import javax.naming.Context;
import javax.naming.NamingException;
import javax.naming.directory.Attribute;
import javax.naming.directory.DirContext;
import javax.naming.directory.InitialDirContext;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;

/** The town's opening hours, with a log of who has asked. */
public final class VisitorLog extends HttpServlet {

    private static final long serialVersionUID = 1;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        int office = ThreadLocalRandom.current().nextInt(30);
        response.getWriter()
                .println("office " + office + ": " + (8 + office % 3) + ":00 to " + (15 + office % 4) + ":30");
    }

    /** Writes each visitor into the log. */
    static final class VisitorFilter extends HttpFilter {
        private static final long serialVersionUID = 1;
        private final transient Deque<String> log = new ArrayDeque<>();
        private final transient HostNames names;

        VisitorFilter(HostNames names) {
            this.names = names;
        }

        @Override
        protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            chain.doFilter(request, response);
            String forwarded = "10.1." + ThreadLocalRandom.current().nextInt(256) + "."
                    + ThreadLocalRandom.current().nextInt(256);
            String visitor = names == null ? forwarded : names.of(forwarded);
            synchronized (log) {
                log.add(visitor + " " + request.getMethod() + " " + request.getRequestURI() + " "
                        + response.getStatus());
                if (log.size() > 5000) {
                    log.remove();
                }
            }
        }
    }

    /** Names of addresses, asked of the town's name server. */
    static final class HostNames {
        private final Hashtable<String, String> settings = new Hashtable<>();

        HostNames(int port) {
            settings.put(Context.INITIAL_CONTEXT_FACTORY, "com.sun.jndi.dns.DnsContextFactory");
            settings.put(Context.PROVIDER_URL, "dns://127.0.0.1:" + port);
        }

        String of(String address) {
            String[] part = address.split("\\.");
            String name = part[3] + "." + part[2] + "." + part[1] + "." + part[0] + ".in-addr.arpa";
            try {
                DirContext dns = new InitialDirContext(settings);
                try {
                    Attribute pointer =
                            dns.getAttributes(name, new String[] {"PTR"}).get("PTR");
                    return pointer == null ? address : pointer.get().toString();
                } finally {
                    dns.close();
                }
            } catch (NamingException e) {
                return address;
            }
        }
    }

    /** The name server: answers each question after a while, with one PTR record. */
    private static int nameServer() throws IOException {
        DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
        Thread.ofPlatform().name("name-server").daemon().start(() -> {
            while (true) {
                try {
                    DatagramPacket question = new DatagramPacket(new byte[512], 512);
                    socket.receive(question);
                    Thread.ofVirtual().start(() -> reply(socket, question));
                } catch (IOException e) {
                    return;
                }
            }
        });
        return socket.getLocalPort();
    }

    private static void reply(DatagramSocket socket, DatagramPacket question) {
        try {
            Thread.sleep(30);
            byte[] host = "client.town.example".getBytes(StandardCharsets.US_ASCII);
            ByteBuffer answer = ByteBuffer.allocate(512);
            answer.put(question.getData(), 0, question.getLength());
            answer.putShort(2, (short) 0x8580)
                    .putShort(6, (short) 1)
                    .putShort(8, (short) 0)
                    .putShort(10, (short) 0);
            answer.putShort((short) 0xc00c)
                    .putShort((short) 12)
                    .putShort((short) 1)
                    .putInt(60);
            answer.putShort((short) (host.length + 2));
            for (String label : "client.town.example".split("\\.")) {
                answer.put((byte) label.length()).put(label.getBytes(StandardCharsets.US_ASCII));
            }
            answer.put((byte) 0);
            socket.send(new DatagramPacket(answer.array(), answer.position(), question.getSocketAddress()));
        } catch (IOException | InterruptedException e) {
            System.err.println("name server: " + e.getMessage());
        }
    }

    public static void main(String[] args) throws Exception {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        HostNames names = fixed ? null : new HostNames(nameServer());
        Tomcat tomcat = new Tomcat();
        File base = Files.createTempDirectory("visitors").toFile();
        tomcat.setBaseDir(base.getPath());
        tomcat.setPort(Integer.parseInt(args[0]));
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        tomcat.getConnector().setProperty("maxThreads", "40");
        org.apache.catalina.Context context = tomcat.addContext("", base.getPath());
        Tomcat.addServlet(context, "hours", new VisitorLog());
        context.addServletMappingDecoded("/", "hours");
        FilterDef filter = new FilterDef();
        filter.setFilterName("visitors");
        filter.setFilter(new VisitorFilter(names));
        context.addFilterDef(filter);
        FilterMap everywhere = new FilterMap();
        everywhere.setFilterName("visitors");
        everywhere.addURLPattern("/*");
        context.addFilterMap(everywhere);
        tomcat.start();
        System.out.println("ready");
        tomcat.getServer().await();
    }
}
