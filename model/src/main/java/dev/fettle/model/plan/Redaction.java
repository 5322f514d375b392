package dev.fettle.model.plan;

import dev.fettle.model.knob.OwnKnob;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.load.ScenarioSecrets;
import dev.fettle.model.target.Hook;
import dev.fettle.model.target.Hooks;
import dev.fettle.model.target.Target;
import dev.fettle.model.target.TargetTexts;
import dev.fettle.model.text.Secrets;
import dev.fettle.model.trial.TrialSpec;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Removes secrets from plans and their parts; see {@link Secrets}. Idempotent. */
public final class Redaction {
    private Redaction() {}

    /** A load without its body and without header values that might be secret. */
    public static Load of(Load load) {
        var r = load.request();
        var headers = new LinkedHashMap<String, String>();
        r.headers().forEach((name, value) -> headers.put(name, Secrets.harmless(name) ? value : Secrets.MASK));
        boolean usual = load.wire().protocol().isWebSocket() && r.body().equals(Optional.of(Load.USUAL_MESSAGE));
        Optional<String> body = usual ? r.body() : r.body().map(b -> Secrets.MASK);
        Load bare = load.withRequest(new Load.Request(r.method(), Secrets.path(r.path()), headers, body));
        return load.scenario()
                .map(ScenarioSecrets::redact)
                .map(bare::withScenario)
                .orElse(bare);
    }

    /** A target without secret environment values, flags, arguments, file contents and user-info. */
    public static Target of(Target target) {
        return target.changed(new Masked());
    }

    /** Masks a target's texts. */
    private static final class Masked implements TargetTexts<RuntimeException> {
        @Override
        public Target.Jvm jvm(Target.Jvm jvm) {
            return new Target.Jvm(jvm.java(), Secrets.flags(jvm.flags()));
        }

        @Override
        public List<String> arguments(List<String> arguments) {
            return Secrets.flags(arguments);
        }

        @Override
        public List<List<String>> groups(List<List<String>> groups) {
            return Secrets.arguments(groups);
        }

        @Override
        public Map<String, String> environment(Map<String, String> variables) {
            return Secrets.named(variables);
        }

        @Override
        public Map<String, String> files(Map<String, String> files) {
            return Secrets.values(files, Secrets::redact);
        }

        @Override
        public Map<String, String> templates(Map<String, String> templates) {
            return Secrets.values(templates, Secrets::redact);
        }

        @Override
        public URI url(URI url) {
            return Secrets.redact(url);
        }
    }

    /** A setting without secrets in its JVM flags. */
    public static Setting of(Setting setting) {
        return setting.get("jvm.flags")
                .map(f -> setting.with("jvm.flags", String.join(" ", Secrets.flags(List.of(f.split(" "))))))
                .orElse(setting);
    }

    /** An own knob without secrets in what reads it back. */
    private static OwnKnob of(OwnKnob k) {
        return k.withRead(k.read().map(r -> switch (r) {
            case OwnKnob.Document(var path, var pointer) -> new OwnKnob.Document(Secrets.path(path), pointer);
            case OwnKnob.Output(var command) -> new OwnKnob.Output(Secrets.flags(command));
            case OwnKnob.Actuator a -> a;
            case OwnKnob.Bean b -> b;
        }));
    }

    /** A plan without secrets. */
    public static Plan of(Plan plan) {
        return plan.with()
                .target(of(plan.target()))
                .load(of(plan.load()))
                .hold(of(plan.hold()))
                .knobs(plan.knobs().stream().map(Redaction::of).toList())
                .sweep(plan.sweep().map(s -> new Plan.Sweep(of(s.grid()), s.repeats())))
                .compare(plan.compare()
                        .map(c -> c.with()
                                .variants(c.variants().stream()
                                        .map(v -> new Variant(
                                                v.name(),
                                                of(v.target()),
                                                of(v.setting()),
                                                v.load().map(Redaction::of)))
                                        .toList())
                                .grid(of(c.grid()))
                                .build()))
                .hooks(plan.hooks().map(Redaction::of))
                .own(plan.own().stream().map(Redaction::of).toList())
                .build();
    }

    private static Hooks of(Hooks hooks) {
        return new Hooks(
                hooks.before().stream().map(Redaction::of).toList(),
                hooks.after().stream().map(Redaction::of).toList());
    }

    private static Hook of(Hook hook) {
        return new Hook(
                Secrets.arguments(hook.run()),
                Secrets.named(hook.environment()),
                hook.background(),
                hook.ready().map(r -> switch (r) {
                    case Hook.Ready.Tcp t -> t;
                    case Hook.Ready.Http h -> new Hook.Ready.Http(Secrets.path(Secrets.userInfo(h.url())), h.status());
                    case Hook.Ready.Log l -> new Hook.Ready.Log(Secrets.redact(l.text()));
                    case Hook.Ready.Probe p -> new Hook.Ready.Probe(Secrets.arguments(p.run()));
                }),
                hook.within(),
                hook.exit(),
                hook.scope());
    }

    /** A trial's description without secrets. */
    public static TrialSpec of(TrialSpec spec) {
        var point = new LinkedHashMap<String, String>();
        spec.point().forEach((name, value) -> point.put(name, value(name, value)));
        return spec.with()
                .point(point)
                .target(of(spec.target()))
                .setting(of(spec.setting()))
                .load(of(spec.load()))
                .build();
    }

    private static KnobRange of(KnobRange range) {
        List<String> choices =
                range.choices().stream().map(v -> value(range.knob(), v)).toList();
        return new KnobRange(range.knob(), range.from(), range.to(), choices);
    }

    private static List<Dimension> of(List<Dimension> grid) {
        return grid.stream()
                .map(d -> new Dimension(
                        d.name(),
                        d.values().stream().map(v -> value(d.name(), v)).toList()))
                .toList();
    }

    private static String value(String dimension, String value) {
        return switch (dimension) {
            case "load.path" -> Secrets.path(value);
            case "jvm.flags" -> String.join(" ", Secrets.flags(List.of(value.split(" "))));
            default -> value;
        };
    }
}
