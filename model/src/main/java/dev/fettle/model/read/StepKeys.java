package dev.fettle.model.read;

import static dev.fettle.model.key.Rule.Kind.ALONE;
import static dev.fettle.model.key.Rule.Kind.NOT_BOTH;
import static dev.fettle.model.key.Rule.Kind.ONE;
import static dev.fettle.model.key.Rule.Kind.SOME;

import dev.fettle.model.key.Choice;
import dev.fettle.model.key.Default;
import dev.fettle.model.key.Form;
import dev.fettle.model.key.Key;
import dev.fettle.model.key.Matches;
import dev.fettle.model.key.Names;
import dev.fettle.model.key.Range;
import dev.fettle.model.key.Rule;
import dev.fettle.model.key.Section;
import dev.fettle.model.load.Load.Request;
import dev.fettle.model.load.Scenario.Check;
import dev.fettle.model.load.Scenario.CheckKind;
import dev.fettle.model.load.Scenario.Extraction;
import dev.fettle.model.load.Scenario.From;
import dev.fettle.model.load.Scenario.Step;
import dev.fettle.model.load.Templates;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A step of a flow. Steps are read in order: later ones may use values that earlier ones extract. */
@Section(
        value = "step",
        what = "a step",
        doc =
                "One request, or one message over a WebSocket, and what is made of its answer. ${name} stands for a value.")
@Rule(kind = SOME, keys = "path send", says = "a step needs 'path', for example path: /")
@Rule(kind = NOT_BOTH, keys = "form body", says = "a step has either 'form' or 'body', not both")
@Rule(kind = ALONE, keys = "send method path headers form body", says = "a step that sends a message has no '%2$s'")
record StepKeys(
        YamlFields at,

        @Key(value = "For messages and results.", required = "log in")
        @Matches(value = NAME, says = "a step's name is up to 60 letters, digits, blanks and ._/:-")
        Optional<String> name,

        @Key(
                value =
                        "A message over the WebSocket of the load, instead of a request; kept out of journals and reports.",
                form = Form.TEMPLATE)
        Optional<String> send,

        @Key("HTTP method; POST with a form or a body, else GET.")
        @Choice({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
        Optional<String> method,

        @Key(value = "Path and query; values are escaped.", form = Form.TEMPLATE_PAGE)
        Optional<String> path,

        @Key(value = "Headers; their values are kept out of journals and reports.", form = Form.TEMPLATE_HEADERS)
        Map<String, String> headers,

        @Key(value = "Fields of a form; escaped, and kept out of journals and reports.", form = Form.TEMPLATE)
        Map<String, String> form,

        @Key(value = "Request body; kept out of journals and reports.", form = Form.TEMPLATE)
        Optional<String> body,

        @Key("What a right answer looks like.") Optional<Answer> expect,

        @Key("Variables taken from the answer, for later steps.")
        @Names(value = Templates.NAME, says = Variables.NO_NAME)
        List<Named<Taken>> extract,

        @Key(value = "Pause before the next step.", of = Think.class)
        Optional<Pause> think,

        @Key("Whether the iteration ends when the step has failed.") @Choice({"end", "continue"}) @Default("end")
        String onFailure)
        implements Written<Step> {
    static final String NAME = "[\\p{L}\\p{N} ._/:-]{1,60}";
    /** Bounded: each part of a path costs a frame of the stack when it is matched. */
    private static final String JSON_PATH =
            "\\$(\\.[A-Za-z_][A-Za-z0-9_-]*|\\[[0-9]{1,9}\\]|\\['[^']*'\\]|\\[\"[^\"]*\"\\]){0,64}";

    private static final String NO_JSON_PATH = "'%s' is no JSON path of members and indexes, such as $.items[0].id";

    @Override
    public Optional<Step> value(Reading reading) {
        boolean message = at.has("send");
        List<Check> checks = expect.map(Answer::checks).orElse(List.of());
        Set<Integer> statuses = expect.map(Answer::status).orElse(Set.of());
        var taken = new ArrayList<Extraction>();
        for (Named<Taken> t : extract) {
            reading.variables().take(t.nameAt(), t.name());
            t.value().value(t.name()).ifPresent(taken::add);
        }
        boolean head = checks.stream().anyMatch(c -> ofHeader(c.kind()))
                || taken.stream().anyMatch(t -> t.from() == From.HEADER);
        if (message && (head || !statuses.isEmpty())) {
            reading.problems().add(at.node(), "a message that comes back has neither status nor headers");
        }
        String by = method.orElse(at.has("form") || at.has("body") ? "POST" : "GET");
        boolean body = checks.stream().anyMatch(c -> !ofHeader(c.kind()))
                || taken.stream().anyMatch(t -> t.from() != From.HEADER);
        if (by.equals("HEAD") && body) {
            reading.problems().add(at.node(), "the answer to HEAD has no body to look into");
        }
        Optional<String> to = message ? Optional.of("/") : path;
        return name.flatMap(n -> to.map(p -> new Step(
                n,
                message ? Step.SEND : by,
                p,
                headers,
                message ? send : this.body,
                form,
                statuses,
                checks,
                taken,
                think.orElse(Pause.NONE).from(),
                think.orElse(Pause.NONE).to(),
                onFailure.equals("continue"))));
    }

    private static boolean ofHeader(CheckKind kind) {
        return kind.name().startsWith("HEADER");
    }

    /** What a right answer looks like. */
    @Section(value = "answer", doc = "A right answer; anything else is an error.")
    record Answer(
            @Key(value = "One status, several, or any 2xx.", form = Form.STATUSES) @Default("2xx")
            Set<Integer> status,

            @Key("Headers that must be there: their value, {matches: REGEX} or {present: true}.")
            @Names(value = Request.HEADER_NAME, says = "'%s' is not a header name")
            List<Named<Header>> headers,

            @Key(value = "Text, or texts, that the body must contain.", form = Form.TEMPLATES)
            List<String> contains,

            @Key(value = "Text, or texts, that the body must not contain.", form = Form.TEMPLATES)
            List<String> lacks,

            @Key(value = "Regular expression that must be found in the body.", form = Form.REGEX)
            Optional<String> matches,

            @Key(
                    value = "Values in a JSON body by their paths: members and indexes, $.items[0].id.",
                    form = Form.TEMPLATE)
            @Names(value = JSON_PATH, says = NO_JSON_PATH)
            Map<String, String> json) {

        List<Check> checks() {
            var out = new ArrayList<Check>();
            headers.forEach(h -> h.value().check(h.name()).ifPresent(out::add));
            contains.forEach(t -> out.add(new Check(CheckKind.BODY_CONTAINS, "", t)));
            lacks.forEach(t -> out.add(new Check(CheckKind.BODY_LACKS, "", t)));
            matches.ifPresent(r -> out.add(new Check(CheckKind.BODY_MATCHES, "", r)));
            json.forEach((path, t) -> out.add(new Check(CheckKind.JSON_EQUALS, path, t)));
            return out;
        }
    }

    /** How a header of an answer is checked. */
    @Section(value = "answerHeader", what = "header %s", doc = "How a header is checked.")
    @Rule(
            kind = ONE,
            keys = "matches present",
            says = "a header's check is its value, {matches: REGEX} or {present: true}",
            whole = true)
    record Header(
            @Key(value = "Its value.", alone = true, form = Form.TEMPLATE)
            Optional<String> text,

            @Key(value = "Regular expression that must be found in its value.", form = Form.REGEX)
            Optional<String> matches,

            @Key("It must be there.") @Choice("true") boolean present) {

        Optional<Check> check(String name) {
            return text.map(t -> new Check(CheckKind.HEADER_EQUALS, name, t))
                    .or(() -> matches.map(r -> new Check(CheckKind.HEADER_MATCHES, name, r)))
                    .or(() -> present ? Optional.of(new Check(CheckKind.HEADER_PRESENT, name, "")) : Optional.empty());
        }
    }

    /** Where the value of a variable is found. */
    @Section(
            value = "extraction",
            what = "extract %s",
            doc = "Where a value is found: by json, by regex in the body, or in a header (perhaps by regex).")
    @Rule(kind = SOME, keys = "json regex header", says = "%s needs 'json', 'regex' or 'header'")
    @Rule(
            kind = ALONE,
            keys = "json regex header",
            whole = true,
            says = "a value is taken by 'json', by 'regex', or from a 'header' (perhaps with 'regex')")
    record Taken(
            @Key("Path of members and indexes: $.items[0].id.") @Matches(value = JSON_PATH, says = NO_JSON_PATH)
            Optional<String> json,

            @Key(value = "Regular expression; its first group is the value.", form = Form.REGEX)
            Optional<String> regex,

            @Key("Name of a header.") @Matches(value = Request.HEADER_NAME, says = "'%s' is not a header name")
            Optional<String> header) {

        Optional<Extraction> value(String variable) {
            return json.map(p -> new Extraction(variable, From.JSON, p, Optional.empty()))
                    .or(() -> header.map(h -> new Extraction(variable, From.HEADER, h, regex)))
                    .or(() -> regex.map(r -> new Extraction(variable, From.BODY, "", regex)));
        }
    }

    /** A pause between two steps. */
    record Pause(Duration from, Duration to) {
        static final Pause NONE = new Pause(Duration.ZERO, Duration.ZERO);
    }

    /** How a pause is written. */
    @Section(value = "think", doc = "A pause chosen evenly between two bounds.")
    record Think(
            YamlFields at,

            @Key(value = "Always so long.", alone = true) @Range(from = "0s", to = "1h")
            Optional<Duration> always,

            @Key(value = "Shortest.", required = "1s") @Range(from = "0s", to = "1h")
            Optional<Duration> from,

            @Key(value = "Longest.", required = "3s") @Range(from = "0s", to = "1h")
            Optional<Duration> to)
            implements Written<Pause> {
        @Override
        public Optional<Pause> value(Reading reading) {
            if (always.isPresent()) {
                return always.map(d -> new Pause(d, d));
            }
            if (from.isPresent() && to.isPresent() && to.get().compareTo(from.get()) < 0) {
                at.wrong("to", "think: 'to' is shorter than 'from'");
            }
            return from.flatMap(f -> to.map(t -> new Pause(f, t)));
        }
    }
}
