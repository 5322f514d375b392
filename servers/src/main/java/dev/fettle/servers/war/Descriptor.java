package dev.fettle.servers.war;

import io.undertow.servlet.api.DeploymentInfo;
import io.undertow.servlet.api.ErrorPage;
import io.undertow.servlet.api.FilterInfo;
import io.undertow.servlet.api.ListenerInfo;
import io.undertow.servlet.api.MimeMapping;
import io.undertow.servlet.api.ServletInfo;
import io.undertow.servlet.api.ServletSessionConfig;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.Servlet;
import java.util.EnumSet;
import java.util.EventListener;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Describes what a {@code web.xml} or a fragment says to Undertow. What was described before stays. */
record Descriptor(Xml root, DeploymentInfo info, ClassLoader loader) {
    /** What Undertow's servlet container leaves to those who embed it, and Fettle does not do. */
    private static final List<String> LEFT_OUT = List.of("""
            security-constraint login-config jsp-config env-entry resource-ref resource-env-ref data-source ejb-ref
            ejb-local-ref persistence-context-ref persistence-unit-ref absolute-ordering""".split("\\s+"));

    /** Whether annotations and fragments are not to be looked for. */
    boolean complete() {
        return Boolean.parseBoolean(root.element().getAttribute("metadata-complete"));
    }

    /** The elements it has that are left out. */
    List<String> leftOut() {
        return LEFT_OUT.stream().filter(n -> root.one(n).isPresent()).toList();
    }

    /** The servlets that have mappings here, which then take the place of those of their annotations. */
    Set<String> mapped() {
        Set<String> names = new LinkedHashSet<>();
        root.all("servlet-mapping").forEach(m -> m.text("servlet-name").ifPresent(names::add));
        root.all("filter-mapping").forEach(m -> m.text("filter-name").ifPresent(names::add));
        return names;
    }

    /** Describes all but the mappings, whose servlets and filters may come from annotations. */
    void declare() throws WarException, ReflectiveOperationException {
        root.text("display-name").ifPresent(info::setDisplayName);
        for (Xml p : root.all("context-param")) {
            info.getInitParameters().putIfAbsent(p.need("param-name"), p.need("param-value"));
        }
        for (Xml servlet : root.all("servlet")) {
            servlet(servlet);
        }
        for (Xml filter : root.all("filter")) {
            filter(filter);
        }
        for (Xml l : root.all("listener")) {
            info.addListener(new ListenerInfo(load(l.need("listener-class"), EventListener.class)));
        }
        root.one("welcome-file-list").ifPresent(w -> info.addWelcomePages(w.texts("welcome-file")));
        for (Xml error : root.all("error-page")) {
            info.addErrorPage(errorPage(error));
        }
        for (Xml mime : root.all("mime-mapping")) {
            info.addMimeMapping(new MimeMapping(mime.need("extension"), mime.need("mime-type")));
        }
        for (Xml session : root.all("session-config")) {
            session(session);
        }
        for (Xml list : root.all("locale-encoding-mapping-list")) {
            for (Xml m : list.all("locale-encoding-mapping")) {
                info.addLocaleCharsetMapping(m.need("locale"), m.need("encoding"));
            }
        }
        root.text("request-character-encoding").ifPresent(info::setDefaultRequestEncoding);
        root.text("response-character-encoding").ifPresent(info::setDefaultResponseEncoding);
    }

    private void servlet(Xml xml) throws WarException, ReflectiveOperationException {
        String name = xml.need("servlet-name");
        if (info.getServlets().containsKey(name)) {
            return;
        }
        Optional<String> jsp = xml.text("jsp-file");
        ServletInfo servlet = jsp.isPresent()
                ? Jsps.file(name, jsp.get())
                : new ServletInfo(name, load(xml.need("servlet-class"), Servlet.class));
        for (Xml p : xml.all("init-param")) {
            servlet.addInitParam(p.need("param-name"), p.need("param-value"));
        }
        Optional<String> order = xml.text("load-on-startup").filter(t -> !t.isEmpty());
        if (order.isPresent()) {
            servlet.setLoadOnStartup(number(order.get(), "load-on-startup"));
        }
        servlet.setAsyncSupported(flag(xml, "async-supported", false));
        servlet.setEnabled(flag(xml, "enabled", true));
        Optional<Xml> multipart = xml.one("multipart-config");
        if (multipart.isPresent()) {
            servlet.setMultipartConfig(multipart(multipart.get()));
        }
        info.addServlet(servlet);
    }

    private static MultipartConfigElement multipart(Xml xml) throws WarException {
        return new MultipartConfigElement(
                xml.text("location").orElse(""),
                number(xml.text("max-file-size").orElse("-1"), "max-file-size"),
                number(xml.text("max-request-size").orElse("-1"), "max-request-size"),
                number(xml.text("file-size-threshold").orElse("0"), "file-size-threshold"));
    }

    private void filter(Xml xml) throws WarException, ReflectiveOperationException {
        String name = xml.need("filter-name");
        if (info.getFilters().containsKey(name)) {
            return;
        }
        FilterInfo filter = new FilterInfo(name, load(xml.need("filter-class"), Filter.class));
        for (Xml p : xml.all("init-param")) {
            filter.addInitParam(p.need("param-name"), p.need("param-value"));
        }
        info.addFilter(filter.setAsyncSupported(flag(xml, "async-supported", false)));
    }

    private ErrorPage errorPage(Xml xml) throws WarException, ReflectiveOperationException {
        String location = xml.need("location");
        Optional<String> code = xml.text("error-code");
        Optional<String> type = xml.text("exception-type");
        if (code.isPresent()) {
            return new ErrorPage(location, number(code.get(), "error-code"));
        }
        return type.isPresent() ? new ErrorPage(location, load(type.get(), Throwable.class)) : new ErrorPage(location);
    }

    private void session(Xml xml) throws WarException {
        Optional<String> minutes = xml.text("session-timeout");
        if (minutes.isPresent()) {
            info.setDefaultSessionTimeout(Math.multiplyExact(60, number(minutes.get(), "session-timeout")));
        }
        Optional<Xml> cookie = xml.one("cookie-config");
        if (cookie.isPresent()) {
            ServletSessionConfig config = new ServletSessionConfig();
            cookie.get().text("name").ifPresent(config::setName);
            cookie.get().text("path").ifPresent(config::setPath);
            config.setHttpOnly(flag(cookie.get(), "http-only", false));
            config.setSecure(flag(cookie.get(), "secure", false));
            info.setServletSessionConfig(config);
        }
    }

    /** Describes the mappings. */
    void map() throws WarException {
        for (Xml mapping : root.all("servlet-mapping")) {
            String name = mapping.need("servlet-name");
            ServletInfo servlet = info.getServlets().get(name);
            if (servlet == null) {
                throw new WarException("web.xml maps the servlet '" + name + "', which is not declared");
            }
            servlet.addMappings(mapping.texts("url-pattern"));
        }
        for (Xml mapping : root.all("filter-mapping")) {
            String name = mapping.need("filter-name");
            if (!info.getFilters().containsKey(name)) {
                throw new WarException("web.xml maps the filter '" + name + "', which is not declared");
            }
            for (DispatcherType dispatcher : dispatchers(mapping.texts("dispatcher"))) {
                mapping.texts("url-pattern").forEach(p -> info.addFilterUrlMapping(name, p, dispatcher));
                mapping.texts("servlet-name").forEach(s -> info.addFilterServletNameMapping(name, s, dispatcher));
            }
        }
    }

    private static Set<DispatcherType> dispatchers(List<String> names) throws WarException {
        Set<DispatcherType> types = EnumSet.noneOf(DispatcherType.class);
        for (String name : names) {
            try {
                types.add(DispatcherType.valueOf(name));
            } catch (IllegalArgumentException e) {
                throw new WarException("web.xml: there is no dispatcher '" + name + "'", e);
            }
        }
        return types.isEmpty() ? EnumSet.of(DispatcherType.REQUEST) : types;
    }

    private <T> Class<? extends T> load(String name, Class<T> type) throws WarException, ReflectiveOperationException {
        Class<?> found = Class.forName(name, false, loader);
        if (!type.isAssignableFrom(found)) {
            throw new WarException("web.xml: " + name + " is no " + type.getName());
        }
        return found.asSubclass(type);
    }

    private static boolean flag(Xml xml, String name, boolean otherwise) {
        return xml.text(name).map(Boolean::parseBoolean).orElse(otherwise);
    }

    private static int number(String text, String of) throws WarException {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new WarException("web.xml: <" + of + "> is a whole number, not '" + text + "'", e);
        }
    }
}
