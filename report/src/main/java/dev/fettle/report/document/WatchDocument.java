package dev.fettle.report.document;

import dev.fettle.report.WatchReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What was watched without a load: an overview, every figure, and what was not observed. */
public final class WatchDocument {
    private WatchDocument() {}

    /** The whole document. */
    public static Document of(WatchReport r) {
        var brief = new ArrayList<>(List.of(r.diagnosis().isPresent() ? "diagnose " + r.about() : "watch"));
        if (!r.meta().isEmpty()) {
            brief.add(String.join(" · ", r.meta()));
        }
        Optional<DiagnoseDocument> diagnosis = r.diagnosis().map(d -> new DiagnoseDocument(List.of(), d));
        var head = r.diagnosis()
                .map(d -> {
                    Head.Answer answer = diagnosis.orElseThrow().answer();
                    return new Head(
                            "diagnose · " + r.about(),
                            brief,
                            answer.badge(),
                            answer.tone(),
                            d.headline(),
                            answer.bigs(),
                            r.meta(),
                            d.notes());
                })
                .orElseGet(() -> new Head("watch", brief, "Recorded", "", r.about(), List.of(), r.meta(), List.of()));
        Watches watches = watches(r);
        var blocks = new ArrayList<Block>();
        diagnosis.ifPresent(d -> blocks.addAll(d.blocks()));
        blocks.add(Block.on(
                Where.IN_TERMINALS,
                new Block.Section("overview", "", new Block.Figures("Observed", watches.overview()))));
        blocks.add(Block.details(watches.section().toArray(Block[]::new)));
        blocks.addAll(FlameGraphs.of(r.profiles()).section());
        return new Document(
                head,
                blocks,
                List.of(),
                diagnosis.map(DiagnoseDocument::more).orElse(List.of()),
                r.diagnosis()
                        .map(d -> Checks.of("diagnose", r.about(), RunChecks.diagnose(d)))
                        .orElse(Checks.NONE));
    }

    /** What was watched. */
    public static Watches watches(WatchReport r) {
        return Watches.alone(r.about(), r.timeline());
    }
}
