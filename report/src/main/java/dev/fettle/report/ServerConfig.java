package dev.fettle.report;

import dev.fettle.model.JettyPlace;
import dev.fettle.model.ServerKind;
import dev.fettle.model.ServerXmlPlace;
import dev.fettle.model.Setting;
import dev.fettle.model.boot.BootProperties;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Configuration files and code of the embedded servers. */
final class ServerConfig {
    private static final Pattern LITERAL = Pattern.compile("-?[0-9]{1,10}|true|false");

    private ServerConfig() {}

    static List<Snippet> snippets(ServerKind server, Setting setting, String comment) {
        var all = new ArrayList<Snippet>();
        all.add(
                switch (server) {
                    case TOMCAT -> tomcat(setting, comment);
                    case JETTY -> jetty(setting, comment);
                    case UNDERTOW -> undertow(setting, comment);
                });
        boot(server, own(server, setting), comment).ifPresent(all::add);
        return all;
    }

    /** The knobs of the server that differ from its defaults; those of the JVM and the process are left out. */
    private static Map<String, String> own(ServerKind server, Setting setting) {
        var own = new LinkedHashMap<String, String>();
        setting.values().forEach((k, v) -> {
            if (NativeNames.ofServer(k) && !NativeNames.isDefault(server, k, v)) {
                own.put(k, v);
            }
        });
        return own;
    }

    private static Snippet tomcat(Setting setting, String comment) {
        var xml = new ServerXml();
        var remarks = new ArrayList<String>();
        own(ServerKind.TOMCAT, setting).forEach((knob, value) -> {
            List<ServerXmlPlace> places = NativeNames.tomcat(knob);
            places.forEach(p -> xml.put(p, NativeNames.value(ServerKind.TOMCAT, knob, value)));
            if (places.isEmpty()) {
                remarks.add(knob + "=" + value + " has no attribute of the Connector");
            }
        });
        var out = new StringBuilder("<!-- ").append(Escapes.xmlComment(comment)).append(" -->\n");
        remarks.forEach(r -> out.append("<!-- ").append(Escapes.xmlComment(r)).append(" -->\n"));
        out.append(xml.render());
        return new Snippet("Tomcat: conf/server.xml", "xml", out.toString());
    }

    private static Snippet jetty(Setting setting, String comment) {
        var lines = new ArrayList<String>();
        var modules = new TreeSet<String>();
        boolean virtual = setting.get("threads.virtual").filter("true"::equals).isPresent();
        own(ServerKind.JETTY, setting).forEach((knob, value) -> {
            var places = NativeNames.jetty(knob);
            if (places.isEmpty()) {
                lines.add("# " + Escapes.comment(knob + "=" + value) + " has no line in Jetty's ini files");
            }
            for (JettyPlace place : places) {
                JettyPlace p = virtual ? place.withVirtualThreads() : place;
                if (!p.isAlwaysOn() && !(p.isSwitch() && value.equals("false"))) {
                    modules.add(p.module());
                }
                if (!p.isSwitch()) {
                    lines.add(p.property() + "=" + Escapes.property(NativeNames.value(ServerKind.JETTY, knob, value)));
                }
            }
        });
        var out = new StringBuilder("# ").append(Escapes.comment(comment)).append('\n');
        // below a file such as ee11-deploy.ini, which comes first, properties would be that environment's
        out.append("--modules=server\n");
        modules.forEach(m -> out.append("--module=").append(m).append('\n'));
        lines.forEach(l -> out.append(l).append('\n'));
        return new Snippet("Jetty: start.d/fettle.ini", "properties", out.toString());
    }

    private static Snippet undertow(Setting setting, String comment) {
        var lines = new StringBuilder();
        var remarks = new ArrayList<String>();
        own(ServerKind.UNDERTOW, setting).forEach((knob, value) -> {
            String own = NativeNames.value(ServerKind.UNDERTOW, knob, value);
            Optional<String> line = LITERAL.matcher(own).matches() ? NativeNames.undertow(knob) : Optional.empty();
            if (line.isPresent()) {
                lines.append("\n    ").append(line.get().replace("%s", own));
            } else if (!knob.startsWith("admission.")) {
                remarks.add(undertowRemark(knob, value));
            }
        });
        setting.get("admission.max").filter(v -> LITERAL.matcher(v).matches()).ifPresent(max -> {
            String queue = setting.get("admission.queue")
                    .filter(v -> LITERAL.matcher(v).matches())
                    .orElse("");
            // to Undertow a queue of 0 is a queue without bound
            String bound = queue.isEmpty() ? "" : (queue.equals("0") ? "1" : queue) + ", ";
            lines.append("\n    .setHandler(new RequestLimitingHandler(")
                    .append(max)
                    .append(", ")
                    .append(bound)
                    .append("handler))");
        });
        var out = new StringBuilder("// ").append(Escapes.comment(comment)).append('\n');
        remarks.forEach(r -> out.append("// ").append(Escapes.comment(r)).append('\n'));
        out.append("Undertow.builder()").append(lines).append('\n');
        return new Snippet("Undertow: builder", "java", out.toString());
    }

    private static String undertowRemark(String knob, String value) {
        return switch (knob) {
            case "queue.max" ->
                knob + "=" + value
                        + ": set MaximumQueueSize of the worker's jboss.threads MBean, the builder has no method for it";
            case "threads.virtual" -> knob + "=" + value + ": dispatch to Executors.newVirtualThreadPerTaskExecutor()";
            default -> knob + "=" + value + " has no method of the builder";
        };
    }

    /**
     * The properties of a Spring Boot app. A server's default is written, too: the app may have another, by its own
     * configuration or by Spring Boot's.
     */
    static List<Snippet> ofBootApp(ServerKind server, Setting setting, String comment) {
        var all = new LinkedHashMap<String, String>();
        setting.values().forEach((k, v) -> {
            if (NativeNames.ofServer(k)) {
                all.put(k, v);
            }
        });
        return boot(server, all, comment).stream().toList();
    }

    private static Optional<Snippet> boot(ServerKind server, Map<String, String> knobs, String comment) {
        var lines = new StringBuilder();
        var without = new ArrayList<String>();
        knobs.forEach((knob, value) -> BootProperties.name(server, knob)
                .ifPresentOrElse(
                        name -> lines.append(name)
                                .append('=')
                                .append(Escapes.property(BootProperties.value(name, knob, value)))
                                .append('\n'),
                        () -> without.add(knob + "=" + value)));
        if (lines.isEmpty()) {
            return Optional.empty();
        }
        var out = new StringBuilder("# ")
                .append(Escapes.comment(comment))
                .append('\n')
                .append(lines);
        if (!without.isEmpty()) {
            out.append("# no property for ")
                    .append(Escapes.comment(String.join(", ", without)))
                    .append(": use a customizer\n");
        }
        String version = server == ServerKind.UNDERTOW ? "Spring Boot 3.5" : "Spring Boot";
        return Optional.of(new Snippet(version + ": application.properties", "properties", out.toString()));
    }
}
