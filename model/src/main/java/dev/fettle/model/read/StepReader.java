package dev.fettle.model.read;

import dev.fettle.model.load.Load.Request;
import dev.fettle.model.load.Scenario.Check;
import dev.fettle.model.load.Scenario.CheckKind;
import dev.fettle.model.load.Scenario.Extraction;
import dev.fettle.model.load.Scenario.From;
import dev.fettle.model.load.Scenario.Step;
import dev.fettle.model.load.Templates;
import dev.fettle.model.text.Secrets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.SequenceNode;

/** Reads the steps of one flow in order: later steps may use values that earlier ones extract. */
final class StepReader {
    static final String NAME_RULE = "a %s's name is up to 60 letters, digits, blanks and ._/:-";

    private static final Pattern JSON_PATH =
            Pattern.compile("\\$(\\.[A-Za-z_][A-Za-z0-9_-]*|\\[[0-9]{1,9}]|\\['[^']*']|\\[\"[^\"]*\"])*+");

    private final Problems problems;
    private final Scalars scalars;
    private final Headers headers;
    private final Set<String> everywhere;
    private final Set<String> taken = new HashSet<>();

    /** @param everywhere variables that have a value in every step */
    StepReader(Problems problems, Set<String> everywhere) {
        this.problems = problems;
        this.scalars = new Scalars(problems);
        this.headers = new Headers(problems);
        this.everywhere = everywhere;
    }

    static boolean isName(String name) {
        return name.matches("[\\p{L}\\p{N} ._/:-]{1,60}");
    }

    Optional<Step> read(Node node, boolean last) {
        YamlFields f = YamlFields.closed(node, "a step", PlanKeys.STEP.keys(), problems);
        Optional<String> name = f.require("name", "log in").flatMap(n -> name(n));
        boolean message = f.has("send");
        for (String key : List.of("method", "path", "headers", "form", "body")) {
            if (message && f.has(key)) {
                problems.add(f.at(key), "a step that sends a message has no '%s'".formatted(key));
            }
        }
        boolean hasBody = f.has("form") || f.has("body");
        if (f.has("form") && f.has("body")) {
            problems.add(f.at("body"), "a step has either 'form' or 'body', not both");
        }
        String method = f.get("method")
                .flatMap(n -> scalars.oneOf(n, "method", Request.METHODS))
                .orElse(hasBody ? "POST" : "GET");
        Optional<String> path =
                message ? Optional.of("/") : f.require("path", "/").flatMap(this::path);
        Map<String, String> fields =
                f.get("headers").map(n -> headers.read(n, this::place)).orElse(Map.of());
        Optional<String> body = f.get(message ? "send" : "body").flatMap(n -> template(n, message ? "send" : "body"));
        Map<String, String> form = f.get("form").map(this::form).orElse(Map.of());
        var checks = new ArrayList<Check>();
        Set<Integer> statuses = f.get("expect").map(n -> expect(n, checks)).orElse(Set.of());
        List<Extraction> takes = f.get("extract").map(this::extract).orElse(List.of());
        boolean head = checks.stream().anyMatch(c -> c.kind().name().startsWith("HEADER"))
                || takes.stream().anyMatch(t -> t.from() == From.HEADER);
        if (message && (head || !statuses.isEmpty())) {
            problems.add(node, "a message that comes back has neither status nor headers");
        }
        if (method.equals("HEAD") && looksIntoBody(checks, takes)) {
            problems.add(node, "the answer to HEAD has no body to look into");
        }
        List<Duration> think = f.get("think").map(n -> think(n, last)).orElse(List.of(Duration.ZERO, Duration.ZERO));
        boolean goOn = f.get("on-failure")
                .flatMap(n -> scalars.oneOf(n, "on-failure", List.of("end", "continue")))
                .map("continue"::equals)
                .orElse(false);
        if (name.isEmpty() || path.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new Step(
                name.get(),
                message ? Step.SEND : method,
                path.get(),
                fields,
                body,
                form,
                statuses,
                checks,
                takes,
                think.getFirst(),
                think.getLast(),
                goOn));
    }

    private static boolean looksIntoBody(List<Check> checks, List<Extraction> takes) {
        return checks.stream().anyMatch(c -> !c.kind().name().startsWith("HEADER"))
                || takes.stream().anyMatch(t -> t.from() != From.HEADER);
    }

    private Optional<String> name(Node node) {
        Optional<String> name = scalars.text(node, "name");
        if (name.isPresent() && !isName(name.get())) {
            problems.add(node, NAME_RULE.formatted("step"));
            return Optional.empty();
        }
        return name;
    }

    /** Text that may contain placeholders, whose variables must have a value by now. */
    private Optional<String> template(Node node, String what) {
        Optional<String> text = scalars.text(node, what);
        text.ifPresent(t -> place(node, t));
        return text;
    }

    private void place(Node node, String text) {
        scalars.tried(node, "", text, Templates::variables).ifPresent(names -> {
            for (String name : names) {
                if (!everywhere.contains(name) && !taken.contains(name)) {
                    problems.add(
                            node,
                            ("${%s} has no value here: it is neither a variable, nor a column of the data, nor taken from an"
                                            + " answer by a step before this one")
                                    .formatted(name));
                }
            }
        });
    }

    private Optional<String> path(Node node) {
        Optional<String> path = template(node, "path");
        if (path.isEmpty()) {
            return path;
        }
        String outside = path.get().replaceAll("\\$\\{[^}$]*+}", "");
        boolean begins = path.get().startsWith("/")
                || path.get().startsWith("${") && path.get().matches("(?s)\\$\\{[^}]*\\|(path|raw)}.*");
        if (!begins || !outside.matches("[!-~]*")) {
            problems.add(
                    node,
                    "a path starts with '/' (or with a value that is one: ${name|path}) and holds no blanks: '%s'"
                            .formatted(Secrets.redactUrl(path.get())));
            return Optional.empty();
        }
        return path;
    }

    private Map<String, String> form(Node node) {
        var out = new LinkedHashMap<String, String>();
        for (YamlFields.Entry e : YamlFields.open(node, "form", problems).all()) {
            template(e.value(), e.key()).ifPresent(v -> out.put(e.key(), v));
        }
        return out;
    }

    private Set<Integer> expect(Node node, List<Check> checks) {
        YamlFields f = YamlFields.closed(node, "expect", PlanKeys.ANSWER.keys(), problems);
        Set<Integer> statuses = f.get("status").map(this::statuses).orElse(Set.of());
        f.get("headers")
                .ifPresent(n -> YamlFields.open(n, "headers", problems).all().forEach(e -> header(e, checks)));
        texts(f, "contains", CheckKind.BODY_CONTAINS, checks);
        texts(f, "lacks", CheckKind.BODY_LACKS, checks);
        f.get("matches")
                .flatMap(n -> regex(n, "matches"))
                .ifPresent(r -> checks.add(new Check(CheckKind.BODY_MATCHES, "", r)));
        f.get("json").ifPresent(n -> {
            for (YamlFields.Entry e : YamlFields.open(n, "json", problems).all()) {
                jsonPath(e.keyNode(), e.key());
                template(e.value(), e.key()).ifPresent(t -> checks.add(new Check(CheckKind.JSON_EQUALS, e.key(), t)));
            }
        });
        return statuses;
    }

    private Set<Integer> statuses(Node node) {
        var out = new TreeSet<Integer>();
        if (node instanceof SequenceNode) {
            scalars.list(node, "status")
                    .forEach(n -> scalars.integer(n, "status", 200, 599).ifPresent(out::add));
        } else if (!(node instanceof MappingNode)
                && scalars.text(node, "status").orElse("").equals("2xx")) {
            return out;
        } else {
            scalars.integer(node, "status", 200, 599).ifPresent(out::add);
        }
        return out;
    }

    private void texts(YamlFields f, String what, CheckKind kind, List<Check> checks) {
        f.get(what).ifPresent(n -> texts(n, what).forEach(t -> checks.add(new Check(kind, "", t))));
    }

    /** One text or several. */
    private List<String> texts(Node node, String what) {
        var out = new ArrayList<String>();
        for (Node item : node instanceof SequenceNode ? scalars.list(node, what) : List.of(node)) {
            template(item, what).ifPresent(t -> {
                if (t.isEmpty()) {
                    problems.add(item, "%s is empty".formatted(what));
                } else {
                    out.add(t);
                }
            });
        }
        return out;
    }

    private void header(YamlFields.Entry e, List<Check> checks) {
        headers.name(e.keyNode(), e.key());
        if (!(e.value() instanceof MappingNode)) {
            template(e.value(), e.key()).ifPresent(t -> checks.add(new Check(CheckKind.HEADER_EQUALS, e.key(), t)));
            return;
        }
        YamlFields f = YamlFields.closed(e.value(), "header " + e.key(), PlanKeys.ANSWER_HEADER.keys(), problems);
        if (f.size() != 1 && problems.none()) {
            problems.add(e.value(), "a header's check is its value, {matches: REGEX} or {present: true}");
        }
        f.get("matches")
                .flatMap(n -> regex(n, "matches"))
                .ifPresent(r -> checks.add(new Check(CheckKind.HEADER_MATCHES, e.key(), r)));
        f.get("present")
                .ifPresent(n -> scalars.bool(n, "present").ifPresent(present -> {
                    if (!present) {
                        problems.add(n, "only present: true can be checked");
                    }
                    checks.add(new Check(CheckKind.HEADER_PRESENT, e.key(), ""));
                }));
    }

    private List<Extraction> extract(Node node) {
        var out = new ArrayList<Extraction>();
        for (YamlFields.Entry e : YamlFields.open(node, "extract", problems).all()) {
            if (!Templates.isName(e.key())) {
                problems.add(
                        e.keyNode(), "'%s' is no name of a variable: letters, digits and _ . - are".formatted(e.key()));
            } else if (everywhere.contains(e.key())) {
                problems.add(e.keyNode(), "${%s} has two sources".formatted(e.key()));
            }
            taken.add(e.key());
            source(e).ifPresent(out::add);
        }
        return out;
    }

    private Optional<Extraction> source(YamlFields.Entry e) {
        YamlFields f = YamlFields.closed(e.value(), "extract " + e.key(), PlanKeys.EXTRACTION.keys(), problems);
        Optional<String> regex = f.get("regex").flatMap(n -> regex(n, "regex"));
        if (f.has("json")) {
            if (f.has("regex") || f.has("header")) {
                problems.add(
                        e.value(), "a value is taken by 'json', by 'regex', or from a 'header' (perhaps with 'regex')");
            }
            Optional<String> path =
                    f.get("json").flatMap(n -> scalars.text(n, "json").filter(p -> jsonPath(n, p)));
            return path.map(p -> new Extraction(e.key(), From.JSON, p, Optional.empty()));
        }
        if (f.has("header")) {
            Optional<String> header = f.get("header").flatMap(n -> scalars.text(n, "header"));
            header.ifPresent(h -> headers.name(f.at("header"), h));
            return header.map(h -> new Extraction(e.key(), From.HEADER, h, regex));
        }
        if (!f.has("regex") && e.value() instanceof MappingNode && problems.none()) {
            problems.add(e.value(), "extract %s needs 'json', 'regex' or 'header'".formatted(e.key()));
        }
        return regex.map(r -> new Extraction(e.key(), From.BODY, "", Optional.of(r)));
    }

    private boolean jsonPath(Node node, String path) {
        boolean right = JSON_PATH.matcher(path).matches();
        if (!right) {
            problems.add(node, "'%s' is no JSON path of members and indexes, such as $.items[0].id".formatted(path));
        }
        return right;
    }

    private Optional<String> regex(Node node, String what) {
        Optional<String> text = scalars.text(node, what);
        try {
            text.ifPresent(Pattern::compile);
            return text;
        } catch (PatternSyntaxException e) {
            problems.add(node, "'%s' is no regular expression: %s".formatted(text.orElse(""), e.getDescription()));
            return Optional.empty();
        }
    }

    private List<Duration> think(Node node, boolean last) {
        if (last) {
            problems.add(node, "nothing follows the last step; the pause between iterations is load.think");
        }
        Duration most = Duration.ofHours(1);
        if (!(node instanceof MappingNode)) {
            Duration d = scalars.duration(node, "think", Duration.ZERO, most).orElse(Duration.ZERO);
            return List.of(d, d);
        }
        YamlFields f = YamlFields.closed(node, "think", PlanKeys.THINK.keys(), problems);
        Duration from = f.require("from", "1s")
                .flatMap(n -> scalars.duration(n, "from", Duration.ZERO, most))
                .orElse(Duration.ZERO);
        Duration to = f.require("to", "3s")
                .flatMap(n -> scalars.duration(n, "to", Duration.ZERO, most))
                .orElse(from);
        if (to.compareTo(from) < 0) {
            problems.add(f.at("to"), "think: 'to' is shorter than 'from'");
            return List.of(from, from);
        }
        return List.of(from, to);
    }
}
