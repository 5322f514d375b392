package dev.fettle.watch.jvm;

import dev.fettle.model.knob.Knob;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.MBeanPlace;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.watch.signal.SamplingRate;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;

/**
 * The MBeans of the server that listens on one port of a JVM, under the catalogue's names. The catalogue says where
 * each knob is; a knob whose MBean does not exist is left out.
 */
public final class ServerBeans {
    private final RunningJvm jvm;
    private final MBeanServerConnection beans;
    private final ServerKind server;
    private final Map<String, ObjectName> objects;

    private ServerBeans(RunningJvm jvm, ServerKind server, Map<String, ObjectName> objects) {
        this.jvm = jvm;
        this.beans = jvm.beans();
        this.server = server;
        this.objects = Map.copyOf(objects);
    }

    /**
     * The beans of the server that listens on a port; empty if there is no server, or it has registered none.
     *
     * @throws IOException if the JVM does not answer
     */
    public static Optional<ServerBeans> of(RunningJvm jvm, int port) throws IOException {
        var finder = new BeanFinder(jvm.beans(), port);
        for (ServerKind server : ServerKind.values()) {
            Map<String, ObjectName> objects = finder.find(server);
            if (!objects.isEmpty()) {
                return Optional.of(new ServerBeans(jvm, server, objects));
            }
        }
        return Optional.empty();
    }

    public ServerKind server() {
        return server;
    }

    /** A knob and where it is. */
    private record Place(Knob knob, ObjectName object, String attribute) {}

    private Stream<Place> places() {
        return Knobs.all().stream().flatMap(k -> place(k).stream());
    }

    /** The last place that exists: an Executor's, if the connector runs on one. */
    private Optional<Place> place(Knob knob) {
        return MBeanPlace.of(knob.on(server)).stream()
                .flatMap(p -> Optional.ofNullable(objects.get(p.type())).stream()
                        .map(object -> new Place(knob, object, p.attribute())))
                .reduce((earlier, later) -> later);
    }

    /**
     * Knob values in effect, canonical.
     *
     * @throws IOException if the JVM does not answer
     */
    public Map<String, String> read() throws IOException {
        var values = new TreeMap<String, String>();
        for (Place p : places().toList()) {
            value(p).ifPresent(v -> values.put(p.knob().name(), v));
        }
        return values;
    }

    private Optional<String> value(Place p) throws IOException {
        try {
            return Optional.of(p.knob().common(server, RunningJvm.text(beans.getAttribute(p.object(), p.attribute()))));
        } catch (JMException | RuntimeException e) {
            return Optional.empty(); // another version without the attribute, or a value that means none, such as -1
        }
    }

    /**
     * The knobs that can be set: live ones whose attribute is readable and writable.
     *
     * @throws IOException if the JVM does not answer
     */
    public Set<String> settable() throws IOException {
        var names = new TreeSet<String>();
        for (Place p : places().toList()) {
            if (p.knob().on(server).settableInMBeans() && writable(p) && value(p).isPresent()) {
                names.add(p.knob().name());
            }
        }
        return names;
    }

    private boolean writable(Place p) throws IOException {
        return info(p).filter(MBeanAttributeInfo::isWritable).isPresent();
    }

    private Optional<MBeanAttributeInfo> info(Place p) throws IOException {
        try {
            for (MBeanAttributeInfo a : beans.getMBeanInfo(p.object()).getAttributes()) {
                if (a.getName().equals(p.attribute())) {
                    return Optional.of(a);
                }
            }
        } catch (JMException e) {
            return Optional.empty(); // unregistered in the meantime
        }
        return Optional.empty();
    }

    /**
     * Sets a knob.
     *
     * @param value canonical
     * @throws IOException if the knob has no MBean here, the server refuses the value, or the JVM does not answer
     */
    public void set(String knob, String value) throws IOException {
        Place p = Knobs.find(knob)
                .flatMap(this::place)
                .orElseThrow(() -> new IOException("there is no MBean for " + knob));
        String type = info(p).map(MBeanAttributeInfo::getType)
                .orElseThrow(() -> new IOException(p.object() + " has no attribute " + p.attribute()));
        try {
            beans.setAttribute(
                    p.object(),
                    new Attribute(p.attribute(), typed(type, p.knob().written(server, value))));
        } catch (JMException | RuntimeException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IOException(where(knob) + " does not take " + value + ": " + cause.getMessage(), e);
        }
    }

    private static Object typed(String type, String value) {
        return switch (type) {
            case "int", "java.lang.Integer" -> Integer.valueOf(value);
            case "long", "java.lang.Long" -> Long.valueOf(value);
            case "boolean", "java.lang.Boolean" -> Boolean.valueOf(value);
            default -> value;
        };
    }

    /** The place of a knob in words: {@code Catalina:type=ThreadPool,name="http-nio-8080" maxThreads}. */
    public String where(String knob) {
        return Knobs.find(knob)
                .flatMap(this::place)
                .map(p -> p.object() + " " + p.attribute())
                .orElse(knob);
    }

    /** A probe for its workers; closing it leaves the JVM's connection open. */
    public WorkerProbe probe() {
        return new WorkerProbe() {
            private final SamplingRate rate = SamplingRate.ofTarget("busy workers");

            @Override
            public Optional<Sample> sample() {
                try {
                    return Optional.of(ServerBeans.this.sample());
                } catch (IOException | RuntimeException e) {
                    return Optional.empty(); // the JVM is gone or does not answer
                }
            }

            @Override
            public Optional<Sample> glance() {
                long begin = System.nanoTime();
                if (!rate.due(begin)) {
                    return Optional.empty();
                }
                try {
                    long cost = jvm.costNanos();
                    Sample now = workers();
                    rate.looked(begin, jvm.costNanos() - cost);
                    return Optional.of(now);
                } catch (IOException | RuntimeException e) {
                    return Optional.empty(); // as above
                }
            }

            @Override
            public void close() {}
        };
    }

    /** How its workers' names begin, if an MBean has that. */
    Optional<String> workerPrefix() {
        Optional<MBeanPlace> place = WatchedServer.of(server).workerPrefix();
        Optional<ObjectName> object = place.flatMap(p -> Optional.ofNullable(objects.get(p.type())));
        if (object.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(RunningJvm.text(
                            beans.getAttribute(object.get(), place.get().attribute())))
                    .filter(prefix -> !prefix.isEmpty());
        } catch (JMException | IOException | RuntimeException e) {
            return Optional.empty(); // another version, or the JVM is gone
        }
    }

    private WorkerProbe.Sample sample() throws IOException {
        return workers(OptionalFigure.of(jvm.gcMillis()));
    }

    /** Counts of its workers only, without garbage collections. */
    WorkerProbe.Sample workers() throws IOException {
        return workers(OptionalFigure.empty());
    }

    private WorkerProbe.Sample workers(OptionalFigure gc) throws IOException {
        WatchedServer.Counts counts = WatchedServer.of(server).counts();
        String pool = counts.busy().type();
        String busy = counts.busy().attribute();
        String workers = counts.workers().attribute();
        String queue = counts.queue().attribute();
        boolean one = pool.equals(counts.queue().type());
        Map<String, Double> figures = figures(pool, one ? List.of(busy, workers, queue) : List.of(busy, workers));
        Map<String, Double> waiting = one ? figures : figures(counts.queue().type(), List.of(queue));
        return new WorkerProbe.Sample(of(figures, busy), of(figures, workers), of(waiting, queue), gc);
    }

    /**
     * What it counts of requests, as totals by the signals that are their rates; empty if no bean counts them.
     *
     * @throws IOException if the JVM does not answer
     */
    Map<String, Double> requests() throws IOException {
        Optional<WatchedServer.Requests> counted = WatchedServer.of(server).requests();
        return counted.isEmpty()
                ? Map.of()
                : counted.get()
                        .figures()
                        .apply(figures(counted.get().type(), counted.get().attributes()));
    }

    private static OptionalFigure of(Map<String, Double> figures, String name) {
        return OptionalFigure.of(
                Stream.ofNullable(figures.get(name)).mapToDouble(v -> v).findFirst());
    }

    /**
     * Attributes of a bean that are counts, in one call; missing ones, and negative ones, which mean unknown, are left
     * out.
     */
    private Map<String, Double> figures(String type, List<String> attributes) throws IOException {
        ObjectName object = objects.get(type);
        if (object == null) {
            return Map.of();
        }
        var figures = new TreeMap<String, Double>();
        try {
            for (Attribute a : beans.getAttributes(object, attributes.toArray(String[]::new))
                    .asList()) {
                if (a.getValue() instanceof Number n && n.doubleValue() >= 0) {
                    figures.put(a.getName(), n.doubleValue());
                }
            }
        } catch (JMException e) {
            return Map.of(); // unregistered in the meantime
        }
        return figures;
    }
}
