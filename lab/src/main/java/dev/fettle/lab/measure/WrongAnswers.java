package dev.fettle.lab.measure;

import dev.fettle.lab.engine.ErrorKinds;
import dev.fettle.load.WrongAnswer;
import dev.fettle.model.load.Csv;
import dev.fettle.model.load.Load;
import dev.fettle.model.load.Scenario;
import dev.fettle.model.load.Templates;
import dev.fettle.model.text.Secrets;
import dev.fettle.model.trial.Answers;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Samples of wrong answers with secrets masked: those that the load sends, which an answer may repeat, and whatever
 * looks like one.
 *
 * @param load whose answers they are; empty: one that sends no secrets
 */
record WrongAnswers(Optional<Load> load) {
    /** Shorter texts would be found in any page. */
    private static final int SHORTEST = 4;

    /** The samples, redacted for the journal and for reports. */
    List<Answers.Wrong> of(List<WrongAnswer> seen) {
        if (seen.isEmpty()) {
            return List.of();
        }
        Set<String> secrets = load.map(WrongAnswers::secrets).orElse(Set.of());
        return seen.stream()
                .map(w -> new Answers.Wrong(
                        ErrorKinds.of(w.kind()),
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

    /** Values that the load sends and that may be secret. */
    private static Set<String> secrets(Load load) {
        var secrets = new LinkedHashSet<String>();
        headers(load.request().headers(), secrets);
        load.request().body().ifPresent(secrets::add);
        load.scenario().ifPresent(s -> {
            secrets.addAll(s.variables().values());
            for (Scenario.Flow flow : s.flows()) {
                for (Scenario.Step step : flow.steps()) {
                    headers(step.headers(), secrets);
                    step.body().ifPresent(secrets::add);
                    secrets.addAll(step.form().values());
                }
            }
            s.data().forEach(d -> columns(Csv.read(Path.of(d.file())), secrets));
        });
        secrets.removeIf(text -> text.length() < SHORTEST || Templates.isPlace(text));
        return secrets;
    }

    /**
     * Columns whose names look like secrets. An answer may say who a user is, but must not show the user's credentials.
     */
    private static void columns(Csv csv, Collection<String> secrets) {
        for (int i = 0; i < csv.columns().size(); i++) {
            if (Secrets.looksSecret(csv.columns().get(i))) {
                int column = i;
                csv.rows().forEach(row -> secrets.add(row.get(column)));
            }
        }
    }

    private static void headers(Map<String, String> headers, Collection<String> secrets) {
        headers.forEach((name, value) -> {
            if (!Secrets.harmless(name)) {
                secrets.add(value);
            }
        });
    }
}
