package dev.fettle.report;

import dev.fettle.model.ServerKind;
import dev.fettle.model.Setting;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
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
        boot(server, setting, comment).ifPresent(all::add);
        return all;
    }

    /** The knobs of the server that differ from its defaults, JVM knobs left out. */
    private static Map<String, String> own(ServerKind server, Setting setting) {
        var own = new LinkedHashMap<String, String>();
        setting.values().forEach((k, v) -> {
            if (!NativeNames.jvm(k) && !NativeNames.isDefault(server, k, v)) {
                own.put(k, v);
            }
        });
        return own;
    }

    private static Snippet tomcat(Setting setting, String comment) {
        var attributes = new StringBuilder();
        var remarks = new ArrayList<String>();
        own(ServerKind.TOMCAT, setting)
                .forEach((knob, value) -> NativeNames.tomcat(knob)
                        .ifPresentOrElse(
                                name -> attributes
                                        .append("\n           ")
                                        .append(name)
                                        .append("=\"")
                                        .append(Escapes.markup(value))
                                        .append('"'),
                                () -> {
                                    if (!knob.startsWith("admission.")) {
                                        remarks.add(knob + "=" + value + " has no attribute of the Connector");
                                    }
                                }));
        var out = new StringBuilder("<!-- ").append(Escapes.xmlComment(comment)).append(" -->\n");
        remarks.forEach(r -> out.append("<!-- ").append(Escapes.xmlComment(r)).append(" -->\n"));
        out.append("<Connector port=\"8080\" protocol=\"HTTP/1.1\"")
                .append(attributes)
                .append(" />\n");
        setting.get("admission.max")
                .ifPresent(v -> out.append(
                                "<!-- inside Host or Context -->\n<Valve className=\"org.apache.catalina.valves.SemaphoreValve\"")
                        .append(" concurrency=\"")
                        .append(Escapes.markup(v))
                        .append("\" block=\"false\" highConcurrencyStatus=\"503\" />\n"));
        return new Snippet("Tomcat: conf/server.xml", "xml", out.toString());
    }

    private static Snippet jetty(Setting setting, String comment) {
        var lines = new ArrayList<String>();
        var modules = new TreeSet<String>();
        own(ServerKind.JETTY, setting).forEach((knob, value) -> {
            NativeNames.jettyModule(knob).ifPresent(modules::add);
            if (knob.equals("buffers.direct")) {
                lines.add("jetty.httpConfig.useInputDirectByteBuffers=" + Escapes.property(value));
                lines.add("jetty.httpConfig.useOutputDirectByteBuffers=" + Escapes.property(value));
            } else if (knob.equals("threads.virtual")) {
                if (value.equals("true")) {
                    modules.add("threadpool-virtual");
                }
            } else {
                lines.add(NativeNames.jetty(knob)
                        .map(name -> name + "=" + Escapes.property(value))
                        .orElseGet(() ->
                                "# " + Escapes.comment(knob + "=" + value) + " has no line in Jetty's ini files"));
            }
        });
        var out = new StringBuilder("# ").append(Escapes.comment(comment)).append('\n');
        modules.forEach(m -> out.append("--module=").append(m).append('\n'));
        lines.forEach(l -> out.append(l).append('\n'));
        return new Snippet("Jetty: start.d/fettle.ini", "properties", out.toString());
    }

    private static Snippet undertow(Setting setting, String comment) {
        var lines = new StringBuilder();
        var remarks = new ArrayList<String>();
        own(ServerKind.UNDERTOW, setting).forEach((knob, value) -> {
            Optional<String> line = LITERAL.matcher(value).matches() ? NativeNames.undertow(knob) : Optional.empty();
            if (line.isPresent()) {
                lines.append("\n    ").append(line.get().replace("%s", value));
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

    private static Optional<Snippet> boot(ServerKind server, Setting setting, String comment) {
        Function<String, Optional<String>> names = switch (server) {
            case TOMCAT -> NativeNames::bootTomcat;
            case JETTY -> NativeNames::bootJetty;
            case UNDERTOW -> NativeNames::bootUndertow;
        };
        var lines = new StringBuilder();
        var without = new ArrayList<String>();
        own(server, setting)
                .forEach((knob, value) -> names.apply(knob)
                        .ifPresentOrElse(
                                name -> lines.append(name)
                                        .append('=')
                                        .append(Escapes.property(value))
                                        .append(knob.endsWith(".timeout") ? "ms" : "")
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
