package dev.fettle.model.read;

import dev.fettle.model.key.Checked;
import dev.fettle.model.key.Choice;
import dev.fettle.model.key.Default;
import dev.fettle.model.key.Form;
import dev.fettle.model.key.Key;
import dev.fettle.model.key.Matches;
import dev.fettle.model.key.Names;
import dev.fettle.model.key.Range;
import dev.fettle.model.key.Rule;
import dev.fettle.model.key.Section;
import dev.fettle.model.text.Units;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * Binds nodes to the records that declare a plan's keys, in the order of their components. A wrong value is a problem, and then the
 * key counts as left out; a record that can't be without it is not made.
 */
final class Binder {
    /** What a key is that is left out; of other types, the record can't be without it. */
    private static final Map<Class<?>, Object> EMPTY = Map.of(
            List.class, List.of(), Map.class, Map.of(), Set.class, Set.of(), String.class, "", boolean.class, false);

    private final Reading reading;
    private final Problems problems;
    private final Scalars scalars;

    Binder(Reading reading) {
        this.reading = reading;
        this.problems = reading.problems();
        this.scalars = reading.scalars();
    }

    /** Sections as they were found by reflection, which makes new components each time that it is asked. */
    private static final ClassValue<Shape> SHAPES = new ClassValue<>() {
        @Override
        protected Shape computeValue(Class<?> section) {
            return Shape.of(section);
        }
    };

    /**
     * A section.
     *
     * @param names of the keys, by component; empty: it is no key
     * @param keys those that a mapping may have
     */
    private record Shape(
            List<RecordComponent> components,
            List<String> names,
            List<String> keys,
            List<Rule> rules,
            Constructor<?> constructor) {
        static Shape of(Class<?> section) {
            List<RecordComponent> components = List.of(section.getRecordComponents());
            try {
                return new Shape(
                        components,
                        components.stream().map(c -> isKey(c) ? name(c) : "").toList(),
                        Stream.concat(
                                        components.stream()
                                                .filter(c -> isKey(c) && !key(c).alone())
                                                .map(Binder::name),
                                        with(section).map(Binder::name))
                                .distinct()
                                .toList(),
                        List.of(section.getAnnotationsByType(Rule.class)),
                        section.getDeclaredConstructor(components.stream()
                                .map(RecordComponent::getType)
                                .toArray(Class<?>[]::new)));
            } catch (NoSuchMethodException e) {
                throw new IllegalStateException(section + " is no record", e);
            }
        }
    }

    /** The keys of a section, in order. */
    static List<String> keys(Class<?> section) {
        return SHAPES.get(section).keys();
    }

    /** The components of a section that are keys. */
    static Stream<RecordComponent> components(Class<?> section) {
        return SHAPES.get(section).components().stream().filter(Binder::isKey);
    }

    /** The keys that can't be there with some, since exactly one of them is. */
    static List<String> alternatives(Class<?> section, List<String> keys) {
        return SHAPES.get(section).rules().stream()
                .filter(r -> r.kind() == Rule.Kind.ONE)
                .map(r -> List.of(r.keys().split(" ")))
                .filter(all -> !Collections.disjoint(all, keys))
                .flatMap(List::stream)
                .toList();
    }

    /** The keys that a section has with others. */
    static Stream<RecordComponent> with(Class<?> section) {
        return Arrays.stream(section.getAnnotation(Section.class).with()).flatMap(Binder::components);
    }

    private static boolean isKey(RecordComponent c) {
        return c.isAnnotationPresent(Key.class);
    }

    private static Key key(RecordComponent c) {
        return c.getAnnotation(Key.class);
    }

    /** A key's name in a plan. */
    static String name(RecordComponent c) {
        String name = key(c).name();
        return name.isEmpty() ? c.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT) : name;
    }

    /**
     * Binds a node to a section.
     *
     * @param name what it stands under
     * @return the record, or what it stands for if it is {@link Written}
     */
    Optional<?> bind(Class<?> section, Node node, String name) {
        boolean bare = node instanceof ScalarNode
                && !YamlFields.isNull(node)
                && components(section).anyMatch(c -> key(c).alone());
        String what = section.getAnnotation(Section.class).what();
        String called = what.isEmpty() ? name : what.formatted(name);
        YamlFields f = bare
                ? YamlFields.bare(node, called, problems)
                : YamlFields.closed(node, called, keys(section), problems);
        if (!bare) {
            rules(section, f);
        }
        Shape shape = SHAPES.get(section);
        var values = new @Nullable Object[shape.components().size()];
        boolean whole = true;
        for (int i = 0; i < values.length; i++) {
            String key = shape.names().get(i);
            values[i] = key.isEmpty() ? f : component(shape.components().get(i), key, f, bare, name);
            whole &= values[i] != null;
        }
        if (!whole) {
            return Optional.empty();
        }
        Object made = made(shape.constructor(), values);
        if (made instanceof Checked checked) {
            checked.wrong().ifPresent(w -> f.wrong(w.key(), w.message()));
        }
        return made instanceof Written<?> written ? written.value(reading) : Optional.of(made);
    }

    private static Object made(Constructor<?> section, @Nullable Object[] values) {
        try {
            return section.newInstance(values);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(section + " does not take what its keys say", e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(section + " can't be made", e);
        }
    }

    /** Reports keys that do not go together. */
    private void rules(Class<?> section, YamlFields f) {
        for (Rule rule : SHAPES.get(section).rules()) {
            List<String> keys = List.of(rule.keys().split(" "));
            List<String> there = keys.stream().filter(f::hasAs).toList();
            boolean broken = switch (rule.kind()) {
                case NOT_BOTH -> there.size() > 1;
                case SOME -> there.isEmpty();
                case ONE -> there.size() != 1;
                case NEEDS -> there.equals(keys.subList(0, 1));
                case ALONE -> there.size() > 1 && there.contains(keys.getFirst());
            };
            boolean misspelt = keys.stream().anyMatch(k -> !f.has(k) && !f.lacks(k))
                    || rule.kind() == Rule.Kind.ONE && there.isEmpty() && f.hasUnknown();
            if (broken && f.isMapping() && !f.has(rule.unless()) && !(misspelt && there.size() < 2)) {
                List<String> reported = rule.kind() == Rule.Kind.ALONE
                        ? there.subList(1, there.size())
                        : List.of(there.isEmpty() ? "" : there.getLast());
                for (String key : reported) {
                    problems.add(
                            rule.whole() ? f.node() : f.at(key.replaceFirst("=.*", "")),
                            rule.says().formatted(f.what(), key));
                }
            }
        }
    }

    private @Nullable Object component(RecordComponent c, String own, YamlFields f, boolean bare, String name) {
        Key key = key(c);
        Optional<Node> node = key.alone()
                ? Optional.of(f.node()).filter(n -> bare)
                : bare || key.required().isEmpty() ? f.get(own) : f.require(own, key.required());
        Optional<?> value = node.flatMap(n -> value(c, c.getGenericType(), n, key.alone() ? name : own));
        if (c.getType() == Optional.class) {
            return value;
        }
        if (c.getType() == OptionalInt.class) {
            return value.map(v -> OptionalInt.of((Integer) v)).orElse(OptionalInt.empty());
        }
        return value.isPresent() ? value.get() : absent(c, own);
    }

    private @Nullable Object absent(RecordComponent c, String own) {
        Default otherwise = c.getAnnotation(Default.class);
        if (otherwise != null) {
            Node said = new ScalarNode(Tag.STR, otherwise.value(), null, null, ScalarStyle.PLAIN);
            return value(c, c.getGenericType(), said, own).orElseThrow();
        }
        return key(c).required().isEmpty() ? EMPTY.get(c.getType()) : null;
    }

    private Optional<?> value(RecordComponent c, Type type, Node node, String what) {
        Class<?> raw = raw(type);
        if (raw == Optional.class) {
            return value(c, argument(type), node, what);
        } else if (raw == Node.class) {
            return Optional.of(node);
        } else if (key(c).form().isWhole()) {
            return reading.value(c, node, what);
        } else if (raw == Placed.class) {
            return value(c, argument(type), node, what).map(v -> new Placed<>(node, v));
        } else if (raw == Map.class) {
            var out = new LinkedHashMap<String, Object>();
            entries(c, ((ParameterizedType) type).getActualTypeArguments()[1], node, what)
                    .forEach(e -> out.put(e.name(), e.value()));
            return Optional.of(out);
        } else if (raw == List.class) {
            return Optional.of(
                    raw(argument(type)) == Named.class
                            ? entries(c, argument(argument(type)), node, what)
                            : items(c, argument(type), node, what));
        }
        return single(c, raw, node, what);
    }

    private static Class<?> raw(Type type) {
        return (Class<?>) (type instanceof ParameterizedType p ? p.getRawType() : type);
    }

    private static Type argument(Type type) {
        return ((ParameterizedType) type).getActualTypeArguments()[0];
    }

    private List<?> items(RecordComponent c, Type type, Node node, String what) {
        String item = key(c).item();
        var out = new ArrayList<Object>();
        for (Node n : scalars.list(node, what)) {
            value(c, type, n, item.isEmpty() ? what : item).ifPresent(v -> {
                if (key(c).distinct() && out.contains(v)) {
                    problems.add(n, "%s is listed twice".formatted(v));
                }
                out.add(v);
            });
        }
        return out;
    }

    private List<Named<?>> entries(RecordComponent c, Type type, Node node, String what) {
        var out = new ArrayList<Named<?>>();
        Names names = c.getAnnotation(Names.class);
        YamlFields all = YamlFields.open(node, what, problems);
        for (YamlFields.Entry e : all.all()) {
            if (names != null && !e.key().matches(names.value())) {
                problems.add(e.keyNode(), names.says().formatted(e.key()));
            }
            value(c, type, e.value(), e.key()).ifPresent(v -> out.add(new Named<>(e.key(), e.keyNode(), e.value(), v)));
        }
        if (names != null && all.size() < names.least() && all.isMapping()) {
            problems.add(node, names.tooFew());
        }
        return out;
    }

    private Optional<?> single(RecordComponent c, Class<?> type, Node node, String what) {
        Class<?> of = key(c).of() == void.class ? type : key(c).of();
        Range range = c.getAnnotation(Range.class);
        if (of.isAnnotationPresent(Section.class)) {
            return bind(of, node, what);
        } else if (key(c).form() != Form.BY_TYPE) {
            return reading.value(c, node, what);
        } else if (type == String.class) {
            return text(c, node, what);
        } else if (type == int.class || type == Integer.class || type == OptionalInt.class) {
            return scalars.integer(node, what, Integer.parseInt(range.from()), Integer.parseInt(range.to()));
        } else if (type == long.class || type == Long.class) {
            long most = range.to().isEmpty() ? Long.MAX_VALUE : Long.parseLong(range.to());
            return scalars.wholeNumber(node, what, Long.parseLong(range.from()), most);
        } else if (type == boolean.class || type == Boolean.class) {
            return bool(c, node, what);
        } else if (type == Duration.class) {
            return scalars.duration(node, what, Units.duration(range.from()), Units.duration(range.to()));
        } else if (type == Path.class) {
            return scalars.path(node, what, reading.folder());
        } else if (type.isEnum()) {
            return scalars.oneOf(node, what, choices(c, type)).flatMap(t -> constant(type, t));
        }
        throw new IllegalStateException(what + " is of " + type + ", which no plan can have");
    }

    private Optional<Boolean> bool(RecordComponent c, Node node, String what) {
        Choice choice = c.getAnnotation(Choice.class);
        Optional<Boolean> read = scalars.bool(node, what);
        if (choice != null
                && read.isPresent()
                && !choice.value()[0].equals(read.get().toString())) {
            problems.add(node, "%s is %s, or left out".formatted(what, choice.value()[0]));
        }
        return read;
    }

    private Optional<String> text(RecordComponent c, Node node, String what) {
        if (c.isAnnotationPresent(Choice.class)) {
            return scalars.oneOf(node, what, choices(c, String.class));
        }
        Matches matches = c.getAnnotation(Matches.class);
        Optional<String> text = scalars.text(node, what);
        if (matches != null && text.isPresent() && !text.get().matches(matches.value())) {
            problems.add(node, matches.says().formatted(text.get()));
            return Optional.empty();
        }
        return text;
    }

    /** The values of a key that has a choice of them. */
    static List<String> choices(RecordComponent c, Class<?> type) {
        Choice choice = c.getAnnotation(Choice.class);
        return choice != null
                ? List.of(choice.value())
                : Arrays.stream(type.getEnumConstants())
                        .map(e -> ((Enum<?>) e).name().toLowerCase(Locale.ROOT).replace('_', '-'))
                        .toList();
    }

    private static Optional<?> constant(Class<?> type, String text) {
        String name = text.toUpperCase(Locale.ROOT).replace('-', '_');
        return Arrays.stream(type.getEnumConstants())
                .filter(e -> ((Enum<?>) e).name().equals(name))
                .findFirst();
    }
}
