package dev.fettle.model.imports;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.fettle.model.load.Templates;
import dev.fettle.model.text.Json;
import dev.fettle.model.text.Secrets;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BinaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Takes the secrets out of bodies in JSON and XML, and leaves all else as it was written. A secret is every value under a name that
 * looks like one, at any depth, and a text that holds one.
 */
final class BodySecrets {
    private static final JsonFactory JSON = Json.unlimited().getFactory();

    /** How deep JSON in a text of JSON is looked into. */
    private static final int DEEPEST = 3;

    private static final Pattern PLACE = Pattern.compile("(?<!\\$)\\$\\{[^}$]*+}");
    private static final Pattern QUERY = Pattern.compile("(?s)^\\s*+(?:query|mutation|subscription)\\b.*");
    /** What a query of GraphQL says of its variables, whose values stand elsewhere. */
    private static final Pattern QUERY_VARIABLE = Pattern.compile("\\$\\w++\\s*+:|(?<!\\w)\\w++\\s*+:\\s*+\\$\\w++");

    private static final Pattern XML = Pattern.compile(
            "\\G(?:<!--.*?-->|<!\\[CDATA\\[(?<cdata>.*?)]]>|<(?!!--|!\\[CDATA\\[)[?!][^>]*+>|</(?<close>[\\w:.-]++)\\s*+>"
                    + "|<(?<open>[\\w:.-]++)(?<attributes>(?:\\s++[\\w:.-]++\\s*+=\\s*+(?:\"[^\"<]*+\"|'[^'<]*+'))*+)\\s*+(?<empty>/?)>"
                    + "|(?<text>[^<]++))",
            Pattern.DOTALL);
    private static final Pattern ATTRIBUTE = Pattern.compile(
            "\\G(?<before>\\s++(?<name>[\\w:.-]++)\\s*+=\\s*+)(?:\"(?<double>[^\"]*+)\"|'(?<single>[^']*+)')");
    private static final int LONGEST_NAME = 60;
    /** What the value is called in a list of names and values: {@code {"name": "password", "value": …}}. */
    private static final Pattern VALUE = Pattern.compile("(?i)(?:.*[a-z])?values?|val|v|content|data|text");

    /** An object, an array or an element that is open. */
    private record Level(String name, boolean secret, boolean array, Optional<String> of) {
        Level(String name, boolean secret, boolean array) {
            this(name, secret, array, Optional.empty());
        }

        /** The secret that one of its members names, if another one is its value. */
        Optional<String> named(String member) {
            return of.filter(n -> VALUE.matcher(member).matches());
        }
    }

    private final BinaryOperator<String> place;

    /** @param place a placeholder for a name and a filter */
    BodySecrets(BinaryOperator<String> place) {
        this.place = place;
    }

    /** A template of JSON values without its secrets; empty if it is no JSON. */
    Optional<String> json(String template) {
        return json(template, DEEPEST);
    }

    private Optional<String> json(String template, int depth) {
        String plain = withoutPlaces(template);
        if (!plain.stripLeading().startsWith("{") && !plain.stripLeading().startsWith("[")) {
            return Optional.empty();
        }
        var out = new StringBuilder();
        int done = 0;
        Deque<Level> levels = new ArrayDeque<>();
        try (JsonParser parser = JSON.createParser(plain)) {
            Map<Long, String> named = named(plain);
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token.isStructEnd()) {
                    levels.pop();
                    continue;
                }
                String own = name(parser, levels);
                Optional<String> elsewhere = Optional.ofNullable(levels.peek()).flatMap(l -> l.named(own));
                String name = elsewhere.orElse(own);
                boolean secret = elsewhere.isPresent() || isSecret(name, levels);
                if (token.isStructStart()) {
                    long at = parser.currentTokenLocation().getCharOffset();
                    levels.push(new Level(
                            name, secret, token == JsonToken.START_ARRAY, Optional.ofNullable(named.get(at))));
                } else if (token == JsonToken.VALUE_STRING || token.isNumeric()) {
                    int from = (int) parser.currentTokenLocation().getCharOffset();
                    boolean text = token == JsonToken.VALUE_STRING;
                    String read = text ? parser.getText() : ""; // to its end, which is looked for below
                    if (text && plain.charAt(from) != '"') {
                        return Optional.empty();
                    }
                    int to = text ? endOfText(plain, from) : endOfNumber(plain, from);
                    String value = text ? template.substring(from + 1, to - 1) : template.substring(from, to);
                    if (!value.isEmpty() && !Templates.isPlace(value) && (secret || text && holdsSecret(read, depth))) {
                        out.append(template, done, from)
                                .append(text ? '"' + place.apply(name, "|json") + '"' : place.apply(name, ""));
                        done = to;
                    }
                }
            }
        } catch (IOException e) {
            return Optional.empty();
        }
        return Optional.of(out.append(template, done, template.length()).toString());
    }

    /** Where the objects begin of which one text is the name of a secret, and that name. */
    private static Map<Long, String> named(String json) throws IOException {
        var all = new HashMap<Long, String>();
        Deque<Long> open = new ArrayDeque<>();
        try (JsonParser parser = JSON.createParser(json)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token.isStructStart()) {
                    open.push(parser.currentTokenLocation().getCharOffset());
                } else if (token.isStructEnd()) {
                    open.pop();
                } else if (token == JsonToken.VALUE_STRING
                        && parser.getParsingContext().inObject()) {
                    String text = parser.getText();
                    if (isName(text) && !VALUE.matcher(parser.currentName()).matches()) {
                        all.putIfAbsent(open.element(), text.strip());
                    }
                }
            }
        }
        return all;
    }

    private static String name(JsonParser parser, Deque<Level> levels) throws IOException {
        Level level = levels.peek();
        String own = level == null || level.array() ? null : parser.currentName();
        return own != null ? own : level == null ? "body" : level.name();
    }

    private static boolean isSecret(String name, Deque<Level> levels) {
        Level level = levels.peek();
        return level != null && level.secret() || Secrets.looksSecretInRequest(name);
    }

    /** Placeholders become digits, as many as they have characters: JSON as a text and as a number. */
    private static String withoutPlaces(String template) {
        return PLACE.matcher(template).replaceAll(m -> "1".repeat(m.group().length()));
    }

    private static int endOfText(String json, int from) {
        int at = from + 1;
        while (json.charAt(at) != '"') {
            at += json.charAt(at) == '\\' ? 2 : 1;
        }
        return at + 1;
    }

    private static int endOfNumber(String json, int from) {
        int at = from;
        while (at < json.length() && "+-.eE0123456789".indexOf(json.charAt(at)) >= 0) {
            at++;
        }
        return at;
    }

    /** Whether a value holds a secret, whatever its own name. */
    static boolean holdsSecret(String value) {
        return holdsSecret(value, DEEPEST);
    }

    private static boolean holdsSecret(String value, int depth) {
        if (depth > 0) {
            var found = new boolean[1];
            new BodySecrets((name, filter) -> {
                        found[0] = true;
                        return "";
                    })
                    .json(value, depth - 1);
            if (found[0]) {
                return true;
            }
        }
        return Secrets.holdsSecret(
                QUERY.matcher(value).matches() ? QUERY_VARIABLE.matcher(value).replaceAll("") : value);
    }

    /** A template of an XML document without its secrets; empty if it is none, or if a secret may stand where it can't be told apart. */
    Optional<String> xml(String template) {
        if (!template.stripLeading().startsWith("<")) {
            return Optional.empty();
        }
        var out = new StringBuilder();
        Deque<Level> levels = new ArrayDeque<>();
        Matcher m = XML.matcher(template);
        int at = 0;
        for (; at < template.length(); at = m.end()) {
            if (!m.find()) {
                return Optional.empty();
            }
            Level level = levels.peek();
            String text = m.group("text") != null ? m.group("text") : m.group("cdata");
            if (text != null && !text.isBlank()) {
                if (level == null || !level.secret() && isSuspicious(text)) {
                    return Optional.empty();
                }
                boolean taken = level.secret() && !Templates.isPlace(text.strip());
                out.append(taken ? place.apply(local(level.name()), "") : m.group());
            } else if (m.group("open") != null) {
                Optional<String> attributes = attributes(m.group("attributes"));
                if (attributes.isEmpty()) {
                    return Optional.empty();
                }
                out.append('<').append(m.group("open")).append(attributes.get());
                out.append(template, m.end("attributes"), m.end());
                if (m.group("empty").isEmpty()) {
                    String name = m.group("open");
                    levels.push(new Level(name, isSecret(local(name), levels), false));
                }
            } else if (m.group("close") != null) {
                if (level == null || !level.name().equals(m.group("close"))) {
                    return Optional.empty();
                }
                levels.pop();
                out.append(m.group());
            } else if (isComment(m.group()) && isSuspicious(m.group())) {
                return Optional.empty();
            } else {
                out.append(m.group());
            }
        }
        return levels.isEmpty() ? Optional.of(out.toString()) : Optional.empty();
    }

    private static boolean isComment(String token) {
        return token.startsWith("<!") || token.startsWith("<?");
    }

    private Optional<String> attributes(String all) {
        var out = new StringBuilder();
        Matcher m = ATTRIBUTE.matcher(all);
        while (m.find()) {
            String name = m.group("name");
            String value = m.group("double") != null ? m.group("double") : m.group("single");
            if (name.startsWith("xmlns") || value.isEmpty() || Templates.isPlace(value)) {
                m.appendReplacement(out, Matcher.quoteReplacement(m.group()));
            } else if (Secrets.looksSecretInRequest(local(name))) {
                m.appendReplacement(
                        out, Matcher.quoteReplacement(m.group("before") + '"' + place.apply(local(name), "") + '"'));
            } else if (isSuspicious(value)) {
                return Optional.empty();
            } else {
                m.appendReplacement(out, Matcher.quoteReplacement(m.group()));
            }
        }
        return Optional.of(m.appendTail(out).toString());
    }

    /** Whether a value holds a secret, or is the name of one, whose value is elsewhere. */
    private static boolean isSuspicious(String value) {
        return isName(value) || holdsSecret(value);
    }

    /** Whether a value is the name of a secret. */
    private static boolean isName(String value) {
        String word = value.strip();
        return word.length() <= LONGEST_NAME && word.matches("[\\w.:-]+") && Secrets.looksSecretInRequest(word);
    }

    private static String local(String name) {
        return name.substring(name.lastIndexOf(':') + 1);
    }
}
