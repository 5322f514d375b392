package dev.fettle.config.audit;

import dev.fettle.config.ConfigException;
import dev.fettle.model.audit.AuditRule;
import dev.fettle.model.audit.AuditRules;
import dev.fettle.model.audit.FoundSetting;
import dev.fettle.model.audit.SettingKind;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Articles, answers and notes, in Chinese and English, plain or Markdown: settings in sentences, in code blocks, and in other
 * lines. A setting named without a value is reported once per text.
 */
final class ProseReader {
    private static final int LONGEST_LINE = 4000;
    private static final Pattern SYSCTL = Pattern.compile(
            "(?<![\\w./?&=-])((?:net\\.(?:core|ipv4|ipv6|netfilter|unix|mptcp)|vm|kernel|fs)(?:\\.[a-z0-9_-]{2,60}){1,4})"
                    + "(\\s{0,3}=\\s{0,6}(\"[^\"]{1,80}\"|'[^']{1,80}'|-?[\\w./%-]{1,80}(?:[ \\t]{1,3}\\d{1,20}){0,3}))?");
    private static final Pattern SPACED = Pattern.compile("\\bsysctl\\s+-w\\s+[a-z0-9_.]{3,80}\\s+=");
    private static final Pattern SPRING = Pattern.compile(
            "(?<![\\w./-])((?:server|spring|management)(?:\\.[a-z][a-zA-Z0-9_-]{1,40}){1,6})\\s{0,2}[=:]\\s{0,2}([\\w./%-]{1,80})");
    private static final Pattern JETTY_PROPERTY = Pattern.compile(
            "(?<![\\w./-])(jetty(?:\\.[a-zA-Z][a-zA-Z0-9]{1,40}){2,4})\\s{0,2}=\\s{0,2}(-?[\\w.]{1,60})");
    /** What may stand between a name and its value. */
    private static final String JOIN =
            "(?:\\s{0,3}[\"'`]?\\s{0,3}(?:=|:|：|to be|to|设置为|设为|设成|调整为|改为|is set to|is|of|默认为|默认值?|取值为)\\s{0,3}[\"'`]?\\s{0,3})";

    private static final String FIGURE = "(-?\\d{1,12}(?:\\s?(?:ms|s|[kKmMgG]))?(?![\\w.]\\d)|true|false|on|off)\\b";
    private static final Pattern VALUE =
            Pattern.compile("\\G" + JOIN + FIGURE + "|\\G\\s{1,2}(\\d{1,9})(?=\\s*(?:[,，。;]|$))");
    /** A name at the start of a line, explained after a gap or a colon. */
    private static final Pattern LISTED =
            Pattern.compile("^\\s*[`*-]{0,3}([a-z][A-Za-z]{2,40})`?(?:\\s{2,}|\\s*[:：])\\S?.*");

    private static final Pattern WORD = Pattern.compile("(?<![\\w.$<-])([A-Za-z][A-Za-z0-9]*+(?:_[A-Za-z0-9]++)*+"
            + "(?:-[A-Za-z0-9]++(?:_[A-Za-z0-9]++)*+(?![\\w(]))*+)(?![\\w(])");
    private static final Pattern FENCE = Pattern.compile("\\s{0,8}(?:```|~~~)\\s*([A-Za-z]*).*");

    /** Attribute names that are everyday words. They count in XML only. */
    private static final Set<String> EVERYDAY =
            Set.of("server", "address", "scheme", "secure", "daemon", "protocol", "executor", "buffered", "pattern");

    /** Words in prose that may name a setting, and the rules for it. */
    private static final class Names {
        static final Map<String, List<AuditRule>> BY_WORD = words();

        private static Map<String, List<AuditRule>> words() {
            var out = new HashMap<String, List<AuditRule>>();
            for (AuditRule r : AuditRules.all().rules()) {
                var names = new ArrayList<>(r.aliases());
                names.add(r.name());
                for (String n : names) {
                    String word = switch (r.kind()) {
                        case TOMCAT -> n.substring(n.lastIndexOf('.') + 1);
                        case JETTY -> n.startsWith("jetty.") || n.contains(" ") ? "" : n;
                        case UNDERTOW -> n;
                        case SYSCTL -> n.substring(n.lastIndexOf('.') + 1);
                        default -> "";
                    };
                    boolean valveOf = r.kind() == SettingKind.TOMCAT && n.contains("[");
                    if (word.length() >= 5 && !valveOf && !EVERYDAY.contains(word)) {
                        List<AuditRule> all = out.computeIfAbsent(word, w -> new ArrayList<>());
                        if (!all.contains(r)) {
                            all.add(r);
                        }
                    }
                }
            }
            return out;
        }
    }

    private final Source in;
    private final Map<SettingKind, Integer> talk = new EnumMap<>(SettingKind.class);
    private final Set<String> mentioned = new HashSet<>();
    private final BitSet taken = new BitSet();
    /** What one block of code holds. */
    private final Source listed;
    /** Line and name of the settings that were found before the last block; of the first {@link #noted}. */
    private final Set<String> there = new HashSet<>();

    private int noted;

    private ProseReader(Source in) {
        this.in = in;
        this.listed = new Source(in.name(), in.text());
    }

    static void read(Source in) {
        var reader = new ProseReader(in);
        reader.subject();
        XmlFragments.tomcat(in, XmlFragments.loose(in.text()));
        XmlFragments.jetty(in);
        in.found().forEach(f -> reader.take(f.place().start(), f.place().end()));
        reader.lines();
        reader.fences();
    }

    /**
     * Counts how often the text names each server: a parameter that several servers have is then the most named one's. Where none is
     * named, parameters that only one of them has tell which is meant.
     */
    private void subject() {
        String lower = in.text().toLowerCase(Locale.ROOT);
        for (SettingKind k : List.of(SettingKind.TOMCAT, SettingKind.JETTY, SettingKind.UNDERTOW)) {
            int n = 0;
            for (int i = lower.indexOf(k.id()); i >= 0; i = lower.indexOf(k.id(), i + 1)) {
                n++;
            }
            talk.put(k, n);
        }
        if (talk.values().stream().allMatch(n -> n == 0)) {
            Matcher w = WORD.matcher(in.text());
            while (w.find()) {
                List<SettingKind> of = Names.BY_WORD.getOrDefault(w.group(1), List.of()).stream()
                        .map(AuditRule::kind)
                        .distinct()
                        .toList();
                if (of.size() == 1 && distinctive(w.group(1))) {
                    talk.computeIfPresent(of.getFirst(), (k, n) -> n + 1);
                }
            }
        }
    }

    private void take(int start, int end) {
        if (end > start) {
            taken.set(start, end);
        }
    }

    private boolean free(int start, int end) {
        int next = taken.nextSetBit(start);
        return next < 0 || next >= end;
    }

    private void lines() {
        for (int i = 1; i <= in.lines(); i++) {
            String line = in.line(i);
            int start = in.start(i);
            if (line.length() > LONGEST_LINE) {
                line = line.substring(0, LONGEST_LINE);
                in.note("line %d is longer than %d characters; the rest of it is not read".formatted(i, LONGEST_LINE));
            }
            int before = in.found().size();
            spaced(line, start);
            JvmTokens.scan(in, start, start + line.length(), "text");
            sysctl(line, start);
            ShellTexts.ulimits(in, line, start, "");
            LineReaders.limits(in, line, start, "");
            pattern(SPRING, line, start, SettingKind.SPRING);
            pattern(JETTY_PROPERTY, line, start, SettingKind.JETTY);
            Practices.line(in, line, start);
            for (int k = before; k < in.found().size(); k++) {
                take(
                        in.found().get(k).place().start(),
                        in.found().get(k).place().end());
            }
            words(line, start);
        }
    }

    private void spaced(String line, int start) {
        Matcher m = SPACED.matcher(line);
        if (m.find() && mentioned.add("sysctl -w a = b")) {
            in.add(SettingKind.PRACTICE, "sysctl -w a = b", "", in.place(start + m.start(), start + m.end()), "");
        }
    }

    private void sysctl(String line, int start) {
        Matcher m = SYSCTL.matcher(line);
        while (m.find()) {
            String value =
                    m.group(3) == null ? "" : m.group(3).replaceAll("[\"']", "").strip();
            boolean known =
                    AuditRules.all().find(SettingKind.SYSCTL, m.group(1)).isPresent();
            if (known || !value.isEmpty()) {
                if (value.isEmpty() && !mentioned.add(m.group(1))) {
                    continue;
                }
                mentioned.add(m.group(1));
                in.add(SettingKind.SYSCTL, m.group(1), value, in.place(start + m.start(), start + m.end()), "text");
            }
        }
    }

    private void pattern(Pattern p, String line, int start, SettingKind kind) {
        Matcher m = p.matcher(line);
        while (m.find()) {
            in.add(kind, m.group(1), m.group(2), in.place(start + m.start(), start + m.end()), "text");
        }
    }

    /** Finds parameters of the servers by name. */
    private void words(String line, int start) {
        Matcher listed = LISTED.matcher(line);
        String head = listed.matches() ? listed.group(1) : "";
        int headAt = head.isEmpty() ? -1 : listed.start(1);
        Matcher w = WORD.matcher(line);
        while (w.find()) {
            String word = w.group(1);
            List<AuditRule> means = Names.BY_WORD.getOrDefault(word, List.of());
            if (means.isEmpty() || !free(start + w.start(), start + w.end())) {
                continue;
            }
            Matcher v = VALUE.matcher(line).region(w.end(), line.length());
            boolean valued = v.find();
            String value = valued ? v.group(1) != null ? v.group(1) : v.group(2) : "";
            boolean telling = distinctive(word)
                    || w.start() == headAt
                    || (valued && v.group(1) != null && assigned(line, w.end()));
            if (!telling) {
                continue;
            }
            Optional<AuditRule> rule = meant(means, line);
            if (rule.isEmpty()
                    || (value.isEmpty()
                            && !mentioned.add(word
                                    + (w.start() == headAt ? "@" + rule.get().name() : "")))) {
                continue;
            }
            mentioned.add(word);
            in.add(
                    rule.get().kind(),
                    named(rule.get(), word),
                    value,
                    in.place(start + w.start(), start + (valued ? v.end() : w.end())),
                    "text");
        }
    }

    /** Whether a name can't be an ordinary word. */
    private static boolean distinctive(String word) {
        return word.chars().skip(1).anyMatch(c -> Character.isUpperCase(c) || c == '_' || c == '-')
                || word.equals("somaxconn");
    }

    private static boolean assigned(String line, int at) {
        String rest = line.substring(at).stripLeading();
        return rest.startsWith("=") || rest.startsWith(":") || rest.startsWith("：");
    }

    private Optional<AuditRule> meant(List<AuditRule> means, String line) {
        String lower = line.toLowerCase(Locale.ROOT);
        List<AuditRule> near = means.stream()
                .filter(r ->
                        talk.containsKey(r.kind()) && lower.contains(r.kind().id()))
                .toList();
        List<AuditRule> of = near.isEmpty() ? means : near;
        AuditRule best = of.getFirst();
        for (AuditRule r : of) {
            if (talk.getOrDefault(r.kind(), 0) > talk.getOrDefault(best.kind(), 0)) {
                best = r;
            }
        }
        boolean aboutNone = talk.containsKey(best.kind()) && talk.get(best.kind()) == 0 && means.size() > 1;
        return aboutNone ? Optional.empty() : Optional.of(best);
    }

    /** The rule's name, or the alias that the text uses. */
    private static String named(AuditRule rule, String word) {
        // a slip such as maxThread for maxThreads is read as what was meant
        return rule.kind() == SettingKind.TOMCAT || rule.name().endsWith(word)
                ? rule.name()
                : rule.aliases().stream()
                        .filter(a -> a.endsWith(word))
                        .findFirst()
                        .orElse(rule.name());
    }

    /** Reads code blocks marked as nginx or YAML. */
    private void fences() {
        int from = -1;
        String language = "";
        for (int i = 1; i <= in.lines(); i++) {
            Matcher m = FENCE.matcher(in.line(i));
            if (!m.matches()) {
                continue;
            }
            if (from < 0) {
                from = i < in.lines() ? in.start(i + 1) : -1;
                language = m.group(1).toLowerCase(Locale.ROOT);
            } else {
                listing(language, from, in.start(i));
                from = -1;
            }
        }
    }

    private void listing(String language, int from, int to) {
        if (language.equals("nginx")) {
            NginxReader.read(in, from, to);
        } else if (language.equals("yaml") || language.equals("yml")) {
            listed.found().clear();
            try {
                YamlSettings.read(listed, from, to);
            } catch (ConfigException e) {
                return; // not valid YAML: its lines have been read as prose
            }
            for (; noted < in.found().size(); noted++) {
                FoundSetting f = in.found().get(noted);
                there.add(f.place().line() + f.name());
            }
            listed.found().stream()
                    .filter(f -> !there.contains(f.place().line() + f.name()))
                    .forEach(in::add);
        }
    }
}
