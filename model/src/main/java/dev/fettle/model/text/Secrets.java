package dev.fettle.model.text;

import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Masks secrets in texts that are journalled or reported. Replaced by {@code ***}: every header value outside a harmless list,
 * the request body, the user-info of a URL, and any value whose name looks like a secret (environment, JVM flags, command
 * arguments, query parameters, files). Idempotent.
 */
public final class Secrets {
    /** Replaces a secret. */
    public static final String MASK = "***";

    private static final Set<String> HARMLESS = Set.of("""
            accept accept-charset accept-encoding accept-language cache-control content-encoding content-language
            content-type date dnt expect host if-match if-modified-since if-none-match pragma range
            upgrade-insecure-requests user-agent""".split("\\s+"));

    /** Parts of names that look like a secret's; the size of a key is not one. */
    private static final String WORD =
            "(?:passw|pwd|(?<!by|com)pass(?![a-z])|passphrase|secret|token|key(?![-_.]?size)|credential|auth|cookie)";

    /**
     * The same in a request, where a signature (signed links of clouds have one), the id of a session and a code that is valid
     * once are as good as a password.
     */
    private static final String SENT = "(?:" + WORD
            + "|signature|jwt|csrf|xsrf|(?<![a-z])(?:sig|sid|otp|pin)(?![a-z])|sess(?:ion)?[-_.]?id(?![a-z]))";

    private static final Pattern NAME = Pattern.compile(WORD, Pattern.CASE_INSENSITIVE);
    private static final Pattern SENT_NAME = Pattern.compile(SENT, Pattern.CASE_INSENSITIVE);

    /** The name of a parameter of a query; a value ends with one of {@code &;#}. */
    private static final Pattern IN_QUERY = Pattern.compile("[?&;]([^=&;#?]*+)=");

    /** That of one of a path, such as {@code ;jsessionid=1}, whose value ends where the segment does. */
    private static final Pattern IN_PATH = Pattern.compile("[;&]([^=&;#?/]*+)=");

    /** A whole name with such a part, tried once and not from each of its characters: a dump may be one long name. */
    private static final String NAME_WITH_WORD = "(?<![\\w.-])(?=[\\w.-]*" + WORD + ")[\\w.-]++";

    private static final Pattern ASSIGNMENT =
            Pattern.compile("(" + NAME_WITH_WORD + "[\"']?\\s*[:=]\\s*)\\S[^\\r\\n]*", Pattern.CASE_INSENSITIVE);

    /**
     * The user-info of what need be no valid URL: with blanks in it, of a path that was normalised, or with characters that end
     * the host, where what comes before them is no host.
     */
    private static final Pattern TYPED_USER_INFO = Pattern.compile(
            "((?<=[A-Za-z0-9+.-]):/{1,2}+)(?:[^/?#]{0,2000}@|(?!(?:[\\w.-]+|\\[[^\\]]*])(?::[0-9]{0,5})?(?:[/?#\\s]|$)).{0,2000}@)",
            Pattern.DOTALL);

    private static final Pattern USER_INFO = Pattern.compile("((?<=[A-Za-z0-9+.-])://)[^/\\s?#]*@");

    /** What is said of a key, such as {@code server.ssl.key-store-type}, and is no secret itself. */
    private static final Pattern OF_A_KEY = Pattern.compile("(?i)(alias|type|algorithm|provider)$");

    /** What decides where the value of a form field stands in a page. */
    private static final Pattern FIELD = Pattern.compile("(<input\\b)|>|\\bvalue\\s*+=\\s*+", Pattern.CASE_INSENSITIVE);

    private static final Pattern VALUE = Pattern.compile("\"[^\"]*+\"?|'[^']*+'?|[^\\s>\"']++");

    private static final Pattern SESSION =
            Pattern.compile("((?:jsessionid|phpsessid|sessionid|sid)=)[^\"'&;#?\\s<>]+", Pattern.CASE_INSENSITIVE);
    private static final Pattern BEARER = Pattern.compile("(\\bBearer\\s+)[^\\s\"'<>]+", Pattern.CASE_INSENSITIVE);
    /** A JSON Web Token if it has its group, or else its like, which is passed over as a whole. */
    private static final Pattern WEB_TOKEN = Pattern.compile("eyJ[\\w-]++(\\.[\\w-]++\\.[\\w-]*+)?+");

    /** A value in JSON, XML, a form or a meta element whose name looks like a secret's. */
    private static final Pattern NAMED = Pattern.compile(
            "(" + NAME_WITH_WORD
                    + "[\"']?\\s*(?:[:=]|content\\s*=|value\\s*=|>)\\s*)(\"[^\"\\r\\n]*\"?|'[^'\\r\\n]*'?|[^\\s\"'<>,;&}]+)",
            Pattern.CASE_INSENSITIVE);

    /** Headers of an answer whose values may be shown, besides the {@link #harmless} ones. */
    private static final Set<String> HARMLESS_IN_ANSWERS = Set.of("""
            age allow connection content-length keep-alive retry-after server transfer-encoding upgrade vary via
            x-cache""".split("\\s+"));

    private Secrets() {}

    /** The text of an answer, without what looks like a secret, and without these known secrets. */
    public static String page(String text, Set<String> known) {
        String out = text;
        for (String secret : known) {
            out = out.replace(secret, MASK);
        }
        out = fields(userInfo(out));
        out = SESSION.matcher(out).replaceAll("$1" + MASK);
        out = BEARER.matcher(out).replaceAll("$1" + MASK);
        out = WEB_TOKEN.matcher(out).replaceAll(m -> m.group(1) == null ? Matcher.quoteReplacement(m.group()) : MASK);
        return NAMED.matcher(out).replaceAll("$1" + MASK);
    }

    /** A page without the values of its form fields. */
    private static String fields(String page) {
        var out = new StringBuilder();
        int done = 0;
        boolean inside = false;
        Matcher m = FIELD.matcher(page);
        Matcher value = VALUE.matcher(page);
        for (int at = 0; at <= page.length() && m.find(at); ) {
            at = m.end();
            if (m.group(1) != null || m.group().equals(">")) {
                inside = m.group(1) != null;
            } else if (inside && value.region(at, page.length()).lookingAt()) {
                out.append(page, done, at).append(MASK);
                at = value.end();
                done = at;
            }
        }
        return out.append(page, done, page.length()).toString();
    }

    /** A header field of an answer, {@code name: value}, without its value if that may be a secret. */
    public static String answerField(String field, Set<String> known) {
        int colon = field.indexOf(':');
        String name = colon < 0 ? field : field.substring(0, colon);
        boolean shown = harmless(name) || HARMLESS_IN_ANSWERS.contains(name.toLowerCase(Locale.ROOT));
        if (shown) {
            return page(field, known);
        }
        return name.equalsIgnoreCase("location") ? page(path(field), known) : name + ": " + MASK;
    }

    /** A URL without user-info and without query parameters whose names look like secrets. */
    public static URI redact(URI uri) {
        String text = path(userInfo(uri.toString()));
        return URI.create(text);
    }

    /**
     * What was given as a URL or a path, without user-info and without the values of parameters whose names look like secrets. It
     * may be no valid one: then it is shown to say so.
     */
    public static String redactUrl(String text) {
        return path(TYPED_USER_INFO.matcher(text).replaceAll("$1" + MASK + "@"));
    }

    /** A text without user-info in its URLs and without values assigned to names that look like secrets. */
    public static String redact(String text) {
        return ASSIGNMENT.matcher(userInfo(text)).replaceAll("$1" + MASK);
    }

    /** Whether a name looks like a secret's: password, token, secret, key… */
    public static boolean looksSecret(String name) {
        return NAME.matcher(name).find();
    }

    /** The same of the name of a header, a field or a parameter of a request: also a signature, the id of a session… */
    public static boolean looksSecretInRequest(String name) {
        return SENT_NAME.matcher(name).find();
    }

    /** Whether a value holds what looks like a secret, whatever its own name: a URL with a token in it, an assignment, a JSON Web Token. */
    public static boolean holdsSecret(String value) {
        return !page(value, Set.of()).equals(value) || !path(value).equals(value);
    }

    /** Whether a header's value may be shown. */
    public static boolean harmless(String header) {
        return HARMLESS.contains(header.toLowerCase(Locale.ROOT));
    }

    /** A path without the values of its parameters, and of those of its query, whose names look like secrets. */
    public static String path(String path) {
        int query = path.indexOf('?');
        String before = query < 0 ? path : path.substring(0, query);
        String after = query < 0 ? "" : path.substring(query);
        return parameters(before, IN_PATH, "&;#?/") + parameters(after, IN_QUERY, "&;#");
    }

    private static String parameters(String text, Pattern name, String ends) {
        var out = new StringBuilder();
        int done = 0;
        Matcher m = name.matcher(text);
        while (m.find()) {
            if (m.start() >= done && looksSecretInRequest(m.group(1))) {
                int end = m.end();
                while (end < text.length() && ends.indexOf(text.charAt(end)) < 0) {
                    end++;
                }
                out.append(text, done, m.end()).append(end > m.end() ? MASK : "");
                done = end;
            }
        }
        return out.append(text, done, text.length()).toString();
    }

    /** A text without user-info in its URLs. */
    public static String userInfo(String text) {
        return USER_INFO.matcher(text).replaceAll("$1" + MASK + "@");
    }

    /** Variables; values whose names look like secrets are masked. */
    public static Map<String, String> named(Map<String, String> map) {
        var out = new LinkedHashMap<String, String>();
        map.forEach((name, value) -> out.put(name, looksSecret(name) ? MASK : flag(value)));
        return out;
    }

    public static Map<String, String> values(Map<String, String> map, UnaryOperator<String> change) {
        var out = new LinkedHashMap<String, String>();
        map.forEach((name, value) -> out.put(name, change.apply(value)));
        return out;
    }

    /** JVM flags or arguments; values whose names look like secrets are masked, in the argument of the name or the next one. */
    public static List<String> flags(List<String> flags) {
        return arguments(List.of(flags)).getFirst();
    }

    /** The values that {@link #flags} and {@link #named} mask in these arguments and variables. */
    public static Set<String> masked(List<String> arguments, Map<String, String> variables) {
        var found = new LinkedHashSet<String>();
        boolean next = false;
        for (String argument : arguments) {
            int eq = argument.indexOf('=');
            if (next && !argument.startsWith("-")) {
                found.add(argument);
            } else if (eq > 0 && looksSecret(argument.substring(0, eq))) {
                if (isSecrets(argument.substring(0, eq))) {
                    found.add(argument.substring(eq + 1));
                }
            } else {
                assigned(argument, found);
            }
            next = argument.startsWith("-") && eq < 0 && isSecrets(argument);
        }
        variables.forEach((name, value) -> {
            if (isSecrets(name)) {
                found.add(value);
            }
            assigned(value, found);
        });
        return found;
    }

    private static boolean isSecrets(String name) {
        return looksSecret(name) && !OF_A_KEY.matcher(name).find();
    }

    /** What {@link #redact(String)} masks; of values in a row also the first, of a user with a password also the password. */
    private static void assigned(String text, Set<String> found) {
        USER_INFO.matcher(text).results().forEach(m -> {
            String user = text.substring(m.end(1), m.end() - 1);
            int colon = user.indexOf(':');
            if (colon >= 0) { // a user alone is a name like any other
                found.add(user);
                found.add(user.substring(colon + 1));
            }
        });
        ASSIGNMENT.matcher(text).results().forEach(m -> {
            String rest = text.substring(m.end(1), m.end());
            found.add(rest);
            found.add(rest.replaceFirst("^[\"']", "").split("[&;,\\s\"']", 2)[0]);
        });
    }

    /** {@code -Ddb.password=x}, {@code --token=x}, or an argument with a URL in it. */
    private static String flag(String flag) {
        int eq = flag.indexOf('=');
        if (eq > 0 && looksSecret(flag.substring(0, eq))) {
            return flag.substring(0, eq + 1) + MASK;
        }
        return redact(flag);
    }

    /** Groups of arguments; also masks what follows {@code --password}, within a group and across groups. */
    public static List<List<String>> arguments(List<List<String>> groups) {
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
