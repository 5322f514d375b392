package dev.fettle.model.plan;

import dev.fettle.model.load.Load;
import dev.fettle.model.target.Target;
import dev.fettle.model.text.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/**
 * One thing in which variants of a comparison differ by what the plan says of them; of arguments and flags, those between what all begin and
 * end with.
 *
 * @param part what it is: {@code jar}, {@code JVM flags}, a knob
 * @param values of each variant, in their order; empty: it has none
 */
public record VariantDifference(String part, List<String> values) {
    /** The part that is the JDK. */
    public static final String JDK = "JDK";

    /** The part that is the JVM's flags. */
    public static final String FLAGS = "JVM flags";

    public VariantDifference {
        values = List.copyOf(values);
    }

    /** The part that is a knob's value in a program's own files. */
    public static String inOwnFiles(String knob) {
        return knob + " in its own files";
    }

    /** All differences: of targets, of what their own files set, of settings and of loads. */
    public static List<VariantDifference> among(List<Variant> variants) {
        List<Map<String, List<String>>> all =
                variants.stream().map(VariantDifference::parts).toList();
        var names = new LinkedHashSet<String>();
        all.forEach(parts -> names.addAll(parts.keySet()));
        var out = new ArrayList<VariantDifference>();
        for (String name : names) {
            List<List<String>> values =
                    all.stream().map(p -> p.getOrDefault(name, List.of())).toList();
            if (values.stream().distinct().count() > 1) {
                out.add(new VariantDifference(name, apart(values)));
            }
        }
        return out;
    }

    /** Texts of several words without those that all begin and end with. */
    private static List<String> apart(List<List<String>> values) {
        List<String> first = values.getFirst();
        int least = values.stream().mapToInt(List::size).min().orElse(0);
        int begin = 0;
        while (begin < least && same(values, first.get(begin), begin)) {
            begin++;
        }
        int end = 0;
        while (end < least - begin && same(reversed(values), first.get(first.size() - 1 - end), end)) {
            end++;
        }
        int from = begin;
        int until = end;
        return values.stream()
                .map(v -> String.join(" ", v.subList(from, v.size() - until)))
                .toList();
    }

    private static boolean same(List<List<String>> values, String word, int at) {
        return values.stream().allMatch(v -> v.get(at).equals(word));
    }

    private static List<List<String>> reversed(List<List<String>> values) {
        return values.stream().map(List::reversed).toList();
    }

    private static Map<String, List<String>> parts(Variant variant) {
        var parts = new LinkedHashMap<String, List<String>>();
        of(variant.target(), parts);
        variant.target().jvm().java().ifPresent(java -> parts.put(JDK, List.of(java)));
        parts.put(FLAGS, variant.target().jvm().flags());
        variant.target().configured().values().forEach((knob, value) -> parts.put(inOwnFiles(knob), List.of(value)));
        variant.setting().values().forEach((knob, value) -> parts.put(knob, List.of(value)));
        variant.load().ifPresent(load -> of(load, parts));
        return parts;
    }

    private static void of(Target target, Map<String, List<String>> parts) {
        target.knownServer().ifPresent(s -> parts.put("server", List.of(s.id())));
        switch (target) {
            case Target.Embedded e -> {
                parts.put("app", List.of(e.app()));
                e.options().forEach((name, value) -> parts.put("option " + name, List.of(value)));
                e.backend().ifPresent(b -> parts.put("backend", List.of(b.delay() + ", " + b.bytes() + " B")));
            }
            case Target.War w -> {
                parts.put("WAR", List.of(w.war()));
                parts.put("context", List.of(w.context()));
            }
            case Target.Standalone s -> {
                s.version().ifPresent(v -> parts.put("version", List.of(v)));
                s.home().ifPresent(h -> parts.put("home", List.of(h)));
                s.base().ifPresent(b -> parts.put("base", List.of(b)));
                s.war().ifPresent(w -> parts.put("WAR", List.of(w)));
                parts.put("context", List.of(s.context()));
            }
            case Target.Boot b -> {
                parts.put("jar", List.of(b.jar()));
                parts.put("Spring Boot", List.of(b.version()));
                parts.put("arguments", b.arguments());
            }
            case Target.Command c -> {
                parts.put(
                        "command", c.arguments().stream().flatMap(List::stream).toList());
                c.artifacts().forEach((name, artifact) -> parts.put("artifact " + name, List.of(artifact)));
                c.environment().forEach((name, value) -> parts.put("variable " + name, List.of(value)));
                c.files().forEach((path, text) -> parts.put("file " + path, List.of(digest(text))));
                c.templates().forEach((path, text) -> parts.put("template " + path, List.of(digest(text))));
                c.workers().ifPresent(w -> parts.put("worker threads", List.of(w)));
                c.configures().forEach((knob, value) -> parts.put(knob + " by default", List.of(value)));
            }
            case Target.Running r -> parts.put("process", List.of(Long.toString(r.pid())));
            case Target.Url u -> parts.put("url", List.of(u.base().toString()));
        }
    }

    private static void of(Load load, Map<String, List<String>> parts) {
        parts.put("page", List.of(load.request().path()));
        parts.put("right answer", List.of(load.expect().toString()));
    }

    private static String digest(String text) {
        return "sha256:" + HexFormat.of().formatHex(Sha256.of(text.getBytes(StandardCharsets.UTF_8)), 0, 6);
    }
}
