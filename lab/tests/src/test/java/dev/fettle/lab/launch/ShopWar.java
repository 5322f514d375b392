package dev.fettle.lab.launch;

import dev.fettle.lab.Fixtures;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/**
 * A real WAR with one of each: a servlet, a filter and a listener by annotation, a servlet in {@code web.xml}, a library whose
 * initializer asks for subtypes, a welcome file, a static file, a file and a tag library of the library, and a JSP.
 */
final class ShopWar {
    private static final String WEB_XML = """
            <?xml version="1.0" encoding="UTF-8"?>
            <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0">
              <servlet>
                <servlet-name>described</servlet-name>
                <servlet-class>shop.Described</servlet-class>
                <init-param><param-name>word</param-name><param-value>by web.xml</param-value></init-param>
              </servlet>
              <servlet-mapping><servlet-name>described</servlet-name><url-pattern>/described/*</url-pattern></servlet-mapping>
              <error-page><error-code>404</error-code><location>/lost.txt</location></error-page>
            </web-app>
            """;

    private static final Map<String, String> LIBRARY =
            Map.of("starter/Plugin", """
            package starter;
            public interface Plugin {}
            """, "starter/Starter", """
            package starter;
            import jakarta.servlet.*;
            import java.util.*;
            @jakarta.servlet.annotation.HandlesTypes(Plugin.class)
            public class Starter implements ServletContainerInitializer {
                public void onStartup(Set<Class<?>> types, ServletContext context) {
                    List<String> names = new ArrayList<>();
                    if (types != null) types.forEach(t -> names.add(t.getSimpleName()));
                    Collections.sort(names);
                    context.setAttribute("plugins", names);
                }
            }
            """, "starter/Shout", """
            package starter;
            public class Shout extends jakarta.servlet.jsp.tagext.SimpleTagSupport {
                private Object what;
                public void setWhat(Object what) { this.what = what; }
                public void doTag() throws java.io.IOException { getJspContext().getOut().print(loud("" + what)); }
                public static String loud(String text) { return text.toUpperCase(); }
            }
            """);

    private static final String TLD = """
            <?xml version="1.0" encoding="UTF-8"?>
            <taglib xmlns="https://jakarta.ee/xml/ns/jakartaee" version="3.0">
              <tlib-version>1.0</tlib-version>
              <short-name>s</short-name>
              <uri>urn:starter</uri>
              <tag>
                <name>shout</name>
                <tag-class>starter.Shout</tag-class>
                <body-content>empty</body-content>
                <attribute><name>what</name><required>true</required><rtexprvalue>true</rtexprvalue></attribute>
              </tag>
              <function>
                <name>loud</name>
                <function-class>starter.Shout</function-class>
                <function-signature>java.lang.String loud(java.lang.String)</function-signature>
              </function>
            </taglib>
            """;

    private static final Map<String, String> CLASSES = Map.of(
            "shop/Base",
            """
            package shop;
            public abstract class Base implements starter.Plugin {}
            """,
            "shop/Sale",
            """
            package shop;
            public class Sale extends Base {}
            """,
            "shop/Annotated",
            """
            package shop;
            import jakarta.servlet.http.*;
            @jakarta.servlet.annotation.WebServlet("/annotated")
            public class Annotated extends HttpServlet {
                protected void doGet(HttpServletRequest q, HttpServletResponse a) throws java.io.IOException {
                    a.setContentType("text/plain");
                    a.getWriter().print("annotated " + q.getAttribute("marked") + " "
                        + getServletContext().getAttribute("opened") + " " + getServletContext().getAttribute("plugins"));
                }
            }
            """,
            "shop/Described",
            """
            package shop;
            import jakarta.servlet.http.*;
            public class Described extends HttpServlet {
                protected void doGet(HttpServletRequest q, HttpServletResponse a) throws java.io.IOException {
                    a.getWriter().print(getInitParameter("word") + " at " + q.getContextPath() + q.getPathInfo());
                }
            }
            """,
            "shop/Marking",
            """
            package shop;
            import jakarta.servlet.*;
            @jakarta.servlet.annotation.WebFilter("/*")
            public class Marking implements Filter {
                public void doFilter(ServletRequest q, ServletResponse a, FilterChain next)
                        throws java.io.IOException, ServletException {
                    q.setAttribute("marked", "marked");
                    next.doFilter(q, a);
                }
            }
            """,
            "shop/Opened",
            """
            package shop;
            import jakarta.servlet.*;
            @jakarta.servlet.annotation.WebListener
            public class Opened implements ServletContextListener {
                public void contextInitialized(ServletContextEvent event) {
                    event.getServletContext().setAttribute("opened", "opened");
                    if (Boolean.getBoolean("shop.shut")) {
                        throw new IllegalStateException("no database");
                    }
                }
            }
            """);

    private static final String JSP = """
            <%@ page contentType="text/plain" %><%@ taglib prefix="s" uri="urn:starter" %><%
            int sum = 0; for (int i = 1; i <= 6; i++) { sum += i; }
            %>sum <%= sum %> ${1 + 1} <%= request.getAttribute("marked") %> on <%= request.getContextPath() %> \
            <s:shout what="${'loud'}"/> ${s:loud('too')}!""";

    private ShopWar() {}

    /** A file {@code shop.war} in a folder. */
    static Path in(Path folder) throws IOException {
        Path library = compiled(LIBRARY, folder.resolve("library"), List.of());
        var jar = new LinkedHashMap<String, byte[]>();
        classes(library).forEach(jar::put);
        jar.put(
                "META-INF/services/jakarta.servlet.ServletContainerInitializer",
                "starter.Starter".getBytes(StandardCharsets.UTF_8));
        jar.put("META-INF/starter.tld", Wars.bytes(TLD));
        jar.put("META-INF/resources/library.txt", Wars.bytes("of the library"));
        Path starter = Wars.zip(folder.resolve("starter.jar"), jar);

        var war = new LinkedHashMap<String, byte[]>();
        classes(compiled(CLASSES, folder.resolve("classes"), List.of(library)))
                .forEach((name, bytes) -> war.put("WEB-INF/classes/" + name, bytes));
        war.put("WEB-INF/lib/starter.jar", Files.readAllBytes(starter));
        war.put("WEB-INF/web.xml", Wars.bytes(WEB_XML));
        war.put("index.html", Wars.bytes("welcome"));
        war.put("hello.txt", Wars.bytes("a file"));
        war.put("lost.txt", Wars.bytes("nothing there"));
        war.put("page.jsp", Wars.bytes(JSP));
        return Wars.zip(folder.resolve("shop.war"), war);
    }

    private static Path compiled(Map<String, String> sources, Path out, List<Path> classPath) throws IOException {
        Files.createDirectories(out);
        var arguments = new ArrayList<>(List.of("--release", "17", "-proc:none", "-d", out.toString(), "-cp"));
        var path = new ArrayList<>(classPath);
        try (Stream<Path> jars = Files.list(Fixtures.home().resolve("servers/war/tomcat/build/lib"))) {
            jars.filter(j -> j.getFileName().toString().startsWith("tomcat-embed"))
                    .forEach(path::add);
        }
        arguments.add(String.join(":", path.stream().map(Path::toString).toList()));
        for (var source : sources.entrySet()) {
            Path file = out.resolveSibling(out.getFileName() + "-src").resolve(source.getKey() + ".java");
            Files.createDirectories(file.getParent());
            arguments.add(Files.writeString(file, source.getValue()).toString());
        }
        int code = ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new));
        if (code != 0) {
            throw new IOException("the classes of the WAR do not compile");
        }
        return out;
    }

    private static Map<String, byte[]> classes(Path folder) throws IOException {
        var all = new LinkedHashMap<String, byte[]>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                all.put(folder.relativize(file).toString(), Files.readAllBytes(file));
            }
        }
        return all;
    }
}
