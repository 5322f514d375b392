package dev.fettle.config.render;

import dev.fettle.config.boot.BootProperties;
import dev.fettle.config.jetty.JettyPlace;
import dev.fettle.config.tomcat.ConnectorElements;
import dev.fettle.config.tomcat.ServerXmlPlace;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Configuration files and code of the servers, without a word on where they come from. */
public final class ServerTexts {
    private static final Pattern LITERAL = Pattern.compile("-?[0-9]{1,10}|true|false");

    private final Setting setting;
    private final Setting configured;

    /** @param configured what the server's own configuration sets, which a default has to be written against */
    public ServerTexts(Setting setting, Setting configured) {
        this.setting = setting;
        this.configured = configured;
    }

    /** The knobs of the server that differ from its defaults; those of the JVM and the process are left out. */
    private Map<String, String> own(ServerKind server) {
        var own = new LinkedHashMap<String, String>();
        setting.values().forEach((k, v) -> {
            boolean needless =
                    NativeNames.isDefault(server, k, v) && configured.get(k).isEmpty();
            if (NativeNames.ofServer(k) && !needless) {
                own.put(k, v);
            }
        });
        return own;
    }

    /**
     * Elements for {@code server.xml}.
     *
     * @param executor the Executor that the Connector runs on: then values of the pool are its
     */
    public String tomcat(Optional<String> executor) {
        boolean virtual = setting.get("threads.virtual").filter("true"::equals).isPresent();
        Optional<String> pool = executor.filter(e -> !virtual);
        var xml = new ConnectorElements(pool);
        var remarks = new ArrayList<String>();
        if (virtual && executor.isPresent()) {
            remarks.add("take executor=\"" + executor.get() + "\" off the Connector");
        }
        own(ServerKind.TOMCAT).forEach((knob, value) -> {
            List<ServerXmlPlace> places = NativeNames.tomcat(knob).stream()
                    .flatMap(p -> pool.isPresent() ? p.onExecutor().stream() : Stream.of(p))
                    .toList();
            places.forEach(p -> xml.put(p, NativeNames.value(ServerKind.TOMCAT, knob, value)));
            if (places.isEmpty()) {
                remarks.add(knob + "=" + value + " has no attribute of the Connector");
            }
        });
        var out = new StringBuilder();
        remarks.forEach(r -> out.append("<!-- ").append(Escapes.xmlComment(r)).append(" -->\n"));
        out.append(xml.render());
        return out.toString();
    }

    /** A file of {@code start.d}. */
    String jetty() {
        var lines = new ArrayList<String>();
        var modules = new TreeSet<String>();
        boolean virtual = setting.get("threads.virtual").filter("true"::equals).isPresent();
        own(ServerKind.JETTY).forEach((knob, value) -> {
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
        var out = new StringBuilder();
        // below a file such as ee11-deploy.ini, which comes first, properties would be that environment's
        out.append("--modules=server\n");
        modules.forEach(m -> out.append("--module=").append(m).append('\n'));
        lines.forEach(l -> out.append(l).append('\n'));
        return out.toString();
    }

    /** Calls of the builder. */
    String undertow() {
        var lines = new StringBuilder();
        var remarks = new ArrayList<String>();
        own(ServerKind.UNDERTOW).forEach((knob, value) -> {
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
        var out = new StringBuilder();
        remarks.forEach(r -> out.append("// ").append(Escapes.comment(r)).append('\n'));
        out.append("Undertow.builder()").append(lines).append('\n');
        return out.toString();
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
     * Lines of Spring Boot's {@code application.properties}, if a knob has one.
     *
     * @param defaultsToo also the server's defaults: an app may have others, by its own configuration or by Spring Boot's
     */
    static Optional<String> boot(ServerKind server, Setting setting, boolean defaultsToo) {
        var knobs = new LinkedHashMap<String, String>();
        setting.values().forEach((k, v) -> {
            if (NativeNames.ofServer(k) && (defaultsToo || !NativeNames.isDefault(server, k, v))) {
                knobs.put(k, v);
            }
        });
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
        var out = new StringBuilder(lines);
        if (!without.isEmpty()) {
            out.append("# no property for ")
                    .append(Escapes.comment(String.join(", ", without)))
                    .append(": use a customizer\n");
        }
        return Optional.of(out.toString());
    }
}
