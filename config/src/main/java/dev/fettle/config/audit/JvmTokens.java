package dev.fettle.config.audit;

import dev.fettle.model.audit.SettingKind;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds JVM options in any text: shell strings, argument lists, environment variables, sentences. */
final class JvmTokens {
    private static final String VALUE =
            "(?:\"[^\"\\n]{0,300}\"|'[^'\\n]{0,300}'|[A-Za-z0-9_./:%$@{}+*~-](?:[^\\s\"',;()<>`\\\\\\]\\u3000-\\uffef\\u4e00-\\u9fff]|,(?=\\w)){0,300}+)";
    private static final Pattern OPTION = Pattern.compile("(?:(?<![\\w./-])|(?<=[\\s\"]-J))(?:"
            + "(?<xx>-XX:)(?<sign>[+-]?)(?<flag>[A-Za-z][A-Za-z0-9_]{1,80})(?:=(?<xv>" + VALUE + "))?"
            + "|(?<size>-X(?:ms|mx|mn|ss))(?<sv>[0-9]{1,15}[kKmMgGtT]?[bB]?\\b|[ \\t]{1,3}[0-9]{2,15}[kKmMgG]?\\b|\\$\\{?[A-Z_a-z]\\w{0,40}\\}?[kKmMgG]?\\b|\\$\\{?[A-Z_a-z]\\w{0,40}\\}?[kKmMgG]?|\\$\\([A-Z_a-z]\\w{0,40}\\)[kKmMgG]?|(?![A-Za-z0-9]))"
            + "|(?<log>-Xlog(?:gc)?:|-Xshare:|-Xverify:|-Xrunjdwp:|-Xrunhprof:|-Xbootclasspath/p:|-Xgcpolicy:|-verbose:|-javaagent:|-agentlib:|-Xloggc:?)(?<lv>"
            + VALUE + ")?"
            + "|(?<plain>-server|-client|-d64|-d32|-noverify|-Xnoclassgc|-Xincgc|-Xconcgc|-Xint|-Xcomp|-Xbatch|-Xrs|-Xdebug|-Xfuture|-Xprof|-XshowSettings:vm|--illegal-access=\\w{1,20}|--enable-preview)(?![\\w-])"
            + "|(?<wrong>\\+XX:)(?<wf>[A-Za-z]\\w{1,60})"
            + "|(?<d>-D)(?<prop>[A-Za-z][A-Za-z0-9_.-]{2,100})(?:=(?<dv>" + VALUE + "))?"
            + ")");

    private JvmTokens() {}

    /** Adds the options found in a part of the text. */
    static void scan(Source in, int from, int to, String scope) {
        Matcher m = OPTION.matcher(in.text()).region(from, to).useTransparentBounds(true);
        while (m.find()) {
            int start = m.start();
            int end = m.end();
            if (m.group("xx") != null) {
                String value = m.group("sign").isEmpty()
                        ? unquoted(m.group("xv"))
                        : Boolean.toString(m.group("sign").equals("+"));
                in.add(SettingKind.JVM, "-XX:" + m.group("flag"), value, in.place(start, end), scope);
            } else if (m.group("size") != null) {
                in.add(SettingKind.JVM, m.group("size"), m.group("sv"), in.place(start, end), scope);
            } else if (m.group("log") != null) {
                log(in, m, scope);
            } else if (m.group("plain") != null) {
                in.add(SettingKind.JVM, m.group("plain"), "", in.place(start, end), scope);
            } else if (m.group("wrong") != null) {
                in.add(SettingKind.JVM, "+XX:", m.group("wf"), in.place(start, end), scope);
            } else {
                in.add(SettingKind.JVM, "-D" + m.group("prop"), unquoted(m.group("dv")), in.place(start, end), scope);
            }
        }
    }

    private static void log(Source in, Matcher m, String scope) {
        String name = m.group("log");
        String value = unquoted(m.group("lv"));
        boolean whole = name.equals("-verbose:") || name.equals("-Xverify:") || name.equals("-Xshare:");
        in.add(
                SettingKind.JVM,
                whole ? name + value : name.equals("-Xloggc") ? "-Xloggc:" : name,
                whole ? "" : value,
                in.place(m.start(), m.end()),
                scope);
    }

    /** The value without quotes and without the punctuation of the sentence around it. */
    private static String unquoted(@org.jspecify.annotations.Nullable String value) {
        if (value == null) {
            return "";
        }
        String v = value;
        if (v.length() > 1 && (v.charAt(0) == '"' || v.charAt(0) == '\'') && v.charAt(v.length() - 1) == v.charAt(0)) {
            v = v.substring(1, v.length() - 1);
        }
        if (v.endsWith("}") && v.indexOf('{') < 0) { // of the shell's ${NAME:-…} around it
            v = v.substring(0, v.length() - 1);
        }
        return v.replaceAll("(?<![.:])[.:]++$", "");
    }
}
