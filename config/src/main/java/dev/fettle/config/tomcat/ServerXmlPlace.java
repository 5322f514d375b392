package dev.fettle.config.tomcat;

import dev.fettle.model.knob.NativeKnob;
import dev.fettle.model.knob.Setting;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A place in Tomcat's {@code server.xml}: {@code Connector@maxThreads}, {@code
 * Connector/UpgradeProtocol[CLASS]@maxConcurrentStreams}, {@code Host/Valve[CLASS block=false]@concurrency}.
 *
 * @param parent the element around it; empty for the Connector itself
 * @param element the element
 * @param className its class; empty for none
 * @param fixed attributes that go with it
 * @param attribute the attribute that takes the value; empty when the element alone is the switch
 */
record ServerXmlPlace(
        String parent, String element, String className, Map<String, String> fixed, Optional<String> attribute) {
    /** The element that provides a pool to Connectors. */
    static final String EXECUTOR = "Executor";

    /**
     * Attributes of a Connector that are ignored if it runs on an Executor, with the Executor's names for them; empty
     * if it has none.
     */
    static final Map<String, String> OF_THE_POOL = Map.of(
            "maxThreads", "maxThreads",
            "minSpareThreads", "minSpareThreads",
            "threadsMaxIdleTime", "maxIdleTime",
            "maxQueueSize", "maxQueueSize",
            "threadPriority", "threadPriority",
            "useVirtualThreads", "",
            "executorTerminationTimeoutMillis", "");

    private static final Pattern PLACE =
            Pattern.compile("(?:(\\w+)/)?(\\w+)(?:\\[([\\w.]+)((?: \\w++=\\w++)*+)])?(?:@([\\w.]+))?");

    ServerXmlPlace {
        fixed = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(fixed));
    }

    /** An Executor's threads that are always kept. It does not start with more of them than its most threads. */
    static final String SPARE = "minSpareThreads";

    private static final int SPARE_BY_DEFAULT = 25;

    /**
     * The {@code minSpareThreads} that has to go with a value of an Executor, so that it starts; a Connector lowers its own by
     * itself.
     *
     * @param setting says nothing of spare threads, else they are written anyway
     * @param attribute the one that is written
     * @param there what the Executor says now, if anything
     */
    static Optional<String> spare(Setting setting, String attribute, String value, Optional<String> there) {
        if (!attribute.equals("maxThreads") || setting.get("threads.min").isPresent() || !value.matches("[0-9]{1,9}")) {
            return Optional.empty();
        }
        int least =
                there.filter(t -> t.matches("[0-9]{1,9}")).map(Integer::valueOf).orElse(SPARE_BY_DEFAULT);
        return Integer.parseInt(value) < least ? Optional.of(value) : Optional.empty();
    }

    /** The places of a knob on Tomcat, in order; none if {@code server.xml} can't express it. */
    static List<ServerXmlPlace> of(NativeKnob tomcat) {
        var places = new ArrayList<ServerXmlPlace>();
        if (tomcat.standalone().startsWith("filter[")) {
            return places; // web.xml
        }
        String rest = tomcat.standalone();
        while (!rest.isEmpty()) {
            Matcher m = PLACE.matcher(rest);
            if (!m.lookingAt()) {
                throw new IllegalArgumentException("no place of server.xml: " + rest);
            }
            rest = rest.substring(m.end());
            var fixed = new LinkedHashMap<String, String>();
            attributes(Optional.ofNullable(m.group(4)).orElse(""), fixed);
            Matcher more = Pattern.compile("((?: \\w++=\\w++)*+) ?").matcher(rest);
            if (more.lookingAt()) {
                attributes(more.group(1), fixed);
                rest = rest.substring(more.end());
            }
            places.add(new ServerXmlPlace(
                    Optional.ofNullable(m.group(1)).orElse(""),
                    m.group(2),
                    Optional.ofNullable(m.group(3)).orElse(""),
                    fixed,
                    Optional.ofNullable(m.group(5))));
        }
        return places;
    }

    /** This place if the Connector runs on an Executor; empty if the value is then ignored. */
    Optional<ServerXmlPlace> onExecutor() {
        String ofPool = parent.isEmpty() ? OF_THE_POOL.get(attribute.orElse("")) : null;
        if (ofPool == null) {
            return Optional.of(this);
        }
        return ofPool.isEmpty()
                ? Optional.empty()
                : Optional.of(new ServerXmlPlace("", EXECUTOR, "", fixed, Optional.of(ofPool)));
    }

    /** Another attribute of the same element. */
    ServerXmlPlace with(String otherAttribute) {
        return new ServerXmlPlace(parent, element, className, Map.of(), Optional.of(otherAttribute));
    }

    private static void attributes(String text, Map<String, String> into) {
        for (String pair : text.strip().split(" ")) {
            if (pair.contains("=")) {
                String[] kv = pair.split("=", 2);
                into.put(kv[0], kv[1]);
            }
        }
    }
}
