package dev.fettle.model.read;

import static dev.fettle.model.key.Rule.Kind.NEEDS;
import static dev.fettle.model.key.Rule.Kind.NOT_BOTH;
import static dev.fettle.model.key.Rule.Kind.ONE;
import static dev.fettle.model.key.Rule.Kind.SOME;

import dev.fettle.model.key.Default;
import dev.fettle.model.key.Form;
import dev.fettle.model.key.Key;
import dev.fettle.model.key.Matches;
import dev.fettle.model.key.Names;
import dev.fettle.model.key.Range;
import dev.fettle.model.key.Rule;
import dev.fettle.model.key.Section;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.OwnKnob;
import dev.fettle.model.target.Hook;
import dev.fettle.model.target.Hook.Ready;
import dev.fettle.model.target.Hook.Scope;
import dev.fettle.model.target.Hooks;
import dev.fettle.model.target.Placeholders;
import dev.fettle.model.text.NearestName;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The keys of {@code hooks}. */
@Section(
        value = "hooks",
        doc = "Commands around the target, run from the plan's trials; argument lists, never shell strings.")
@Rule(kind = SOME, keys = "before after", says = "hooks needs 'before' or 'after'")
record HookKeys(
        @Key(value = "In this order, before the target is started.", of = Before.class)
        List<Hook> before,

        @Key(value = "In this order, when the target has ended, however that came.", of = After.class)
        List<Hook> after)
        implements Written<Hooks> {
    private static final List<String> PLAIN = List.of("dir", "java", "plan");
    private static final String ARGUMENTS =
            "The arguments, with placeholders {dir}, {plan}, {java}, {port:NAME} and {KNOB}.";
    private static final String ENVIRONMENT = "Extra environment variables; values may hold placeholders.";
    static final String VARIABLE = "[A-Za-z_][A-Za-z0-9_.]*";
    static final String NO_VARIABLE = "'%s' is not a name of an environment variable";
    /** The placeholder, but not its escaped form {{plan}}. */
    private static final Pattern HOME = Pattern.compile("(?<!\\{)\\{plan}");

    @Override
    public Optional<Hooks> value(Reading reading) {
        return Optional.of(new Hooks(before, after));
    }

    /** A hook that is run before. */
    @Section(value = "hookBefore", what = "a hook", doc = "A command that is run before a trial.")
    @Rule(
            kind = NOT_BOTH,
            keys = "background=true exit",
            says = "exit has no effect: a hook in the background does not end by itself")
    record Before(
            @Key(value = ARGUMENTS, form = Form.ARGUMENTS, required = "[redis-cli, flushall]")
            List<List<Placed<String>>> run,

            @Key(ENVIRONMENT) @Names(value = VARIABLE, says = NO_VARIABLE)
            List<Named<String>> env,

            @Key("Whether it stays up while the target does; it is ended afterwards.") @Default("false")
            boolean background,

            @Key("What must be observed before anything goes on.")
            Optional<Until> ready,

            @Key("How long it may take to end or to be ready.") @Range(from = "1ms", to = "10m") @Default("30s")
            Duration within,

            @Key("The exit code it has to end with.") @Range(from = "0", to = "255") @Default("0")
            int exit,

            @Key("Whether it runs for each trial or once for all of them.") @Default("trial")
            Scope scope)
            implements Written<Hook> {
        @Override
        public Optional<Hook> value(Reading reading) {
            var texts = new Texts(reading, scope);
            var arguments = texts.arguments(run);
            var variables = texts.variables(env);
            Optional<Ready> until = ready.flatMap(u -> u.value(texts));
            return arguments.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new Hook(arguments, variables, background, until, within, exit, scope));
        }
    }

    /** A hook that is run after. */
    @Section(value = "hookAfter", what = "a hook", doc = "A command that is run after a trial.")
    record After(
            @Key(value = ARGUMENTS, form = Form.ARGUMENTS, required = "[redis-cli, flushall]")
            List<List<Placed<String>>> run,

            @Key(ENVIRONMENT) @Names(value = VARIABLE, says = NO_VARIABLE)
            List<Named<String>> env,

            @Key("How long it may take to end.") @Range(from = "1ms", to = "10m") @Default("30s")
            Duration within,

            @Key("The exit code it has to end with.") @Range(from = "0", to = "255") @Default("0")
            int exit,

            @Key("Whether it runs for each trial or once for all of them.") @Default("trial")
            Scope scope)
            implements Written<Hook> {
        @Override
        public Optional<Hook> value(Reading reading) {
            return new Before(run, env, false, Optional.empty(), within, exit, scope).value(reading);
        }
    }

    /** What a hook's readiness is known by. */
    @Section(value = "hookReady", what = "ready", doc = "What shows that a hook has done what it was started for.")
    @Rule(
            kind = ONE,
            whole = true,
            keys = "tcp http log run",
            says = "ready is one of tcp, http, log and run, for example {tcp: '127.0.0.1:{port:redis}'}")
    @Rule(kind = NEEDS, keys = "status http", says = "status has no effect without 'http'")
    record Until(
            @Key("HOST:PORT accepts connections.")
            @Matches(
                    value = "[^\\s/]+:([0-9]{1,5}|\\{port:[^}:]+\\})",
                    says = "tcp is HOST:PORT, for example '127.0.0.1:{port:redis}', not '%s'")
            Optional<Placed<String>> tcp,

            @Key("A GET of this URL gives the status.")
            @Matches(
                    value = "https?://[^\\s/]\\S*",
                    says = "http is a URL: http://127.0.0.1:{port:web}/health, not '%s'")
            Optional<Placed<String>> http,

            @Key("The status that 'http' waits for.") @Range(from = "100", to = "599") @Default("200")
            int status,

            @Key("The hook's output holds this text.") Optional<String> log,

            @Key(value = "This command, tried again and again, exits with 0.", form = Form.ARGUMENTS)
            List<List<Placed<String>>> run) {

        Optional<Ready> value(Texts texts) {
            List<List<String>> probe = texts.arguments(run);
            return tcp.<Ready>map(t -> new Ready.Tcp(texts.in(t)))
                    .or(() -> http.map(t -> new Ready.Http(texts.in(t), status)))
                    .or(() -> log.map(Ready.Log::new))
                    .or(() -> probe.isEmpty() ? Optional.empty() : Optional.of(new Ready.Probe(probe)));
        }
    }

    /** Checks the placeholders of a hook's texts, and fills in the plan's folder. */
    private record Texts(Reading reading, Scope scope) {
        List<List<String>> arguments(List<List<Placed<String>>> groups) {
            return groups.stream().map(g -> g.stream().map(this::in).toList()).toList();
        }

        Map<String, String> variables(List<Named<String>> named) {
            var out = new LinkedHashMap<String, String>();
            named.forEach(e -> out.put(e.name(), in(new Placed<>(e.at(), e.value()))));
            return out;
        }

        String in(Placed<String> text) {
            for (String name : Placeholders.in(text.value())) {
                boolean knob = Knobs.find(name).isPresent() || OwnKnob.is(name);
                if (name.startsWith("port:")) {
                    if (!name.matches("port:[A-Za-z][A-Za-z0-9_-]*")) {
                        wrong(text, "{%s}: a port's name is letters, digits, '_' and '-'".formatted(name));
                    }
                } else if (knob && scope == Scope.RUN) {
                    wrong(text, "{%s} differs by trial, and this hook runs once".formatted(name));
                } else if (!knob && !PLAIN.contains(name)) {
                    wrong(text, unknown(name));
                }
            }
            return HOME.matcher(text.value())
                    .replaceAll(Matcher.quoteReplacement(reading.folder().toString()));
        }

        private void wrong(Placed<String> text, String message) {
            reading.problems().add(text.at(), message);
        }

        private static String unknown(String name) {
            String meant = NearestName.nearest(name, PLAIN)
                    .or(() -> Knobs.nearest(name))
                    .map(n -> "; did you mean {" + n + "}?")
                    .orElse("");
            return "unknown placeholder {%s}%s (known in a hook: {dir}, {plan}, {java}, {port:NAME} and knobs)"
                    .formatted(name, meant);
        }
    }
}
