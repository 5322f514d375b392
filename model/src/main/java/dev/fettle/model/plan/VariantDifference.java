package dev.fettle.model.plan;

import dev.fettle.model.load.Load;
import dev.fettle.model.target.Target;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * One thing in which variants of a comparison differ by what the plan says of them.
 *
 * @param part what it is: {@code jar}, {@code JVM flags}, a knob
 * @param values of each variant, in their order; empty: it has none
 */
public record VariantDifference(String part, List<String> values) {
    public VariantDifference {
        values = List.copyOf(values);
    }

    /** All differences: of targets, of what their own files set, of settings and of loads. */
    public static List<VariantDifference> among(List<Variant> variants) {
        List<Map<String, String>> all =
                variants.stream().map(VariantDifference::parts).toList();
        var names = new LinkedHashSet<String>();
        all.forEach(parts -> names.addAll(parts.keySet()));
        var out = new ArrayList<VariantDifference>();
        for (String name : names) {
            List<String> values =
                    all.stream().map(p -> p.getOrDefault(name, "")).toList();
            if (values.stream().distinct().count() > 1) {
                out.add(new VariantDifference(name, values));
            }
        }
        return out;
    }

    private static Map<String, String> parts(Variant variant) {
        var parts = new LinkedHashMap<String, String>();
        of(variant.target(), parts);
        variant.target().jvm().java().ifPresent(java -> parts.put("JDK", java));
        parts.put("JVM flags", String.join(" ", variant.target().jvm().flags()));
        variant.target().configured().values().forEach((knob, value) -> parts.put(knob + " in its own files", value));
        parts.putAll(variant.setting().values());
        variant.load().ifPresent(load -> of(load, parts));
        return parts;
    }

    private static void of(Target target, Map<String, String> parts) {
        target.knownServer().ifPresent(s -> parts.put("server", s.id()));
        switch (target) {
            case Target.Embedded e -> {
                parts.put("app", e.app());
                e.options().forEach((name, value) -> parts.put("option " + name, value));
                e.backend().ifPresent(b -> parts.put("backend", b.delay() + ", " + b.bytes() + " B"));
            }
            case Target.War w -> {
                parts.put("WAR", w.war());
                parts.put("context", w.context());
            }
            case Target.Standalone s -> {
                s.version().ifPresent(v -> parts.put("version", v));
                s.home().ifPresent(h -> parts.put("home", h));
                s.base().ifPresent(b -> parts.put("base", b));
                s.war().ifPresent(w -> parts.put("WAR", w));
                parts.put("context", s.context());
            }
            case Target.Boot b -> {
                parts.put("jar", b.jar());
                parts.put("Spring Boot", b.version());
                parts.put("arguments", String.join(" ", b.arguments()));
            }
            case Target.Command c -> {
                parts.put(
                        "command",
                        c.arguments().stream().map(g -> String.join(" ", g)).collect(Collectors.joining(" ")));
                c.artifacts().forEach((name, artifact) -> parts.put("artifact " + name, artifact));
                c.environment().forEach((name, value) -> parts.put("variable " + name, value));
                c.files().forEach((path, text) -> parts.put("file " + path, digest(text)));
                c.templates().forEach((path, text) -> parts.put("template " + path, digest(text)));
                c.workers().ifPresent(w -> parts.put("worker threads", w));
                c.configures().forEach((knob, value) -> parts.put(knob + " by default", value));
            }
            case Target.Running r -> parts.put("process", Long.toString(r.pid()));
            case Target.Url u -> parts.put("url", u.base().toString());
        }
    }

    private static void of(Load load, Map<String, String> parts) {
        parts.put("page", load.request().path());
        parts.put("right answer", load.expect().toString());
    }

    private static String digest(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return "sha256:" + HexFormat.of().formatHex(digest, 0, 6);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
