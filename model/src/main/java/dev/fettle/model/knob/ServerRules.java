package dev.fettle.model.knob;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiConsumer;

/**
 * What the model knows of one server beyond its entries in the catalogue: facts, the defaults that are formulas, and what it refuses. One
 * implementation a server, named by its {@link ServerKind}.
 */
public interface ServerRules {
    /** The jar that has the server in it, without its version: {@code jetty-server}. */
    String library();

    /** The packages of its code, which belong to no application: {@code org.eclipse.jetty.}. */
    List<String> packages();

    /** An expression for the beginnings of its workers' names, of which the kernel keeps 15 characters. */
    String workerThreads();

    /** The module that Spring Boot 4 starts it through; empty if Spring Boot 4 does not know it. Up to version 3 its {@link #library} is enough. */
    default Optional<String> bootModule() {
        return Optional.empty();
    }

    /** The least threads that Spring Boot gives its pool unless told otherwise, even if fewer are the most; empty if it leaves them to the server. */
    default OptionalLong bootMinThreads() {
        return OptionalLong.empty();
    }

    /** A second property of Spring Boot for a knob, which takes precedence over the one in the catalogue. */
    default Optional<String> bootOption(NativeKnob knob) {
        return Optional.empty();
    }

    /** How an application registers the server's MBeans, as a clause about a process: {@code Jetty's module jmx gives it Jetty's}. */
    default Optional<String> beansHint() {
        return Optional.empty();
    }

    /** Whether it manages memory through {@code sun.misc.Unsafe}, of which newer JVMs warn. */
    default boolean usesUnsafe() {
        return false;
    }

    /** Whether there is a distribution of it that Fettle launches: a target may be {@code standalone}. */
    default boolean hasDistribution() {
        return false;
    }

    /** Whether its distribution ships web applications as examples. */
    default boolean shipsExamples() {
        return false;
    }

    /** The oldest Java feature release that runs a distribution. */
    default int oldestJava(int major) {
        return 17;
    }

    /** The knobs whose threads are taken from the pool of {@code threads.max}, and run no requests. */
    default List<String> takenFromPool() {
        return List.of();
    }

    /** Whether its pool keeps idle threads for so long that a smaller size needs a fresh process. */
    default boolean poolKeepsThreads() {
        return false;
    }

    /** The place in the embedded server's API of a knob for which the catalogue gives only a name; empty if it has to be given. */
    default Optional<String> usualPlace(String name) {
        return Optional.empty();
    }

    /** The place in the distribution's files of such a knob; empty if there is none unless it is given. */
    default String usualStandalone(String name, String set) {
        return "";
    }

    /**
     * A default that the server computes; empty if the catalogue has it.
     *
     * @param cpus the CPUs that its JVM sees
     */
    default OptionalLong computed(String knob, Setting setting, int cpus) {
        return OptionalLong.empty();
    }

    /**
     * Reports what the server refuses in a setting whose values are each well-formed.
     *
     * @param cpus CPUs the server may use
     * @param out receives the knob to change and the reason, one line with the figures
     */
    default void refused(Setting setting, int cpus, BiConsumer<String, String> out) {}
}
