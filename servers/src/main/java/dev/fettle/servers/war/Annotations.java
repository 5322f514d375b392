package dev.fettle.servers.war;

import io.undertow.servlet.api.DeploymentInfo;
import io.undertow.servlet.api.FilterInfo;
import io.undertow.servlet.api.ListenerInfo;
import io.undertow.servlet.api.ServletInfo;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.Servlet;
import jakarta.servlet.annotation.MultipartConfig;
import jakarta.servlet.annotation.WebFilter;
import jakarta.servlet.annotation.WebInitParam;
import jakarta.servlet.annotation.WebListener;
import jakarta.servlet.annotation.WebServlet;
import java.util.ArrayList;
import java.util.EventListener;
import java.util.List;
import java.util.Set;

/**
 * Describes to Undertow the servlets, filters and listeners that say so themselves; what is described already stays.
 *
 * @param mapped names of servlets and filters that a descriptor maps
 */
record Annotations(DeploymentInfo info, Set<String> mapped) {
    void declare(WarClasses classes) throws WarException {
        for (Class<?> type : classes.annotated(WebServlet.class)) {
            servlet(subtype(type, Servlet.class), type.getAnnotation(WebServlet.class));
        }
        for (Class<?> type : classes.annotated(WebFilter.class)) {
            filter(subtype(type, Filter.class), type.getAnnotation(WebFilter.class));
        }
        for (Class<?> type : classes.annotated(WebListener.class)) {
            Class<? extends EventListener> listener = subtype(type, EventListener.class);
            boolean known = info.getListeners().stream().anyMatch(l -> l.getListenerClass() == listener);
            if (!known) {
                info.addListener(new ListenerInfo(listener));
            }
        }
    }

    private static <T> Class<? extends T> subtype(Class<?> type, Class<T> of) throws WarException {
        if (!of.isAssignableFrom(type)) {
            throw new WarException(type.getName() + " has an annotation for a " + of.getName() + " and is none");
        }
        return type.asSubclass(of);
    }

    private void servlet(Class<? extends Servlet> type, WebServlet says) {
        String name = says.name().isEmpty() ? type.getName() : says.name();
        if (info.getServlets().containsKey(name)) {
            return;
        }
        ServletInfo servlet = new ServletInfo(name, type)
                .setLoadOnStartup(says.loadOnStartup())
                .setAsyncSupported(says.asyncSupported());
        for (WebInitParam p : says.initParams()) {
            servlet.addInitParam(p.name(), p.value());
        }
        if (!mapped.contains(name)) {
            servlet.addMappings(either(says.value(), says.urlPatterns()));
        }
        MultipartConfig multipart = type.getAnnotation(MultipartConfig.class);
        if (multipart != null) {
            servlet.setMultipartConfig(new MultipartConfigElement(multipart));
        }
        info.addServlet(servlet);
    }

    private void filter(Class<? extends Filter> type, WebFilter says) {
        String name = says.filterName().isEmpty() ? type.getName() : says.filterName();
        if (info.getFilters().containsKey(name)) {
            return;
        }
        FilterInfo filter = new FilterInfo(name, type).setAsyncSupported(says.asyncSupported());
        for (WebInitParam p : says.initParams()) {
            filter.addInitParam(p.name(), p.value());
        }
        info.addFilter(filter);
        if (mapped.contains(name)) {
            return;
        }
        for (DispatcherType dispatcher : says.dispatcherTypes()) {
            either(says.value(), says.urlPatterns()).forEach(p -> info.addFilterUrlMapping(name, p, dispatcher));
            List.of(says.servletNames()).forEach(s -> info.addFilterServletNameMapping(name, s, dispatcher));
        }
    }

    private static List<String> either(String[] value, String[] patterns) {
        List<String> all = new ArrayList<>(List.of(value));
        all.addAll(List.of(patterns));
        return all;
    }
}
