package dev.fettle.config.undertow;

import dev.fettle.config.ConfigFile;
import dev.fettle.config.ConfigFile.Kind;
import dev.fettle.config.OwnKnobs;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.NativeKnob;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.regex.Pattern;

/** A setting as calls of the builder of an embedded Undertow. */
public final class BuilderCode {
    private static final Pattern LITERAL = Pattern.compile("-?[0-9]{1,10}|true|false");

    private BuilderCode() {}

    /**
     * @param configured what the server's own configuration sets
     * @param whole the setting with what was held: a queue is of no use without its limit
     */
    public static ConfigFile of(Setting setting, Setting configured, Setting whole) {
        var lines = new StringBuilder();
        var remarks = new ArrayList<String>();
        var without = new LinkedHashMap<String, String>();
        OwnKnobs.of(ServerKind.UNDERTOW, setting, configured).forEach((knob, value) -> {
            String own = OwnKnobs.value(ServerKind.UNDERTOW, knob, value);
            Optional<String> line = LITERAL.matcher(own).matches() ? line(knob) : Optional.empty();
            if (line.isPresent() && OwnKnobs.isNoLimit(ServerKind.UNDERTOW, knob, value)) {
                String call = line.get().substring(0, line.get().lastIndexOf("%s"));
                remarks.add(knob + "=" + value + " is the default: take out " + call + "…)");
                without.put(knob, value);
            } else if (line.isPresent()) {
                lines.append("\n    ").append(line.get().replace("%s", own));
            } else if (!knob.startsWith("admission.")) {
                remarks.add(remark(knob, value));
                without.put(knob, value);
            }
        });
        boolean limits = setting.values().keySet().stream().anyMatch(k -> k.startsWith("admission."));
        whole.get("admission.max")
                .filter(v -> limits && LITERAL.matcher(v).matches())
                .ifPresent(max -> {
                    String queue = whole.get("admission.queue")
                            .filter(v -> LITERAL.matcher(v).matches())
                            .orElse("");
                    // for Undertow a queue of 0 is unbounded
                    String bound = queue.isEmpty() ? "" : (queue.equals("0") ? "1" : queue) + ", ";
                    lines.append("\n    .setHandler(new RequestLimitingHandler(")
                            .append(max)
                            .append(", ")
                            .append(bound)
                            .append("handler))");
                });
        return new ConfigFile(
                Kind.SERVER_CODE,
                "the code that builds the server",
                Kind.SERVER_CODE.comment(remarks) + "Undertow.builder()" + lines + "\n",
                without);
    }

    private static String remark(String knob, String value) {
        return switch (knob) {
            case "queue.max" ->
                knob + "=" + value
                        + ": set MaximumQueueSize of the worker's jboss.threads MBean, the builder has no method for it";
            case "threads.virtual" -> knob + "=" + value + ": dispatch to Executors.newVirtualThreadPerTaskExecutor()";
            default -> knob + "=" + value + " has no method of the builder";
        };
    }

    /** A line of Undertow's builder with {@code %s} for the value. */
    private static Optional<String> line(String knob) {
        Optional<NativeKnob> on = OwnKnobs.on(ServerKind.UNDERTOW, knob);
        if (on.isEmpty()) {
            return Optional.empty();
        }
        String property = on.get().property();
        // long options need a literal of that type
        String value = Knobs.find(knob).orElseThrow().max() > Integer.MAX_VALUE ? "%sL" : "%s";
        return switch (on.get().holder()) {
            case "builder" ->
                Optional.of(".set" + Character.toUpperCase(property.charAt(0)) + property.substring(1) + "(%s)");
            case "server" -> Optional.of(".setServerOption(UndertowOptions." + property + ", " + value + ")");
            case "socket" -> Optional.of(".setSocketOption(Options." + property + ", " + value + ")");
            case "worker" -> Optional.of(".setWorkerOption(Options." + property + ", " + value + ")");
            default ->
                on.get().name().startsWith("Options.")
                        ? Optional.of(".setSocketOption(" + on.get().name() + ", %s)")
                        : Optional.empty();
        };
    }
}
