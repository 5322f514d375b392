package dev.fettle.model.knob;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A knob on one server. Texts that don't apply are empty.
 *
 * @param applies whether the server has it
 * @param name the server's own name; if it has none, what to do instead
 * @param byDefault the embedded server's default as text; empty if the server lacks the knob
 * @param defaults deviating defaults, by way of running or by version
 * @param live whether the embedded server takes a new value without a restart
 * @param set embedded: {@code OBJECT.PROPERTY} of the server's API; {@code code.} is set by code in the adapter
 * @param standalone places in the configuration files of the standalone server, separated by blanks: Tomcat {@code
 *     ELEMENT@ATTRIBUTE} (config reads it), Jetty {@code MODULE/PROPERTY} or {@code MODULE}, Undertow WildFly's
 *     {@code RESOURCE@ATTRIBUTE}
 * @param boot Spring Boot's property
 * @param bootVersions the versions of Spring Boot that have the property
 * @param mbean places in the server's MBeans, separated by blanks: {@code TYPE@ATTRIBUTE} (see {@link MBeanPlace})
 * @param values the server's names for common values, where they differ; not for Spring Boot
 * @param without knobs of the server that, at these values, make this one ineffective
 * @param unread why it can't be read back from the running server, if it can't
 * @param mayDiffer why some machines or JVMs use another value than the one set, if they do
 * @param trial a value other than the default, for tests
 */
public record NativeKnob(
        boolean applies,
        String name,
        String byDefault,
        Map<String, String> defaults,
        boolean live,
        String set,
        String standalone,
        String boot,
        String bootVersions,
        String mbean,
        Map<String, String> values,
        Map<String, String> without,
        String unread,
        String mayDiffer,
        @JsonIgnore String trial) {
    public NativeKnob {
        defaults = Collections.unmodifiableMap(new LinkedHashMap<>(defaults));
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
        without = Collections.unmodifiableMap(new LinkedHashMap<>(without));
    }

    /** Properties that Spring Boot passes on only if they are positive; it silently ignores other values. */
    private static final Set<String> BOOT_WANTS_POSITIVE =
            Set.of("server.tomcat.max-connections", "server.jetty.threads.min");

    static NativeKnob absent(String instead) {
        return new NativeKnob(false, instead, "", Map.of(), false, "", "", "", "", "", Map.of(), Map.of(), "", "", "");
    }

    /** The object of the server's API that {@link #set} names: {@code connector}. */
    public String holder() {
        return set.substring(0, Math.max(0, set.indexOf('.')));
    }

    /** The property of the object that {@link #set} names: {@code socket.directBuffer}. */
    public String property() {
        return set.substring(set.indexOf('.') + 1);
    }

    /** Spring Boot's property, if it has one. */
    public Optional<String> bootProperty() {
        return Optional.of(boot).filter(b -> !b.isEmpty());
    }

    /** Whether Spring Boot ignores this value, as it does some that are not positive. */
    public boolean ignoredByBoot(String value) {
        return BOOT_WANTS_POSITIVE.contains(boot) && (value.startsWith("-") || value.equals("0"));
    }

    /** Whether the MBeans of a running server can set it. */
    public boolean settableInMBeans() {
        return applies && live && !mbean.isEmpty();
    }

    /** Whether the standalone server's own configuration can set it; a filter in web.xml belongs to an application. */
    public boolean inFiles() {
        return !standalone.isEmpty() && !standalone.startsWith("filter[");
    }

    /** {@code maxThreads}, or {@code n/a: always 1}. */
    @Override
    public String toString() {
        return applies ? name : "n/a: " + name;
    }
}
