package dev.fettle.config.audit;

import dev.fettle.model.audit.AuditRule;
import dev.fettle.model.audit.AuditRules;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Practices and settings that rules recognise by their wording: commands, files, tools. */
final class Practices {
    private record Spoken(AuditRule rule, Pattern pattern) {}

    private static final class Holder {
        static final List<Spoken> ALL = AuditRules.all().rules().stream()
                .flatMap(r -> r.spoken().stream().map(s -> new Spoken(r, Pattern.compile(s))))
                .toList();
    }

    private Practices() {}

    static void line(Source in, String line, int start) {
        for (Spoken s : Holder.ALL) {
            Matcher m = s.pattern().matcher(line);
            int most = 10;
            while (most-- > 0 && m.find()) {
                if (m.end() == m.start()) {
                    break;
                }
                String value =
                        m.groupCount() > 0 && m.group(1) != null ? m.group(1).strip() : "";
                in.add(s.rule().kind(), s.rule().name(), value, in.place(start + m.start(), start + m.end()), "");
            }
        }
    }
}
