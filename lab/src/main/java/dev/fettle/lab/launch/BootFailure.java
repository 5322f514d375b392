package dev.fettle.lab.launch;

import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.lab.process.GivenSecrets;
import dev.fettle.lab.process.LogEnd;
import dev.fettle.model.text.Secrets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Why a Spring Boot app did not start: its own message, on one line. */
final class BootFailure {
    /** What the app's failure analysis prints between two headings. */
    private static final Pattern ANALYSIS = Pattern.compile(
            "APPLICATION FAILED TO START.*?^Description:\\s*(.+?)\\s*(?:^Action:\\s*.*)?\\z",
            Pattern.DOTALL | Pattern.MULTILINE);

    /** A property that could not be bound. */
    private static final Pattern PROPERTY = Pattern.compile("(Property: (\\S+)\\s+Value: )(\"[^\"]*\"|\\S+)");

    private static final Pattern EXCEPTION = Pattern.compile("(?:Caused by: )?((?:[\\w$]++\\.)++[\\w$]++)(?:: (.*))?");
    private static final int LONGEST = 600;

    /** The reason is the last thing that an app says; before it, it may have said any amount. */
    private static final int LOOKED_AT = 1 << 20;

    private BootFailure() {}

    /** The failure, with the app's own reason if its log has one. */
    static TrialFailure explained(TrialFailure failure, Path log, GivenSecrets secrets) {
        String text;
        try {
            text = Files.exists(log) ? LogEnd.of(log, LOOKED_AT) : "";
        } catch (IOException e) {
            return failure; // keep the launcher's own message
        }
        return reason(text)
                .map(r -> new TrialFailure(failure.asFailure().kind(), "the app did not start: " + secrets.mask(r)))
                .orElse(failure);
    }

    /** The description from the failure analysis, or else the first cause of the exception that ended the app. */
    static Optional<String> reason(String log) {
        int last = log.lastIndexOf("APPLICATION FAILED TO START");
        Matcher analysis = ANALYSIS.matcher(last < 0 ? "" : log.substring(last).replace("\r", ""));
        Optional<String> found = analysis.lookingAt() ? Optional.of(analysis.group(1)) : firstCause(log);
        return found.map(
                r -> shortened(withoutSecrets(r).replaceAll("\\s+", " ").strip()));
    }

    private static String withoutSecrets(String text) {
        String bound = PROPERTY.matcher(text)
                .replaceAll(m -> Matcher.quoteReplacement(
                        m.group(1) + (Secrets.looksSecret(m.group(2)) ? Secrets.MASK : m.group(3))));
        return Secrets.redact(bound);
    }

    private static Optional<String> firstCause(String log) {
        int failed = log.lastIndexOf("Application run failed");
        if (failed < 0) {
            return Optional.empty();
        }
        List<String> causes = new ArrayList<>();
        boolean head = true;
        for (String line : log.substring(failed).lines().skip(1).toList()) {
            Matcher m = EXCEPTION.matcher(line);
            if (m.matches() && (head || line.startsWith("Caused by: "))) {
                String name = m.group(1).substring(m.group(1).lastIndexOf('.') + 1);
                causes.add(name + (m.group(2) == null ? "" : ": " + m.group(2)));
                head = false;
            }
        }
        return causes.isEmpty() ? Optional.empty() : Optional.of(causes.getLast());
    }

    private static String shortened(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
    }
}
