package dev.fettle.cli;

import static java.util.Objects.requireNonNull;

import dev.fettle.cli.PatternEffort.Use;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.constantpool.MethodHandleEntry;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/** Every pattern that a class keeps, and how it uses it, from its byte code. */
final class KeptPatterns {
    private static final String PATTERN = "java/util/regex/Pattern";
    private static final String MATCHER = "java/util/regex/Matcher";
    private static final Map<String, Use> USES = Map.ofEntries(
            Map.entry("matches", Use.WHOLE),
            Map.entry("lookingAt", Use.WHOLE),
            Map.entry("asMatchPredicate", Use.WHOLE),
            Map.entry("find", Use.ANYWHERE),
            Map.entry("region", Use.ANYWHERE),
            Map.entry("results", Use.ANYWHERE),
            Map.entry("replaceAll", Use.ANYWHERE),
            Map.entry("replaceFirst", Use.ANYWHERE),
            Map.entry("split", Use.ANYWHERE),
            Map.entry("splitAsStream", Use.ANYWHERE),
            Map.entry("asPredicate", Use.ANYWHERE));

    private KeptPatterns() {}

    /** A pattern, where it stands, and how it is used there. */
    record Kept(String name, Pattern pattern, Set<Use> uses) {}

    /** The patterns in the static fields of these classes, also those in their lists, maps and records. */
    static List<Kept> of(List<Class<?>> classes) throws IOException {
        var all = new TreeMap<String, Kept>();
        Map<Pattern, Boolean> seen = new IdentityHashMap<>();
        for (Class<?> type : classes) {
            Map<String, Set<Use>> uses = uses(type);
            for (Field f : type.getDeclaredFields()) {
                if (!Modifier.isStatic(f.getModifiers()) || f.getType().isPrimitive() || f.getType() == String.class) {
                    continue;
                }
                f.setAccessible(true);
                String name = type.getSimpleName() + "." + f.getName();
                Object value;
                try {
                    value = f.get(null);
                } catch (IllegalAccessException e) {
                    throw new AssertionError(e);
                }
                var found = new ArrayList<Pattern>();
                collect(value, found, Collections.newSetFromMap(new IdentityHashMap<>()));
                for (int i = 0; i < found.size(); i++) {
                    if (seen.put(found.get(i), true) == null) {
                        String one = found.size() == 1 ? name : name + "[" + i + "]";
                        all.put(
                                one,
                                new Kept(one, found.get(i), uses.getOrDefault(f.getName(), EnumSet.allOf(Use.class))));
                    }
                }
            }
        }
        return new ArrayList<>(all.values());
    }

    private static void collect(@Nullable Object value, List<Pattern> found, Set<Object> seen) {
        switch (value) {
            case Pattern p -> found.add(p);
            case Collection<?> many when seen.add(many) -> many.forEach(v -> collect(v, found, seen));
            case Map<?, ?> map
            when seen.add(map) ->
                map.forEach((k, v) -> {
                    collect(k, found, seen);
                    collect(v, found, seen);
                });
            case Optional<?> o -> o.ifPresent(v -> collect(v, found, seen));
            case Object[] many -> Arrays.asList(many).forEach(v -> collect(v, found, seen));
            case null -> {}
            default -> {
                Class<?> type = value.getClass();
                if (type.getName().startsWith("dev.fettle.") && !type.isHidden() && seen.add(value)) {
                    fields(value, type, found, seen);
                }
            }
        }
    }

    private static void fields(Object value, Class<?> type, List<Pattern> found, Set<Object> seen) {
        for (Field f : type.getDeclaredFields()) {
            if (!Modifier.isStatic(f.getModifiers()) && !f.getType().isPrimitive()) {
                f.setAccessible(true);
                try {
                    collect(f.get(value), found, seen);
                } catch (IllegalAccessException e) {
                    throw new AssertionError(e);
                }
            }
        }
    }

    /** By a field's name: what the methods that read it ask of patterns and matchers; nothing known means anything. */
    private static Map<String, Set<Use>> uses(Class<?> type) throws IOException {
        var uses = new HashMap<String, Set<Use>>();
        for (MethodModel m : model(type).methods()) {
            var fields = new ArrayList<String>();
            Set<Use> here = EnumSet.noneOf(Use.class);
            m.code().ifPresent(code -> {
                for (CodeElement e : code) {
                    switch (e) {
                        case FieldInstruction f
                        when f.type().stringValue().equals("L" + PATTERN + ";") ->
                            fields.add(f.name().stringValue());
                        case InvokeInstruction i ->
                            add(here, i.owner().asInternalName(), i.name().stringValue());
                        case InvokeDynamicInstruction d ->
                            d.invokedynamic().bootstrap().arguments().stream()
                                    .filter(MethodHandleEntry.class::isInstance)
                                    .map(a -> ((MethodHandleEntry) a).reference())
                                    .forEach(r -> add(
                                            here,
                                            r.owner().asInternalName(),
                                            r.name().stringValue()));
                        default -> {}
                    }
                }
            });
            if (!m.methodName().equalsString("<clinit>")) {
                fields.forEach(f -> uses.computeIfAbsent(f, k -> EnumSet.noneOf(Use.class))
                        .addAll(here.isEmpty() ? EnumSet.allOf(Use.class) : here));
            }
        }
        return uses;
    }

    /**
     * The regular expressions in the methods of these classes: of {@code String.split} and its like, and of patterns that
     * are not kept. Where none stands as a constant in front of the call, it is reported by {@code unknown}.
     */
    static List<Kept> inline(List<Class<?>> classes, List<String> unknown) throws IOException {
        var all = new ArrayList<Kept>();
        for (Class<?> type : classes) {
            for (MethodModel m : model(type).methods()) {
                if (m.code().isEmpty()) {
                    continue;
                }
                String name = type.getSimpleName() + "." + m.methodName().stringValue();
                boolean fields = m.methodName().equalsString("<clinit>");
                var constants = new ArrayList<String>();
                for (CodeElement e : m.code().get()) {
                    if (e instanceof ConstantInstruction c && c.constantValue() instanceof String s) {
                        constants.add(s);
                    } else if (e instanceof InvokeInstruction i && fields && compiles(i)) {
                        constants.clear();
                    } else if (e instanceof InvokeInstruction i && uses(i).isPresent()) {
                        List<Kept> here = constants.stream()
                                .flatMap(s -> compiled(s).stream())
                                .map(p -> new Kept(name, p, EnumSet.of(uses(i).get())))
                                .toList();
                        all.addAll(here);
                        if (here.isEmpty()) {
                            unknown.add(name);
                        }
                        constants.clear();
                    }
                }
            }
        }
        return all;
    }

    /** Constants that look like regular expressions and are passed to another method of Fettle, which compiles them. */
    static List<Kept> passed(List<Class<?>> classes) throws IOException {
        var all = new ArrayList<Kept>();
        for (Class<?> type : classes) {
            for (MethodModel m : model(type).methods()) {
                String name = type.getSimpleName() + "." + m.methodName().stringValue();
                var constants = new ArrayList<String>();
                m.code().ifPresent(code -> {
                    for (CodeElement e : code) {
                        if (e instanceof ConstantInstruction c && c.constantValue() instanceof String s) {
                            constants.add(s);
                        } else if (e instanceof InvokeInstruction i) {
                            constants.stream()
                                    .filter(s -> i.owner().asInternalName().startsWith("dev/fettle/"))
                                    .filter(s -> s.matches("(?s).*[\\\\\\[+*].*"))
                                    .flatMap(s -> compiled(s).stream())
                                    .forEach(p -> all.add(new Kept(name, p, EnumSet.of(Use.ANYWHERE))));
                            constants.clear();
                        }
                    }
                });
            }
        }
        return all;
    }

    private static boolean compiles(InvokeInstruction i) {
        return i.owner().asInternalName().equals(PATTERN);
    }

    private static Optional<Use> uses(InvokeInstruction i) {
        String name = i.name().stringValue();
        return switch (i.owner().asInternalName()) {
            case PATTERN ->
                name.equals("compile") || name.equals("matches") ? Optional.of(Use.ANYWHERE) : Optional.empty();
            case "java/lang/String" -> Optional.ofNullable(USES.get(name));
            default -> Optional.empty();
        };
    }

    private static Optional<Pattern> compiled(String text) {
        try {
            return Optional.of(Pattern.compile(text));
        } catch (PatternSyntaxException e) { // a text of another purpose
            return Optional.empty();
        }
    }

    private static void add(Set<Use> here, String owner, String name) {
        if ((owner.equals(PATTERN) || owner.equals(MATCHER)) && USES.containsKey(name)) {
            here.add(requireNonNull(USES.get(name)));
        }
    }

    static ClassModel model(Class<?> type) throws IOException {
        try (InputStream in = type.getResourceAsStream(
                type.getName().substring(type.getPackageName().length() + 1) + ".class")) {
            return ClassFile.of().parse(requireNonNull(in).readAllBytes());
        }
    }
}
