package dev.fettle.config.audit;

import dev.fettle.config.ConfigException;
import dev.fettle.config.YamlText;
import dev.fettle.config.boot.BootConfigText;
import dev.fettle.model.audit.FoundSetting;
import dev.fettle.model.audit.SettingKind;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Readers for files with one setting per line: sysctl.conf, limits.conf, systemd units, properties. */
final class LineReaders {
    private static final Pattern SYSCTL = Pattern.compile("-?\\s*([A-Za-z0-9_./*-]{3,120})\\s*=\\s*(.*)");
    private static final Pattern LIMIT = Pattern.compile(
            "\\s*(\\S{1,80})\\s+(soft|hard|-)\\s+([a-z]{2,20})\\s+(-?\\d{1,20}|unlimited|infinity)\\s*(?:#.*)?");
    private static final Pattern QUOTED_LIMIT = Pattern.compile(
            "(\\S{1,40}?)\\s+(soft|hard|-)\\s+(nofile|nproc|memlock|stack|core|as|sigpending)\\s+(\\d{1,18}|unlimited)");
    private static final Pattern DIRECTIVE = Pattern.compile("\\s*([A-Za-z]{3,60})\\s*=\\s*(.*)");
    private static final Set<String> UNIT_LIMITS = Set.of("""
            LimitNOFILE LimitNPROC LimitMEMLOCK LimitSTACK LimitCORE LimitAS TasksMax MemoryMax MemoryLimit MemoryHigh
            CPUQuota OOMScoreAdjust""".split("\\s+"));
    private static final Pattern FOR_JDKS = Pattern.compile("\\s*(\\d{1,3})(-\\d{0,3})?:(?=\\s*-)");
    private static final Pattern SPRING = Pattern.compile("^(?:server|spring|management|logging|multipart)\\.");

    private LineReaders() {}

    static void sysctl(Source in) {
        each(in, (line, start) -> {
            Matcher m = SYSCTL.matcher(line.strip());
            if (m.matches()) {
                String value = m.group(2).replaceAll("(?<!\\s)\\s+[#;].*$", "").strip();
                in.add(
                        SettingKind.SYSCTL,
                        m.group(1).replace('/', '.'),
                        value.replaceAll("^\"|\"$", ""),
                        in.place(start, start + line.length()),
                        "");
            } else {
                in.note("line " + in.lineOf(start) + " is no 'key = value', and sysctl does not read it");
            }
        });
    }

    static void limits(Source in) {
        each(in, (line, start) -> {
            Matcher m = LIMIT.matcher(line);
            if (m.matches()) {
                limit(in, m, start, "");
            }
        });
    }

    /**
     * Finds lines of limits.conf inside another text, such as an article or a script.
     *
     * @param branch the scope where a script writes them under a condition; else it is whom they are for
     */
    static void limits(Source in, String line, int start, String branch) {
        Matcher m = QUOTED_LIMIT.matcher(line);
        while (m.find()) {
            limit(in, m, start, branch);
        }
    }

    private static void limit(Source in, Matcher m, int start, String branch) {
        in.add(
                SettingKind.LIMIT,
                m.group(2) + " " + m.group(3),
                m.group(4),
                in.place(start + m.start(), start + m.end()),
                branch.isEmpty() ? m.group(1).replaceAll("[\"'`(]", "") : branch);
    }

    /** A unit of systemd, or a drop-in. */
    static void unit(Source in) {
        for (int i = 1; i <= in.lines(); i++) {
            String line = in.line(i);
            int start = in.start(i);
            Matcher m = DIRECTIVE.matcher(line);
            if (line.isBlank() || line.strip().startsWith("#") || line.strip().startsWith(";")) {
                continue;
            }
            if (m.matches() && UNIT_LIMITS.contains(m.group(1))) {
                in.add(
                        SettingKind.LIMIT,
                        m.group(1),
                        m.group(2).strip(),
                        in.place(start, start + line.length()),
                        "service");
            } else {
                // Environment=, ExecStart= and their continuation lines
                JvmTokens.scan(in, start, start + line.length(), "service");
            }
        }
    }

    /** Spring Boot's application.properties. */
    static void properties(Source in) throws ConfigException {
        try {
            for (List<YamlText.Value> document : BootConfigText.properties(in.text())) {
                String scope = BootConfigText.scope(document);
                for (YamlText.Value p : document) {
                    boolean plain = p.name().chars().noneMatch(Character::isISOControl);
                    if (plain && (SPRING.matcher(p.name()).find() || in.name().contains("application"))) {
                        in.add(SettingKind.SPRING, p.name(), p.value(), in.place(p.start(), p.end()), scope);
                    }
                }
            }
        } catch (IllegalArgumentException e) {
            throw new ConfigException(in.name() + ": no Java properties: " + e.getMessage());
        }
    }

    /** Options for {@code java @file}, jvm.options, vmoptions. Elasticsearch's start with the JDKs that they are for: {@code 8-13:}. */
    static void jvmOptions(Source in) {
        each(in, (line, start) -> {
            Matcher m = FOR_JDKS.matcher(line);
            boolean some = m.lookingAt();
            JvmTokens.scan(
                    in,
                    start + (some ? m.end() : 0),
                    start + line.length(),
                    some ? FoundSetting.onlyIf(jdks(m.group(1), m.group(2))) : "jvm");
        });
    }

    /** @param range what follows the first JDK: nothing, {@code -} for all later ones, or {@code -13} */
    private static String jdks(String first, @Nullable String range) {
        return "the JDK is " + first
                + (range == null ? "" : range.equals("-") ? " or later" : " to " + range.substring(1));
    }

    private interface Line {
        void is(String line, int start);
    }

    /** Calls the reader for each line that is not blank or a comment. */
    private static void each(Source in, Line reader) {
        for (int i = 1; i <= in.lines(); i++) {
            String line = in.line(i);
            String bare = line.strip();
            if (!bare.isEmpty() && !bare.startsWith("#") && !bare.startsWith(";") && !bare.startsWith("!")) {
                reader.is(line, in.start(i));
            }
        }
    }
}
