package dev.fettle.model.audit;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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

    /** All names of one sort. */
    public static List<Known> all(SettingKind kind, Sort sort) {
        return List.copyOf(of(new Key(kind, sort)).values());
    }
}
