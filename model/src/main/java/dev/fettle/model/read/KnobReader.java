package dev.fettle.model.read;

import dev.fettle.model.key.Form;
import dev.fettle.model.key.Key;
import dev.fettle.model.key.Section;
import dev.fettle.model.knob.Knob;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.OwnKnob;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Dimension;
import dev.fettle.model.plan.GridPoints;
import dev.fettle.model.plan.KnobRange;
import dev.fettle.model.target.Target;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/** Reads settings, ranges of knobs, and grids. */
final class KnobReader {
    static final int MOST_VALUES = 200;

    /** An interval; its ends are values of the knob that it is under. */
    @Section(value = "interval", doc = "All values between two ends.")
    record Interval(
            @Key(value = "Smallest value.", form = Form.VALUE, required = "8")
            Node from,

            @Key(value = "Largest value.", form = Form.VALUE, required = "64")
            Node to) {}

    private final Problems problems;
    private final Scalars scalars;
    private final Map<String, Knob> own;
    private final Map<String, String> ownDefaults;

    KnobReader(Problems problems) {
        this(problems, List.of());
    }

    /** @param own the knobs that the plan declares */
    KnobReader(Problems problems, List<OwnKnob> own) {
        this.own = own.stream().map(OwnKnob::knob).collect(Collectors.toMap(Knob::name, k -> k));
        this.ownDefaults = own.stream()
                .filter(k -> k.byDefault().isPresent())
                .collect(Collectors.toMap(OwnKnob::name, k -> k.byDefault().orElseThrow()));
        this.problems = problems;
        this.scalars = new Scalars(problems);
    }

    /** {@code hold}, {@code set}, {@code defaults}: one value per knob. */
    Setting setting(Node node, String what) {
        Setting setting = Setting.DEFAULT;
        for (YamlFields.Entry e : YamlFields.open(node, what, problems).all()) {
            Optional<String> value = knob(e).flatMap(k -> value(e.value(), k));
            if (value.isPresent()) {
                setting = setting.with(e.key(), value.get());
            }
        }
        return setting;
    }

    /** {@code knobs}: what a tune may change. */
    List<KnobRange> ranges(Node node) {
        var out = new ArrayList<KnobRange>();
        for (YamlFields.Entry e : YamlFields.open(node, "knobs", problems).all()) {
            Optional<Knob> knob = e.key().equals(ServerKind.CHOICE) ? Optional.of(ServerKind.choice()) : knob(e);
            knob.flatMap(k -> range(e, k)).ifPresent(out::add);
        }
        return out;
    }

    private Optional<KnobRange> range(YamlFields.Entry e, Knob knob) {
        if (e.value() instanceof SequenceNode) {
            List<String> choices = values(e.value(), knob.name(), n -> value(n, knob));
            if (choices.size() == 1 && choices.getFirst().equals(ownDefaults.get(knob.name()))) {
                problems.add(
                        e.value(),
                        "%s: %s is its default, so there is nothing to try: list other values"
                                .formatted(e.key(), choices.getFirst()));
                return Optional.empty();
            }
            return choices.isEmpty() ? Optional.empty() : Optional.of(KnobRange.choices(knob.name(), choices));
        }
        if (!(e.value() instanceof MappingNode)) {
            problems.add(
                    e.value(),
                    knob.hasInterval()
                            ? "%s is {from: ..., to: ...} or a list of values; one value goes into 'hold'"
                                    .formatted(e.key())
                            : "%s is a list of values; one value goes into 'hold'".formatted(e.key()));
            return Optional.empty();
        }
        if (!knob.hasInterval()) {
            problems.add(e.value(), "%s has no interval: give a list of values".formatted(e.key()));
            return Optional.empty();
        }
        YamlFields f = YamlFields.closed(e.value(), e.key(), Binder.keys(Interval.class), problems);
        OptionalLong from = end(f, "from", knob);
        OptionalLong to = end(f, "to", knob);
        if (from.isEmpty() || to.isEmpty()) {
            return Optional.empty();
        }
        if (from.getAsLong() < 0) {
            problems.add(f.at("from"), "%s: -1 is no amount; an interval starts at 0 or above".formatted(e.key()));
            return Optional.empty();
        }
        if (from.getAsLong() >= to.getAsLong()) {
            problems.add(
                    e.value(),
                    "%s: from %s is not below to %s"
                            .formatted(e.key(), knob.text(from.getAsLong()), knob.text(to.getAsLong())));
            return Optional.empty();
        }
        return Optional.of(KnobRange.interval(knob.name(), from.getAsLong(), to.getAsLong()));
    }

    private OptionalLong end(YamlFields f, String key, Knob knob) {
        Optional<String> value =
                f.require(key, knob.text(Math.max(1, knob.min()))).flatMap(n -> value(n, knob));
        return value.isPresent() ? OptionalLong.of(knob.number(value.get())) : OptionalLong.empty();
    }

    /** {@code grid}: dimensions in the order of the plan. */
    List<Dimension> grid(Node node, Target target) {
        var out = new ArrayList<Dimension>();
        if (node instanceof MappingNode mapping && mapping.getValue().isEmpty()) {
            problems.add(node, "grid is empty");
        }
        for (YamlFields.Entry e : YamlFields.open(node, "grid", problems).all()) {
            if (OwnKnob.is(e.key()) ? knob(e).isEmpty() : !GridPoints.known(e.key(), target)) {
                if (OwnKnob.is(e.key())) {
                    continue; // already reported
                }
                problems.add(e.keyNode(), GridPoints.unknown(e.key(), target));
                continue;
            }
            Optional<Knob> knob = find(e.key());
            List<String> values = values(
                    e.value(), e.key(), n -> knob.isPresent() ? value(n, knob.get()) : other(n, e.key(), target));
            if (!values.isEmpty()) {
                out.add(new Dimension(e.key(), values));
            }
        }
        return out;
    }

    private Optional<String> other(Node node, String name, Target target) {
        if (!GridPoints.maybeQuoted(name) && node instanceof ScalarNode s && !s.isPlain()) {
            problems.add(node, "%s: leave the quotes out".formatted(name));
            return Optional.empty();
        }
        return scalars.text(node, name)
                .flatMap(t -> scalars.tried(node, "", t, v -> GridPoints.canonical(name, v, target)));
    }

    private List<String> values(Node node, String what, Function<Node, Optional<String>> read) {
        var out = new LinkedHashSet<String>();
        List<Node> items = scalars.list(node, what);
        if (items.size() > MOST_VALUES) {
            problems.add(node, "%s has %d values; at most %d".formatted(what, items.size(), MOST_VALUES));
            return List.of();
        }
        for (Node item : items) {
            Optional<String> value = read.apply(item);
            if (value.isPresent() && !out.add(value.get())) {
                problems.add(item, "%s is listed twice".formatted(value.get()));
            }
        }
        return List.copyOf(out);
    }

    private Optional<Knob> find(String name) {
        return Optional.ofNullable(own.get(name)).or(() -> Knobs.find(name));
    }

    private Optional<Knob> knob(YamlFields.Entry e) {
        Optional<Knob> knob = find(e.key());
        if (knob.isEmpty() && OwnKnob.is(e.key())) {
            problems.add(
                    e.keyNode(),
                    own.isEmpty()
                            ? "%s is not declared: say what it is under 'own'".formatted(e.key())
                            : "%s is not declared under 'own'; there is %s"
                                    .formatted(e.key(), String.join(", ", new TreeSet<>(own.keySet()))));
        } else if (e.key().equals(ServerKind.CHOICE)) {
            problems.add(e.keyNode(), "the server is not a knob to hold: it stands in 'target'");
        } else if (knob.isEmpty()) {
            String meant = Knobs.nearest(e.key())
                    .map(n -> "; did you mean '" + n + "'?")
                    .orElse("");
            problems.add(e.keyNode(), "unknown knob '%s'%s (all of them: fettle knobs)".formatted(e.key(), meant));
        }
        return knob;
    }

    /** One value in canonical form. */
    private Optional<String> value(Node node, Knob knob) {
        return switch (knob.type()) {
            case INT ->
                scalars.wholeNumber(node, knob.name(), knob.min(), knob.max()).map(String::valueOf);
            case BOOL -> scalars.bool(node, knob.name()).map(String::valueOf);
            case DURATION -> duration(node, knob);
            case SIZE, ENUM, JDK, FLAGS, TEXT ->
                scalars.text(node, knob.name()).flatMap(t -> scalars.tried(node, "", t, knob::canonical));
        };
    }

    private Optional<String> duration(Node node, Knob knob) {
        Optional<String> text = scalars.text(node, knob.name());
        if (text.isPresent() && text.get().matches("-?[0-9.]+") && !text.get().equals("-1")) {
            problems.add(node, "%s: duration needs a unit: 50ms, 4s, 2m".formatted(knob.name()));
            return Optional.empty();
        }
        return text.flatMap(t -> scalars.tried(node, "", t, knob::canonical));
    }
}
