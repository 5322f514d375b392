package dev.fettle.model.imports;

import dev.fettle.model.load.Templates;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Bodies of the type {@code application/x-www-form-urlencoded}, with placeholders. */
final class FormText {
    static final String TYPE = "application/x-www-form-urlencoded";

    /** A placeholder, whose value is encoded in any case, or the escape of one. */
    private static final Pattern PLACE = Pattern.compile("\\$\\$\\{|(\\$\\{[^}|$]*+)(?:\\|url)?}");

    private static final Pattern PAIR = Pattern.compile("[^=\\s<>{}\"]{1,200}+=\\S*+");

    private FormText() {}

    /** Whether it consists of pairs with an equals sign, whatever it is sent as; names may repeat. */
    static boolean isPairs(String template) {
        for (String pair : template.split("&", -1)) {
            if (!PAIR.matcher(pair).matches()) {
                return false;
            }
        }
        return true;
    }

    /** Whether it is a form with distinct field names, which can be written as a mapping. */
    static boolean isFields(String template) {
        Set<String> names = new HashSet<>();
        for (String pair : template.split("&", -1)) {
            int equals = pair.indexOf('=');
            if (equals < 1
                    || "{[<".indexOf(pair.charAt(0)) >= 0
                    || pair.substring(0, equals).contains("${")
                    || !names.add(unescaped(pair.substring(0, equals)))) {
                return false;
            }
        }
        return true;
    }

    /** The fields; the values are templates. */
    static Map<String, String> fields(String template) {
        var out = new LinkedHashMap<String, String>();
        for (String pair : template.split("&", -1)) {
            int equals = pair.indexOf('=');
            out.put(unescaped(pair.substring(0, equals)), decoded(pair.substring(equals + 1)));
        }
        return out;
    }

    /** A template in place of an encoded one. */
    private static String decoded(String template) {
        var out = new StringBuilder();
        Matcher m = PLACE.matcher(template);
        int at = 0;
        while (m.find()) {
            out.append(Templates.escape(unescaped(template.substring(at, m.start()))));
            out.append(m.group(1) == null ? m.group() : m.group(1) + "}");
            at = m.end();
        }
        return out.append(Templates.escape(unescaped(template.substring(at)))).toString();
    }

    /** A text without the escapes of a URL; as it is if it has wrong ones. */
    static String unescaped(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return text;
        }
    }
}
