package dev.fettle.report.json;

import dev.fettle.insight.judge.Judgement;
import dev.fettle.model.imports.Published;
import dev.fettle.report.JsonFields;
import java.util.List;
import java.util.Locale;

/** The judgement of published figures, for programs. */
public final class JudgeJson {
    /** Value of {@code schema} in the document. */
    public static final String SCHEMA = "fettle.judge/1";

    private JudgeJson() {}

    /** One object with all judgements, in the order in which the results were read. */
    public static String of(List<Judgement> all) {
        return new JsonFields()
                .put("schema", SCHEMA)
                .each("results", all, JudgeJson::one)
                .document();
    }

    private static JsonFields one(Judgement j) {
        Published p = j.figures();
        var figures = new JsonFields();
        p.figures().forEach((f, v) -> figures.put(f.name().toLowerCase(Locale.ROOT), v));
        var percentiles = new JsonFields();
        p.percentiles().forEach((q, v) -> percentiles.put("p" + q, v));
        return new JsonFields()
                .put("tool", p.tool(), "label", p.label())
                .put("outcome", j.outcome().name().toLowerCase(Locale.ROOT))
                .put("figures", figures, "percentiles", percentiles)
                .each("refusals", j.refusals(), JudgeJson::finding)
                .each("cautions", j.cautions(), JudgeJson::finding)
                .put("checked", j.checked(), "unknown", j.unknown());
    }

    private static JsonFields finding(Judgement.Finding f) {
        return new JsonFields().put("rule", f.rule(), "message", f.message());
    }
}
