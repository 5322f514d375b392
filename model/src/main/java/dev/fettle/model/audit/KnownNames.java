package dev.fettle.model.audit;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Names that servers read: properties, modules, classes and setters, with the releases that have them. Of {@code names.tsv}. */
public final class KnownNames {
    /** What a name is of. */
    public enum Sort {
        /** A property. */
        NAME,
        /** A module of Jetty's. */
        MODULE,
        /** A class that a configuration file can name. */
        CLASS,
        /** {@code Server#dumpAfterStart}: what {@code <Set>} in Jetty's XML calls. */
        SETTER
    }

    /**
     * A name.
     *
     * @param from the first release that has it; empty if the oldest that was looked at does
     * @param until the first release that has it no more; empty if today's has it
     * @param now what it is called today; empty if it has no other name
     */
    public record Known(String name, String from, String until, String now) {
        /** Whether a release has it. */
        public boolean in(Release release) {
            return !goneIn(release) && (from.isEmpty() || release.in(">=" + from));
        }

        /** Whether a release has it no more. */
        public boolean goneIn(Release release) {
            return !until.isEmpty() && release.in(">=" + until);
        }
    }

    private record Key(SettingKind kind, Sort sort) {}

    private static final String FILE = "/dev/fettle/model/audit/names.tsv";

    /** Read on first use. */
    private static final class Holder {
        static final Map<Key, Map<String, Known>> ALL = read();
    }

    private KnownNames() {}

    private static Map<Key, Map<String, Known>> read() {
        var out = new LinkedHashMap<Key, Map<String, Known>>();
        try (InputStream in = KnownNames.class.getResourceAsStream(FILE)) {
            if (in == null) {
                throw new IllegalStateException(FILE + " is missing from the class path");
            }
            var lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
            lines.lines().filter(l -> !l.startsWith("#")).forEach(l -> {
                String[] f = l.split("\t", -1);
                var key = new Key(SettingKind.of(f[0]), Sort.valueOf(f[1].toUpperCase(java.util.Locale.ROOT)));
                var known = new Known(f[2], f[3], f[4], f[5]);
                out.computeIfAbsent(key, k -> new LinkedHashMap<>()).put(plain(key, known.name()), known);
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out;
    }

    private static Map<String, Known> of(Key key) {
        return Holder.ALL.getOrDefault(key, Map.of());
    }

    private static String plain(Key key, String name) {
        return key.sort() == Sort.NAME ? AuditRules.plain(key.kind(), name) : name;
    }

    /** What is known of a name; empty if no release has had it. */
    public static Optional<Known> find(SettingKind kind, Sort sort, String name) {
        var key = new Key(kind, sort);
        return Optional.ofNullable(of(key).get(plain(key, name)));
    }

    /** Variables that only an app of Spring Boot's has; {@code SERVER_PORT} may be anybody's. */
    private static final Pattern VARIABLE = Pattern.compile("(?:SPRING_|(?:SERVER|MANAGEMENT)_[A-Z0-9]++_)[A-Z0-9_]++");

    /** The properties of Spring Boot by their names without dots, read on first use. */
    private static final class Variables {
        static final Map<String, String> ALL = read();

        private static Map<String, String> read() {
            var out = new HashMap<String, String>();
            AuditRules.all().rules().stream()
                    .filter(r -> r.kind() == SettingKind.SPRING)
                    .flatMap(r -> Stream.concat(Stream.of(r.name()), r.aliases().stream()))
                    .forEach(n -> out.putIfAbsent(bare(n), n));
            all(SettingKind.SPRING, Sort.NAME).forEach(k -> out.putIfAbsent(bare(k.name()), k.name()));
            return out;
        }

        static String bare(String name) {
            return AuditRules.plain(SettingKind.SPRING, name).replace(".", "");
        }
    }

    /**
     * The property of Spring Boot that an environment variable sets: of {@code SERVER_TOMCAT_THREADS_MAX} it is {@code
     * server.tomcat.threads.max}. Dashes are left out of a variable, or are underscores.
     */
    public static Optional<String> ofVariable(String variable) {
        return VARIABLE.matcher(variable).matches()
                ? Optional.ofNullable(Variables.ALL.get(Variables.bare(variable)))
                : Optional.empty();
    }

    /** All names of one sort. */
    public static List<Known> all(SettingKind kind, Sort sort) {
        return List.copyOf(of(new Key(kind, sort)).values());
    }
}
