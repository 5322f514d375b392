package dev.fettle.model.target;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.fettle.model.key.Default;
import dev.fettle.model.key.Form;
import dev.fettle.model.key.Key;
import dev.fettle.model.key.Range;
import dev.fettle.model.key.Section;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.net.URI;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;

/** The server or program under test. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Target.Embedded.class, name = "embedded"),
    @JsonSubTypes.Type(value = Target.War.class, name = "war"),
    @JsonSubTypes.Type(value = Target.Standalone.class, name = "standalone"),
    @JsonSubTypes.Type(value = Target.Boot.class, name = "boot"),
    @JsonSubTypes.Type(value = Target.Command.class, name = "command"),
    @JsonSubTypes.Type(value = Target.Running.class, name = "process"),
    @JsonSubTypes.Type(value = Target.Url.class, name = "url")
})
public sealed interface Target {

    /** A short name for tables: {@code tomcat/login}, {@code command}, {@code http://127.0.0.1:8080}. */
    default String label() {
        return switch (this) {
            case Embedded e -> e.server().id() + "/" + e.app();
            case War w -> w.server().id() + "/" + fileName(w.war());
            case Standalone s ->
                s.server().id()
                        + s.version().map(v -> " " + v).orElse("")
                        + s.war().map(w -> "/" + fileName(w)).orElse("");
            case Boot b -> fileName(b.jar());
            case Command _ -> "command";
            case Running r -> "process " + r.pid();
            case Url u -> u.base().toString();
        };
    }

    private static String fileName(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /** The server whose knobs this target has, if Fettle knows it. */
    default Optional<ServerKind> knownServer() {
        return switch (this) {
            case Embedded e -> Optional.of(e.server());
            case War w -> Optional.of(w.server());
            case Standalone s -> Optional.of(s.server());
            case Boot b -> Optional.of(b.server());
            case Running r -> r.found().flatMap(Found::server);
            case Command _, Url _ -> Optional.empty();
        };
    }

    /** Whether its application can run on another server: Fettle deploys it, on a server that has no configuration of its own. */
    default boolean movable() {
        return this instanceof Embedded || this instanceof War;
    }

    /** This target on the server that a setting chooses; itself if it chooses none, or if it is not {@link #movable}. */
    default Target under(Setting setting) {
        return ServerKind.chosen(setting)
                .map(server -> switch (this) {
                    case Embedded e -> e.withServer(server);
                    case War w -> new War(server, w.war(), w.context(), w.jvm());
                    case Standalone _, Boot _, Command _, Running _, Url _ -> this;
                })
                .orElse(this);
    }

    /** Whether Fettle starts and ends it, so that each trial has a fresh process. */
    @JsonIgnore
    default boolean isLaunched() {
        return switch (this) {
            case Embedded _, War _, Standalone _, Boot _, Command _ -> true;
            case Running _, Url _ -> false;
        };
    }

    /** Whether its process is known on this machine: it can be watched, profiled and configured. */
    default boolean hasProcess() {
        return switch (this) {
            case Embedded _, War _, Standalone _, Boot _, Command _, Running _ -> true;
            case Url _ -> false;
        };
    }

    /** Whether Fettle writes the server's own configuration, its connector included. */
    default boolean hasConnector() {
        return switch (this) {
            case Embedded _, War _, Standalone _, Boot _ -> true;
            case Command _, Running _, Url _ -> false;
        };
    }

    /** Whether Fettle makes the certificate of each trial where the load is over TLS, and the load can trust no other. */
    default boolean getsCertificate() {
        return switch (this) {
            case Embedded _, War _, Standalone _ -> true;
            case Boot _, Command _, Running _, Url _ -> false;
        };
    }

    /** Whether its knobs are set as Spring Boot's properties. */
    default boolean takesProperties() {
        return this instanceof Boot;
    }

    /** Whether JVM flags of a trial's own get to it. */
    default boolean takesFlags() {
        return isLaunched() && !(this instanceof Command c && !c.arguments().contains(List.of("{jvm}")));
    }

    /** Which Java runs it; the one of Fettle for what Fettle does not start. */
    default Jvm jvm() {
        return Jvm.SAME;
    }

    /** Where it is up already, or will be found; empty if Fettle chooses its address. */
    default Optional<URI> url() {
        return Optional.empty();
    }

    /** The sample app on an embedded server, if this is one. */
    default Optional<Embedded> sample() {
        return this instanceof Embedded e ? Optional.of(e) : Optional.empty();
    }

    /** This target with what {@link #configured} says of its own files; itself if it has none. */
    default Target configured(Setting files) {
        return switch (this) {
            case Standalone s -> s.withConfigured(files);
            case Boot b -> b.withConfigured(files);
            case Embedded _, War _, Command _, Running _, Url _ -> this;
        };
    }

    /** This target with another backend; itself if it calls none. */
    default Target calling(Backend other) {
        return this instanceof Embedded e && e.backend().isPresent() ? e.withBackend(Optional.of(other)) : this;
    }

    /** The process that runs already and goes on afterwards, if this is one. */
    default Optional<Running> running() {
        return this instanceof Running r ? Optional.of(r) : Optional.empty();
    }

    /** The backend that Fettle starts for it, if it calls one. */
    default Optional<Backend> backend() {
        return Optional.empty();
    }

    /** The knobs set by the target's own configuration, which apply where a setting has no value. */
    default Setting configured() {
        return Setting.DEFAULT;
    }

    default <X extends Exception> Target changed(TargetTexts<X> change) throws X {
        return switch (this) {
            case Embedded e -> e.withJvm(change.jvm(e.jvm()));
            case War w -> new War(w.server(), w.war(), w.context(), change.jvm(w.jvm()));
            case Standalone s -> s.withJvm(change.jvm(s.jvm()));
            case Boot b ->
                b.with()
                        .arguments(change.arguments(b.arguments()))
                        .jvm(change.jvm(b.jvm()))
                        .build();
            case Command c ->
                c.with()
                        .arguments(change.groups(c.arguments()))
                        .environment(change.environment(c.environment()))
                        .files(change.files(c.files()))
                        .templates(change.templates(c.templates()))
                        .jvm(change.jvm(c.jvm()))
                        .build();
            case Running r -> {
                Optional<URI> url =
                        r.url().isPresent() ? Optional.of(change.url(r.url().get())) : r.url();
                yield new Running(r.pid(), url, r.live(), r.agent(), r.found());
            }
            case Url u -> new Url(change.url(u.base()));
        };
    }

    /**
     * An embedded server with one of the sample apps, in a separate JVM that Fettle launches.
     *
     * @param app {@code hello}, {@code work}, {@code payload} or {@code login}
     * @param options the app's options, for example {@code bytes=1892}, {@code cpu=0.2ms}
     * @param backend the separate backend process that the app calls, if it needs one
     * @param jvm which JDK runs it and with which flags
     */
    @RecordBuilder
    record Embedded(ServerKind server, String app, Map<String, String> options, Optional<Backend> backend, Jvm jvm)
            implements Target, TargetEmbeddedBuilder.With {
        public Embedded {
            options = Collections.unmodifiableMap(new LinkedHashMap<>(options));
        }

        /** This target with one app option changed. */
        public Embedded withOption(String name, String value) {
            var copy = new LinkedHashMap<>(options);
            copy.put(name, value);
            return withOptions(copy);
        }
    }

    /**
     * An embedded server with the user's web application, in a separate JVM that Fettle launches.
     *
     * @param war the absolute path of a WAR or of its folder
     * @param context where it is deployed: {@code /} or {@code /shop}
     * @param jvm which JDK runs it and with which flags
     */
    record War(ServerKind server, String war, String context, Jvm jvm) implements Target {}

    /**
     * A server's distribution with web applications; each trial gets a private copy of its configuration.
     *
     * @param server one that has a distribution
     * @param version the distribution to fetch, for example {@code 11.0.24}; exactly one of this and {@code home}
     * @param home the user's {@code CATALINA_HOME} or {@code JETTY_HOME}, an absolute path
     * @param base the user's {@code CATALINA_BASE} or {@code jetty.base}, whose configuration is the baseline; empty: the one
     *     the distribution ships
     * @param war what to deploy: the absolute path of a WAR or of its folder, or {@code examples} for Tomcat's own examples;
     *     empty: the base's applications
     * @param context where it is deployed: {@code /} or {@code /shop}
     * @param jvm which JDK runs it and with which flags
     * @param configured values set in the base's own files, which apply where a setting has none
     */
    @RecordBuilder
    record Standalone(
            ServerKind server,
            Optional<String> version,
            Optional<String> home,
            Optional<String> base,
            Optional<String> war,
            String context,
            Jvm jvm,
            Setting configured)
            implements Target, TargetStandaloneBuilder.With {

        /** The oldest Java feature release that can run it; for a home, whose version is unknown here, the oldest for any version. */
        public int oldestJava() {
            return version.map(v -> v.split("\\.", 2)[0])
                    .filter(major -> major.matches("[0-9]{1,4}"))
                    .map(major -> server.rules().oldestJava(Integer.parseInt(major)))
                    .orElse(11);
        }

        /** The {@code war} value for the examples that Tomcat ships. */
        public static final String EXAMPLES = "examples";
    }

    /**
     * An executable Spring Boot jar.
     *
     * @param jar its absolute path
     * @param server the embedded server
     * @param version of Spring Boot, from the manifest: {@code 4.1.1}
     * @param arguments for the application, before the knobs
     * @param jvm which JDK runs it and with which flags
     * @param configured values set in its own files, arguments and flags, which apply where a setting has none
     */
    @RecordBuilder
    record Boot(String jar, ServerKind server, String version, List<String> arguments, Jvm jvm, Setting configured)
            implements Target, TargetBootBuilder.With {
        public Boot {
            arguments = List.copyOf(arguments);
        }
    }

    /**
     * Any command with {@code {placeholder}}s: {@code {port}}, {@code {java}}, {@code {dir}} (the trial's private
     * folder), {@code {artifact:NAME}} and {@code {KNOB}}. It is an argument list, never a shell string.
     *
     * @param arguments groups of arguments; a group with a placeholder for a knob without a value in the setting is left out as
     *     a whole, so that the program's own default applies
     * @param environment extra environment variables; values may contain placeholders
     * @param files files to create in the trial's folder before launch, by relative path; without placeholders
     * @param templates files whose lines may contain placeholders; a line with one for a knob without a value in the setting is
     *     left out
     * @param artifacts Maven artifacts by name, {@code group:artifact:version}
     * @param workers name prefix of the worker threads in the target JVM, used to count busy threads
     * @param configures knobs the command understands, with the program's default value if known
     * @param jvm the JDK for {@code {java}}
     */
    @RecordBuilder
    record Command(
            List<List<String>> arguments,
            Map<String, String> environment,
            Map<String, String> files,
            Map<String, String> templates,
            Map<String, String> artifacts,
            Optional<String> workers,
            Map<String, String> configures,
            Jvm jvm)
            implements Target, TargetCommandBuilder.With {
        public Command {
            arguments = arguments.stream().map(List::copyOf).toList();
            environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
            files = Collections.unmodifiableMap(new LinkedHashMap<>(files));
            templates = Collections.unmodifiableMap(new LinkedHashMap<>(templates));
            artifacts = Collections.unmodifiableMap(new LinkedHashMap<>(artifacts));
            configures = Collections.unmodifiableMap(new LinkedHashMap<>(configures));
        }

        /**
         * Whether the command takes a knob. One with {@code {jvm}} takes every knob that is a JVM flag; the JDK itself goes
         * into {@code {java}}.
         */
        public boolean takes(String knob) {
            return configures.containsKey(knob)
                    || (knob.startsWith("jvm.") && !knob.equals(Jvm.JDK) && configures.containsKey("jvm.flags"));
        }
    }

    /**
     * An already running process of this machine and user: it is loaded and watched, never started or ended.
     *
     * @param pid its id
     * @param url the URL to load, {@code http://127.0.0.1:8080}; empty: its only port that speaks HTTP
     * @param live whether live knobs may be set through its MBeans; each is restored after the trial
     * @param agent whether the agent may be loaded into it, which then stays until the process ends
     * @param found the result of inspecting it; empty before that
     */
    record Running(long pid, Optional<URI> url, boolean live, boolean agent, Optional<Found> found) implements Target {
        @Override
        public Setting configured() {
            return found.map(Found::inForce).orElse(Setting.DEFAULT);
        }

        /** A copy with the result of an inspection. */
        public Running with(URI where, Found what) {
            return new Running(pid, Optional.of(where), live, agent, Optional.of(what));
        }
    }

    /**
     * The result of inspecting a process.
     *
     * @param started its start time in ticks since boot, which with the pid identifies the process
     * @param server its server, if Fettle knows it
     * @param inForce the knob values reported by its MBeans or the agent
     * @param settable the live knobs among them that can be set through its MBeans
     */
    record Found(long started, Optional<ServerKind> server, Setting inForce, Set<String> settable) {
        public Found {
            settable = Collections.unmodifiableSet(new TreeSet<>(settable));
        }
    }

    /** A server that is already up, known only by its URL: load only. */
    record Url(URI base) implements Target {
        @Override
        public Optional<URI> url() {
            return Optional.of(base);
        }
    }

    /**
     * The backend process an embedded app calls.
     *
     * @param delay its response time
     * @param bytes size of its answer
     */
    @Section(value = "backend", doc = "A process that answers after a delay.")
    record Backend(
            @Key("How long it takes to answer.") @Range(from = "0s", to = "1m") @Default("50ms")
            Duration delay,

            @Key(value = "Size of its answer.", form = Form.SIZE) @Range(from = "0", to = "64m") @Default("200")
            int bytes) {}

    /**
     * Which Java runs a target.
     *
     * @param java a feature release ({@code 25}) or the home folder of a JDK; empty: the JDK that runs Fettle
     * @param flags JVM flags given to every trial, before those of the setting
     */
    record Jvm(Optional<String> java, List<String> flags) {
        public static final Jvm SAME = new Jvm(Optional.empty(), List.of());

        /** The knob that chooses the JDK. */
        public static final String JDK = "jvm.java";

        public Jvm {
            flags = List.copyOf(flags);
        }

        /** A copy on the setting's JDK, if it chooses one. */
        public Jvm under(Setting setting) {
            return setting.get(JDK).map(j -> new Jvm(Optional.of(j), flags)).orElse(this);
        }

        /** The feature release, if given as a number. */
        public OptionalInt release() {
            String text = java.orElse("");
            return text.matches("[0-9]{1,3}") ? OptionalInt.of(Integer.parseInt(text)) : OptionalInt.empty();
        }
    }
}
