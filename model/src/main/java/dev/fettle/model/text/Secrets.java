package dev.fettle.model.text;

import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.load.ScenarioSecrets;
import dev.fettle.model.plan.Dimension;
import dev.fettle.model.plan.KnobRange;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.Variant;
import dev.fettle.model.target.Hook;
import dev.fettle.model.target.Hooks;
import dev.fettle.model.target.Target;
import dev.fettle.model.target.TargetTexts;
import dev.fettle.model.trial.TrialSpec;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * Takes secrets out of what is journalled or reported. What might be secret becomes {@code ***}: every header value
 * outside a harmless list, the request body, the user-info of a URL, and any value whose name looks like a secret
 * (environment, JVM flags, command arguments, query parameters, files). Redacting twice changes nothing.
 */
public final class Secrets {
    /** What stands in a secret's place. */
    public static final String MASK = "***";

    private static final Set<String> HARMLESS = Set.of(
            "accept",
            "accept-charset",
            "accept-encoding",
            "accept-language",
            "cache-control",
            "content-encoding",
            "content-language",
            "content-type",
            "date",
            "dnt",
            "expect",
            "host",
            "if-match",
            "if-modified-since",
            "if-none-match",
            "pragma",
            "range",
            "upgrade-insecure-requests",
            "user-agent");

    private static final String WORD = "(?:passw|pwd|passphrase|secret|token|key|credential|auth|cookie)";
    private static final Pattern NAME = Pattern.compile(WORD, Pattern.CASE_INSENSITIVE);
    private static final Pattern QUERY =
            Pattern.compile("([?&;][^=&;#]*" + WORD + "[^=&;#]*=)[^&;#]+", Pattern.CASE_INSENSITIVE);
    private static final Pattern ASSIGNMENT =
            Pattern.compile("([\\w.-]*" + WORD + "[\\w.-]*[\"']?\\s*[:=]\\s*)\\S[^\\r\\n]*", Pattern.CASE_INSENSITIVE);
    private static final Pattern USER_INFO = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*://)[^/@\\s?#]*@");

    private Secrets() {}

    /** A load without header values that might be secret, and without its body. */
    public static Load redact(Load load) {
        var r = load.request();
        var headers = new LinkedHashMap<String, String>();
        r.headers().forEach((name, value) -> headers.put(name, harmless(name) ? value : MASK));
        Optional<String> body = r.body().map(b -> MASK);
        return new Load(
                load.connections(),
                load.keepAlive(),
                new Load.Request(r.method(), path(r.path()), headers, body),
                load.expect(),
                load.timeout(),
                load.warmUpAtMost(),
                load.measure(),
                load.threads(),
                load.arrivals(),
                load.wire(),
                load.scenario().map(ScenarioSecrets::redact));
    }

    /** A target without secret environment values, flags, arguments, file contents and user-info. */
    public static Target redact(Target target) {
        return target.changed(new Masked());
    }

    /** What of a target's texts may be kept. */
    private static final class Masked implements TargetTexts<RuntimeException> {
        @Override
        public Target.Jvm jvm(Target.Jvm jvm) {
            return new Target.Jvm(jvm.java(), flags(jvm.flags()));
        }

        @Override
        public List<String> arguments(List<String> arguments) {
            return flags(arguments);
        }

        @Override
        public List<List<String>> groups(List<List<String>> groups) {
            return Secrets.arguments(groups);
        }

        @Override
        public Map<String, String> environment(Map<String, String> variables) {
            return named(variables);
        }

        @Override
        public Map<String, String> files(Map<String, String> files) {
            return values(files, Secrets::content);
        }

        @Override
        public Map<String, String> templates(Map<String, String> templates) {
            return values(templates, Secrets::content);
        }

        @Override
        public URI url(URI url) {
            return redact(url);
        }
    }

    /** A setting without secrets in its JVM flags. */
    public static Setting redact(Setting setting) {
        return setting.get("jvm.flags")
                .map(f -> setting.with("jvm.flags", String.join(" ", flags(List.of(f.split(" "))))))
                .orElse(setting);
    }

    /** A plan without secrets. */
    public static Plan redact(Plan plan) {
        return new Plan(
                plan.name(),
                plan.about(),
                redact(plan.target()),
                redact(plan.load()),
                redact(plan.hold()),
                plan.knobs().stream().map(Secrets::redact).toList(),
                plan.objective(),
                plan.budget(),
                plan.slo(),
                plan.sweep().map(s -> new Plan.Sweep(redact(s.grid()), s.repeats())),
                plan.compare()
                        .map(c -> new Plan.Compare(
                                c.variants().stream()
                                        .map(v -> new Variant(v.name(), redact(v.target()), redact(v.setting())))
                                        .toList(),
                                redact(c.grid()),
                                c.pairs())),
                plan.hooks().map(Secrets::redact),
                plan.seed());
    }

    private static Hooks redact(Hooks hooks) {
        return new Hooks(
                hooks.before().stream().map(Secrets::redact).toList(),
                hooks.after().stream().map(Secrets::redact).toList());
    }

    private static Hook redact(Hook hook) {
        return new Hook(
                arguments(hook.run()),
                named(hook.environment()),
                hook.background(),
                hook.ready().map(r -> switch (r) {
                    case Hook.Ready.Tcp t -> t;
                    case Hook.Ready.Http h -> new Hook.Ready.Http(path(userInfo(h.url())), h.status());
                    case Hook.Ready.Log l -> new Hook.Ready.Log(content(l.text()));
                    case Hook.Ready.Probe p -> new Hook.Ready.Probe(arguments(p.run()));
                }),
                hook.within(),
                hook.exit(),
                hook.scope());
    }

    /** A trial's description without secrets. */
    public static TrialSpec redact(TrialSpec spec) {
        var point = new LinkedHashMap<String, String>();
        spec.point().forEach((name, value) -> point.put(name, value(name, value)));
        return new TrialSpec(
                spec.phase(),
                spec.variant(),
                point,
                spec.block(),
                redact(spec.target()),
                redact(spec.setting()),
                redact(spec.load()));
    }

    /** A URL without user-info and without query parameters whose names look like secrets. */
    public static URI redact(URI uri) {
        String text = path(USER_INFO.matcher(uri.toString()).replaceAll("$1" + MASK + "@"));
        return URI.create(text);
    }

    /** A text without user-info in its URLs, and without what is assigned to names that look like secrets. */
    public static String redact(String text) {
        return content(text);
    }

    /** Whether a name looks like a secret's: password, token, secret, key… */
    public static boolean looksSecret(String name) {
        return NAME.matcher(name).find();
    }

    public static boolean harmless(String header) {
        return HARMLESS.contains(header.toLowerCase(Locale.ROOT));
    }

    private static KnobRange redact(KnobRange range) {
        List<String> choices =
                range.choices().stream().map(v -> value(range.knob(), v)).toList();
        return new KnobRange(range.knob(), range.from(), range.to(), choices);
    }

    private static List<Dimension> redact(List<Dimension> grid) {
        return grid.stream()
                .map(d -> new Dimension(
                        d.name(),
                        d.values().stream().map(v -> value(d.name(), v)).toList()))
                .toList();
    }

    private static String value(String dimension, String value) {
        return switch (dimension) {
            case "load.path" -> path(value);
            case "jvm.flags" -> String.join(" ", flags(List.of(value.split(" "))));
            default -> value;
        };
    }

    public static String path(String path) {
        return QUERY.matcher(path).replaceAll("$1" + MASK);
    }

    private static String content(String text) {
        return ASSIGNMENT.matcher(userInfo(text)).replaceAll("$1" + MASK);
    }

    private static String userInfo(String text) {
        return USER_INFO.matcher(text).replaceAll("$1" + MASK + "@");
    }

    private static Map<String, String> named(Map<String, String> map) {
        var out = new LinkedHashMap<String, String>();
        map.forEach((name, value) -> out.put(name, looksSecret(name) ? MASK : flag(value)));
        return out;
    }

    private static Map<String, String> values(Map<String, String> map, UnaryOperator<String> change) {
        var out = new LinkedHashMap<String, String>();
        map.forEach((name, value) -> out.put(name, change.apply(value)));
        return out;
    }

    private static List<String> flags(List<String> flags) {
        return flags.stream().map(Secrets::flag).toList();
    }

    /** {@code -Ddb.password=x}, {@code --token=x}, or an argument with a URL in it. */
    private static String flag(String flag) {
        int eq = flag.indexOf('=');
        if (eq > 0 && looksSecret(flag.substring(0, eq))) {
            return flag.substring(0, eq + 1) + MASK;
        }
        return content(flag);
    }

    /** Also masks what follows {@code --password}, within a group and across groups. */
    private static List<List<String>> arguments(List<List<String>> groups) {
        var out = new ArrayList<List<String>>();
        boolean next = false;
        for (List<String> group : groups) {
            var masked = new ArrayList<String>();
            for (String argument : group) {
                masked.add(next && !argument.startsWith("-") ? MASK : flag(argument));
                next = argument.startsWith("-") && argument.indexOf('=') < 0 && looksSecret(argument);
            }
            out.add(masked);
        }
        return out;
    }
}
