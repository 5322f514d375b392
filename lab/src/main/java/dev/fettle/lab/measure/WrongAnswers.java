package dev.fettle.lab.measure;

import dev.fettle.load.WrongAnswer;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.model.load.Load;
import dev.fettle.model.text.OneLine;
import dev.fettle.model.text.Secrets;
import dev.fettle.model.trial.Answers;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What is kept of wrong answers, samples and messages, with secrets masked: those that the load sends, which an answer may repeat,
 * and whatever looks like one.
 *
 * @param load whose answers they are; empty: one that sends no secrets
 */
record WrongAnswers(Optional<Load> load) {
    /** The samples, redacted for the journal and for reports. */
    List<Answers.Wrong> of(List<WrongAnswer> seen) {
        if (seen.isEmpty()) {
            return List.of();
        }
        Set<String> secrets = secrets();
        return seen.stream()
                .map(w -> new Answers.Wrong(
                        w.kind(),
                        w.status(),
                        w.head()
                                .lines()
                                .map(field -> Secrets.answerField(field, secrets))
                                .toList(),
                        Secrets.page(w.body(), secrets),
                        w.bodyBytes(),
                        w.whole()))
                .toList();
    }

    /** Messages of the engine, which may quote what the server sent. */
    Map<ErrorKind, String> messages(Map<ErrorKind, String> seen) {
        if (seen.isEmpty()) {
            return seen;
        }
        Set<String> secrets = secrets();
        var masked = new EnumMap<ErrorKind, String>(ErrorKind.class);
        seen.forEach((kind, text) -> masked.put(kind, message(text, secrets)));
        return masked;
    }

    /** One message of the engine, which may quote what the server sent. */
    String message(String seen) {
        return message(seen, secrets());
    }

    private String message(String text, Set<String> secrets) {
        String place = load.flatMap(Load::scenario).stream()
                .flatMap(s -> s.flows().stream())
                .flatMap(flow -> flow.steps().stream())
                .map(step -> "step '" + step.name() + "': ")
                .filter(text::startsWith)
                .findFirst()
                .orElse("");
        // a step may be called 'get token': its name is the user's own, and what follows it is no token
        return OneLine.of(place + Secrets.page(text.substring(place.length()), secrets));
    }

    private Set<String> secrets() {
        return load.map(SentSecrets::of).orElse(Set.of());
    }
}
