package dev.fettle.servers.war;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.undertow.servlet.api.DeploymentInfo;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServlet;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WarPartsTest {
    @TempDir
    Path folder;

    @Deprecated
    static class Marked extends HttpServlet implements Runnable {
        static final long BIG = 0x1234_5678_9abc_def0L;
        static final double SMALL = 1e-300;

        @Override
        public void run() {
            System.out.println(BIG + SMALL + "text".length());
        }
    }

    static class Filtering implements Filter {
        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain) {}
    }

    private static InputStream file(Class<?> type) {
        return Objects.requireNonNull(
                type.getResourceAsStream("/" + type.getName().replace('.', '/') + ".class"));
    }

    private void inWar(Class<?> type, byte[] file) throws IOException {
        Path to = folder.resolve("WEB-INF/classes/" + type.getName().replace('.', '/') + ".class");
        Files.createDirectories(to.getParent());
        Files.write(to, file);
    }

    @Test
    void classesAreFoundByWhatTheirFilesSay() throws Exception {
        inWar(Marked.class, file(Marked.class).readAllBytes());
        inWar(Filtering.class, file(Filtering.class).readAllBytes());
        try (WarLoader loader = WarLoader.of(folder, WarPartsTest.class.getClassLoader())) {
            WarClasses classes = WarClasses.of(folder, loader);
            Class<?> marked = loader.loadClass(Marked.class.getName());
            Class<?> filtering = loader.loadClass(Filtering.class.getName());
            assertThat(classes.annotated(Deprecated.class)).containsExactly(marked);
            assertThat(classes.annotated(Override.class))
                    .as("on a method, and not kept in the file")
                    .isEmpty();
            assertThat(classes.handled(Deprecated.class)).containsExactly(marked);
            assertThat(classes.handled(Runnable.class)).containsExactly(marked);
            assertThat(classes.handled(Servlet.class))
                    .as("by way of a class of the server")
                    .containsExactly(marked);
            assertThat(classes.handled(Filter.class)).containsExactly(filtering);
            assertThat(classes.handled(marked)).as("itself").isEmpty();
        }
    }

    @Test
    void aDamagedClassIsPassedOver() throws Exception {
        byte[] whole = file(Marked.class).readAllBytes();
        inWar(Filtering.class, file(Filtering.class).readAllBytes());
        for (int length = 0; length < whole.length; length += 7) {
            inWar(Marked.class, Arrays.copyOf(whole, length));
            try (WarLoader loader = WarLoader.of(folder, WarPartsTest.class.getClassLoader())) {
                assertThat(WarClasses.of(folder, loader).handled(Filter.class)).hasSize(1);
            }
        }
    }

    private static Xml xml(String text) throws IOException, WarException {
        return Xml.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "WEB-INF/web.xml");
    }

    private static DeploymentInfo described(String inside) throws Exception {
        DeploymentInfo info = new DeploymentInfo();
        Xml root = xml("<web-app xmlns='https://jakarta.ee/xml/ns/jakartaee'>" + inside + "</web-app>");
        Descriptor descriptor = new Descriptor(root, info, WarPartsTest.class.getClassLoader());
        descriptor.declare();
        descriptor.map();
        return info;
    }

    @Test
    void aDescriptorIsDescribedWhole() throws Exception {
        String servlet = "<servlet-name>s</servlet-name><servlet-class>" + Marked.class.getName() + "</servlet-class>";
        String filter = "<filter-name>f</filter-name><filter-class>" + Filtering.class.getName() + "</filter-class>";
        DeploymentInfo info = described("<context-param><param-name>a</param-name><param-value>1</param-value>"
                + "</context-param><servlet>" + servlet + "<load-on-startup>3</load-on-startup>"
                + "<async-supported>true</async-supported><multipart-config><max-file-size>7</max-file-size>"
                + "</multipart-config></servlet><servlet-mapping><servlet-name>s</servlet-name>"
                + "<url-pattern>/a</url-pattern><url-pattern>*.b</url-pattern></servlet-mapping><filter>" + filter
                + "</filter><filter-mapping><filter-name>f</filter-name><url-pattern>/*</url-pattern>"
                + "<dispatcher>ERROR</dispatcher><dispatcher>FORWARD</dispatcher></filter-mapping><session-config>"
                + "<session-timeout>5</session-timeout><cookie-config><name>ID</name><http-only>true</http-only>"
                + "</cookie-config></session-config><welcome-file-list><welcome-file>w.html</welcome-file>"
                + "</welcome-file-list><mime-mapping><extension>x</extension><mime-type>text/x</mime-type></mime-mapping>"
                + "<error-page><error-code>500</error-code><location>/e</location></error-page>");
        assertThat(info.getInitParameters()).containsEntry("a", "1");
        assertThat(info.getServlets().get("s").getMappings()).containsExactly("/a", "*.b");
        assertThat(info.getServlets().get("s").getLoadOnStartup()).isEqualTo(3);
        assertThat(info.getServlets().get("s").isAsyncSupported()).isTrue();
        assertThat(info.getServlets().get("s").getMultipartConfig().getMaxFileSize())
                .isEqualTo(7);
        assertThat(info.getFilterMappings())
                .extracting(m -> m.getDispatcher())
                .containsExactlyInAnyOrder(DispatcherType.ERROR, DispatcherType.FORWARD);
        assertThat(info.getDefaultSessionTimeout()).isEqualTo(300);
        assertThat(info.getServletSessionConfig().getName()).isEqualTo("ID");
        assertThat(info.getWelcomePages()).containsExactly("w.html");
        assertThat(info.getMimeMappings()).extracting(m -> m.getMimeType()).containsExactly("text/x");
        assertThat(info.getErrorPages()).extracting(e -> e.getErrorCode()).containsExactly(500);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "<servlet><servlet-class>a.B</servlet-class></servlet>|a <servlet> has no <servlet-name>",
                "<servlet><servlet-name>a</servlet-name><servlet-class>java.lang.String</servlet-class></servlet>"
                        + "|web.xml: java.lang.String is no jakarta.servlet.Servlet",
                "<servlet-mapping><servlet-name>a</servlet-name></servlet-mapping>|maps the servlet 'a', which is not declared",
                "<filter-mapping><filter-name>a</filter-name></filter-mapping>|maps the filter 'a', which is not declared",
                "<session-config><session-timeout>long</session-timeout></session-config>"
                        + "|web.xml: <session-timeout> is a whole number, not 'long'",
                "<open>|WEB-INF/web.xml: line 1: ",
            })
    void aMistakeInADescriptorIsTold(String inside, String words) {
        assertThatExceptionOfType(WarException.class)
                .isThrownBy(() -> described(inside))
                .withMessageContaining(words);
    }

    @Test
    void aDocumentTypeIsRefusedAndNothingIsFetched() throws Exception {
        Path secret = Files.writeString(folder.resolve("secret"), "swordfish");
        assertThatExceptionOfType(WarException.class)
                .isThrownBy(() ->
                        xml("<!DOCTYPE web-app [<!ENTITY e SYSTEM '" + secret.toUri() + "'>]>\n<web-app>&e;</web-app>"))
                .withMessage("WEB-INF/web.xml: line 1: a document type is not read, and so no entities: leave it out");
    }

    @Test
    void aWarsOwnClassesComeFirstButForThoseOfTheServer() throws Exception {
        for (Class<?> type : List.of(Marked.class, HttpServlet.class)) {
            inWar(type, file(type).readAllBytes());
        }
        try (WarLoader loader = WarLoader.of(folder, WarPartsTest.class.getClassLoader())) {
            assertThat(loader.loadClass(Marked.class.getName()))
                    .isNotEqualTo(Marked.class)
                    .isAssignableTo(HttpServlet.class);
            assertThat(loader.loadClass(HttpServlet.class.getName())).isSameAs(HttpServlet.class);
            assertThat(loader.loadClass("java.lang.String")).isSameAs(String.class);
            String name = Marked.class.getName().replace('.', '/') + ".class";
            List<URL> all = Collections.list(loader.getResources(name));
            assertThat(all).hasSize(2).doesNotHaveDuplicates();
            assertThat(loader.getResource(name)).isEqualTo(all.get(0));
        }
    }
}
