package dev.fettle.config.audit;

import dev.fettle.model.audit.FoundSetting;
import dev.fettle.model.audit.SettingKind;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Shell scripts and Dockerfiles: JVM options in their strings, and the commands that set something. Nothing is run. */
final class ShellTexts {
    private static final Pattern ULIMIT =
            Pattern.compile("\\bulimit\\s+(?:-[SH]{1,2}\\s*)?(-[SH]?[nus])\\s+(\\d{1,18}|unlimited)");
    private static final Pattern WRITE = Pattern.compile(
            "\\bsysctl\\s+(?:-[a-zA-Z]\\s+){0,3}([a-z][a-z0-9_./-]{3,100})=(\"[^\"\\n]{0,100}\"|'[^'\\n]{0,100}'|\\S{1,100})");
    private static final Pattern ECHO = Pattern.compile(
            "\\becho\\s++[\"']?+([\\w .-]{1,60}?)(?:[\"']\\s*+|(?<!\\s)\\s*+)>\\s*+/proc/sys/([a-z0-9_/-]{3,100})");
    private static final Pattern HUGE = Pattern.compile(
            "\\becho\\s+[\"']?(\\w{1,20})[\"']?\\s*>\\s*/sys/kernel/mm/transparent_hugepage/(enabled|defrag)");
    private static final Pattern KERNEL = Pattern.compile(
            "\\s{0,20}((?:net|vm|kernel|fs)\\.[a-z0-9_]{2,40}(?:\\.[a-z0-9_-]{2,60}){0,5})\\s{0,10}=\\s{0,10}([\\w][\\w ./%-]{0,100}?)\\s{0,20}");
    private static final Pattern FROM = Pattern.compile("(?i)\\s*FROM\\s+(?:--platform=\\S+\\s+)?(\\S{1,200}).*");

    private static final Pattern COMMENT = Pattern.compile("(?i)\\s*(?:#|::|@?rem\\b)");
    /** Lines that search for, try or print an option. They set nothing. */
    private static final Pattern ASKS = Pattern.compile(
            "(?:.*\\b(?:e?grep|GREP|findstr)\\b.*|\\s*\\(?[\"'*]{0,2}-[^\\s()]{1,80}\\)(?:\\s.*)?|(?>.*?\\s-version\\b).*>\\s*+/dev/null.*|\\s*@?(?:echo|printf)\\b[^>]*)");

    private ShellTexts() {}

    private static boolean asks(String line) {
        return line.length() <= ShellBranches.LONGEST && ASKS.matcher(line).matches();
    }

    static void shell(Source in, String scope) {
        int statement = 0;
        boolean continued = false;
        boolean batch = in.name().toLowerCase(Locale.ROOT).endsWith(".bat");
        var branches = new ShellBranches(batch);
        for (int i = 1; i <= in.lines(); i++) {
            String line = in.line(i);
            int start = in.start(i);
            statement = continued ? statement : start;
            continued = line.endsWith("\\");
            if (COMMENT.matcher(line).lookingAt() && !(batch && line.strip().startsWith("#"))) {
                continue;
            }
            String branch = branches.of(line).map(FoundSetting::onlyIf).orElse("");
            int before = in.found().size();
            if (!asks(line)) {
                JvmTokens.scan(in, start, start + line.length(), branch.isEmpty() ? scope : branch);
            }
            commands(in, line, start, branch);
            here(in, line, start, branch);
            if (statement != start) {
                for (int k = before; k < in.found().size(); k++) {
                    var f = in.found().get(k);
                    in.found()
                            .set(
                                    k,
                                    new FoundSetting(
                                            f.kind(),
                                            f.name(),
                                            f.value(),
                                            in.line(f.place().start(), f.place().end(), statement),
                                            f.scope()));
                }
            }
            Practices.line(in, line, start);
        }
    }

    /** Lines for sysctl.conf and limits.conf that a script writes, by a here-document or an echo. */
    private static void here(Source in, String line, int start, String branch) {
        Matcher m = KERNEL.matcher(line);
        if (m.matches()) {
            in.add(SettingKind.SYSCTL, m.group(1), m.group(2), in.place(start, start + line.length()), branch);
        }
        LineReaders.limits(in, line, start, branch);
    }

    /** @param branch the scope of the line; empty where it runs in any case */
    static void ulimits(Source in, String line, int start, String branch) {
        Matcher m = ULIMIT.matcher(line);
        while (m.find()) {
            String what = m.group(1).substring(m.group(1).length() - 1);
            in.add(
                    SettingKind.LIMIT,
                    "ulimit -" + what.toLowerCase(Locale.ROOT),
                    m.group(2),
                    in.place(start + m.start(), start + m.end()),
                    branch);
        }
    }

    private static void commands(Source in, String line, int start, String branch) {
        ulimits(in, line, start, branch);
        Matcher m = WRITE.matcher(line);
        while (m.find()) {
            in.add(
                    SettingKind.SYSCTL,
                    m.group(1).replace('/', '.'),
                    m.group(2).replaceAll("[\"']", ""),
                    in.place(start + m.start(), start + m.end()),
                    branch);
        }
        m = ECHO.matcher(line);
        while (m.find()) {
            in.add(
                    SettingKind.SYSCTL,
                    m.group(2).replace('/', '.'),
                    m.group(1).strip(),
                    in.place(start + m.start(), start + m.end()),
                    branch);
        }
        m = HUGE.matcher(line);
        while (m.find()) {
            in.add(
                    SettingKind.HOST,
                    "transparent_hugepage/" + m.group(2),
                    m.group(1),
                    in.place(start + m.start(), start + m.end()),
                    branch);
        }
    }

    static void dockerfile(Source in) {
        String stage = "image";
        boolean openj9 = in.text().contains("openj9") || in.text().contains("semeru");
        if (openj9) {
            in.note("the image has OpenJ9; its options are judged as HotSpot's, which knows other ones");
        }
        for (int i = 1; i <= in.lines(); i++) {
            Matcher m = FROM.matcher(in.line(i));
            if (m.matches()) {
                in.add(
                        SettingKind.CONTAINER,
                        "FROM",
                        m.group(1),
                        in.place(in.start(i), in.start(i) + in.line(i).length()),
                        stage);
            }
        }
        int before = in.found().size();
        shell(in, stage);
        ImageInstructions.of(in, before, stage);
    }
}
