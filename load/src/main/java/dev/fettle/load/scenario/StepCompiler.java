package dev.fettle.load.scenario;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fettle.load.Expectation;
import dev.fettle.load.RequestTemplate;
import dev.fettle.load.Scenario;
import dev.fettle.load.Scenario.Condition;
import dev.fettle.load.Scenario.Extraction;
import dev.fettle.load.Scenario.Source;
import dev.fettle.load.Scenario.Step;
import dev.fettle.load.bytes.BytePattern;
import dev.fettle.load.bytes.ByteText;
import dev.fettle.load.script.Answer;
import dev.fettle.load.script.HeadFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/** Compiles one step. Mistakes in it become an {@link IllegalArgumentException} with a message for the user. */
final class StepCompiler {

    private final Step step;
    private final Variables slots;
    private final String hostHeader;
    private final boolean keepAlive;
    private final HeadFormat format;
    private final List<String> headerNames = new ArrayList<>();
    private final List<BytePattern> patterns = new ArrayList<>();
    private boolean wantsBody;

    StepCompiler(Step step, Variables slots, String hostHeader, boolean keepAlive, HeadFormat format) {
        this.step = step;
        this.slots = slots;
        this.hostHeader = hostHeader;
        this.keepAlive = keepAlive;
        this.format = format;
    }

    CompiledStep compile() {
        // the builder checks the constant parts: method, header names, characters of values
        var checked = RequestTemplate.builder(step.method(), "/");
        step.headers().forEach(h -> checked.header(h.name(), h.value()));
        Template path = path();
        CompiledStep.Field[] fields = fields();
        Template cookie = cookie();
        Template body = body();
        boolean head = checked.build().isHead();
        var expect = new Expectation(step.statuses(), OptionalLong.empty(), Optional.empty());
        CompiledCondition[] tests = step.conditions().stream().map(this::test).toArray(CompiledCondition[]::new);
        // from here on the step's own values are known
        CompiledExtraction[] takes = step.extractions().stream().map(this::take).toArray(CompiledExtraction[]::new);
        boolean[] wanted = expect.wanted();
        wanted[Answer.NO_STATUS] = step.isMessage();
        if (step.isMessage() && !headerNames.isEmpty()) {
            throw new IllegalArgumentException("a message has no headers to extract from");
        }
        if (head && (wantsBody || !patterns.isEmpty())) {
            throw new IllegalArgumentException("the answer to HEAD has no body to look into");
        }
        return new CompiledStep(
                step.name(),
                head,
                step.method().getBytes(US_ASCII),
                host(),
                path,
                fields,
                cookie,
                body,
                wanted,
                expect.describeStatuses(),
                headerNames.toArray(String[]::new),
                patterns.toArray(BytePattern[]::new),
                wantsBody,
                tests,
                takes,
                step.think().from().toNanos(),
                step.think().to().toNanos(),
                step.goOn());
    }

    private Template path() {
        Template path = Template.of(step.path(), Filter.URL, Variables.PATH | Variables.SLASH, slots);
        if (!path.beginsWithSlash()) {
            throw new IllegalArgumentException("its path must begin with '/' (a value that is a path: ${name|path})");
        }
        String outside = step.path().replaceAll("\\$\\{[^}$]*+}", "");
        if (!outside.chars().allMatch(c -> c > ' ' && c < 127)) {
            throw new IllegalArgumentException(
                    "its path must be printable ASCII without blanks (escape the rest as %XX)");
        }
        return path;
    }

    private CompiledStep.Field[] fields() {
        List<CompiledStep.Field> fields = new ArrayList<>();
        var constant = new ByteText();
        if (!hasHeader("host")) {
            field("Host", Template.constant(hostHeader), constant, fields);
        }
        for (RequestTemplate.Header header : step.headers()) {
            if (!header.name().equalsIgnoreCase("cookie")) {
                field(header.name(), line(header), constant, fields);
            }
        }
        if (step.body() instanceof Scenario.Body.Form && !hasHeader("content-type")) {
            field("Content-Type", Template.constant("application/x-www-form-urlencoded"), constant, fields);
        }
        if (!keepAlive) {
            field("Connection", Template.constant("close"), constant, fields);
        }
        fields.add(new CompiledStep.Field(constant.copy(), new byte[0], null));
        return fields.toArray(CompiledStep.Field[]::new);
    }

    /** @param constant collects constant bytes until something else follows */
    private void field(String name, Template value, ByteText constant, List<CompiledStep.Field> fields) {
        byte[] known = format.name(name);
        if (known == null) {
            return;
        }
        if (value.isConstant()) {
            format.field(constant, known, constant(value));
        } else {
            fields.add(new CompiledStep.Field(constant.copy(), known, value));
            constant.clear();
        }
    }

    private Template host() {
        return step.headers().stream()
                .filter(h -> h.name().equalsIgnoreCase("host"))
                .findFirst()
                .map(this::line)
                .orElseGet(() -> Template.constant(hostHeader));
    }

    private Template line(RequestTemplate.Header header) {
        return Template.of(header.value(), Filter.RAW, Variables.LINE, slots);
    }

    private static ByteText constant(Template template) {
        var constant = new ByteText();
        template.write(new ByteText[0], constant);
        return constant;
    }

    private boolean hasHeader(String name) {
        return step.headers().stream().anyMatch(h -> h.name().equalsIgnoreCase(name));
    }

    private @Nullable Template cookie() {
        List<Template> parts = new ArrayList<>();
        for (RequestTemplate.Header header : step.headers()) {
            if (header.name().equalsIgnoreCase("cookie")) {
                parts.add(Template.constant(parts.isEmpty() ? "" : "; "));
                parts.add(line(header));
            }
        }
        return parts.isEmpty() ? null : Template.join(parts);
    }

    private @Nullable Template body() {
        return switch (step.body()) {
            case Scenario.Body.Text(String text) ->
                text.isEmpty() && !RequestTemplate.usuallyHasBody(step.method())
                        ? null
                        : Template.of(text, Filter.RAW, 0, slots);
            case Scenario.Body.Form(List<RequestTemplate.Header> fields) -> {
                List<Template> parts = new ArrayList<>();
                for (RequestTemplate.Header field : fields) {
                    parts.add(Template.constant((parts.isEmpty() ? "" : "&") + escaped(field.name()) + "="));
                    parts.add(Template.ofForm(field.value(), slots));
                }
                yield Template.join(parts);
            }
        };
    }

    private static String escaped(String text) {
        byte[] bytes = text.getBytes(UTF_8);
        var out = new ByteText();
        Filter.URL.write(bytes, bytes.length, out);
        return out.text();
    }

    private CompiledCondition test(Condition condition) {
        return switch (condition) {
            case Condition.HeaderPresent(String name) -> new CompiledCondition.HeaderIs(name, header(name), null, null);
            case Condition.HeaderEquals(String name, String value) ->
                new CompiledCondition.HeaderIs(name, header(name), text(value), null);
            case Condition.HeaderMatches(String name, String regex) ->
                new CompiledCondition.HeaderIs(name, header(name), null, regex(regex));
            case Condition.BodyContains(String text) -> body(text, true, "the body lacks '" + text + "'");
            case Condition.BodyLacks(String text) ->
                body(text, false, "the body contains '" + text + "', which it must not");
            case Condition.BodyMatches(String regex) -> {
                wantsBody = true;
                yield new CompiledCondition.BodyMatches(regex(regex));
            }
            case Condition.JsonEquals(String path, String value) -> {
                wantsBody = true;
                yield new CompiledCondition.JsonIs(new JsonPath(path), text(value));
            }
        };
    }

    private CompiledCondition body(String text, boolean wanted, String wrong) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("a text to find in the body must not be empty");
        }
        Template template = text(text);
        if (!template.isConstant()) {
            wantsBody = true;
            return new CompiledCondition.BodyHasValues(template, wanted, wrong);
        }
        patterns.add(new BytePattern(constant(template).copy()));
        return new CompiledCondition.BodyHas(patterns.size() - 1, wanted, wrong);
    }

    private Template text(String text) {
        return Template.of(text, Filter.RAW, 0, slots);
    }

    private CompiledExtraction take(Extraction extraction) {
        String variable = extraction.variable();
        int slot = slots.extract(variable);
        return switch (extraction.source()) {
            case Source.Json(String path) -> {
                wantsBody = true;
                yield CompiledExtraction.json(variable, slot, new JsonPath(path));
            }
            case Source.Regex(String regex) -> {
                wantsBody = true;
                yield CompiledExtraction.regex(variable, slot, regex(regex));
            }
            case Source.Header(String name, Optional<String> regex) ->
                CompiledExtraction.header(variable, slot, name, header(name), regex.map(StepCompiler::regex));
        };
    }

    private int header(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        if (!headerNames.contains(lower)) {
            headerNames.add(lower);
        }
        return headerNames.indexOf(lower);
    }

    private static Pattern regex(String regex) {
        try {
            return Pattern.compile(regex);
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException("'" + regex + "' is no regular expression: " + e.getDescription(), e);
        }
    }
}
