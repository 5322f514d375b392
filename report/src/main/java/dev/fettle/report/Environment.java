package dev.fettle.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The machine and software of a run. Text is shown as is; an unknown value is the empty string.
 *
 * @param kernel the host's operating system and kernel, for example {@code Linux 6.18.5}
 * @param cpuModel the processor's name
 * @param cpus CPUs Fettle may use
 * @param serverCpus CPUs the target was pinned to, as a list ({@code 1}, {@code 2-3}); empty when it was not pinned
 * @param generatorCpus CPUs the load generator was pinned to; empty when it was not pinned
 * @param memory memory of the host or its limit, with the unit
 * @param fettleVersion Fettle's version
 * @param fettleJava the Java that ran Fettle
 * @param parts SHA-256 of the user's own programs, by path: of a file, or of what counts in a folder
 * @param limits limits of the host that can decide a result ({@code somaxconn}, {@code nofile}, {@code port range})
 */
public record Environment(
        String kernel,
        String cpuModel,
        int cpus,
        String serverCpus,
        String generatorCpus,
        String memory,
        String fettleVersion,
        String fettleJava,
        Map<String, String> limits,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, String> parts) {
    public Environment {
        limits = Collections.unmodifiableMap(new TreeMap<>(limits));
        parts = Collections.unmodifiableMap(new TreeMap<>(parts));
    }
}
