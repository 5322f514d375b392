package dev.fettle.report.html;

import dev.fettle.model.text.Units;
import dev.fettle.report.CapacityReport;
import dev.fettle.report.document.CapacityDocument;
import dev.fettle.report.document.Document;
import java.util.ArrayList;
import java.util.List;

/** The page of a capacity search: its document, the courses of its trials, and the environment. */
record HtmlCapacity(CapacityReport r, HtmlWatch watch) {
    String title() {
        return "Fettle: capacity of " + r.target();
    }

    /** Writes the page between its head and foot. */
    void write(Html html) {
        Document document = CapacityDocument.of(r);
        new PageHead(document.head()).write(html);
        html.open("main");
        new HtmlBlocks(document, watch).write(html);
        watch.write(html);
        html.section("setup", "What was loaded, and where", s -> s.facts(facts()));
        html.close();
    }

    private List<String[]> facts() {
        var load = r.plan().load();
        var facts = new ArrayList<String[]>();
        facts.add(new String[] {"target", r.target()});
        facts.add(new String[] {"SLO", r.slo().toString()});
        facts.add(new String[] {
            "request",
            load.scenario().isPresent()
                    ? "a scenario"
                    : load.request().method() + " " + load.request().path()
        });
        facts.add(new String[] {"connections at most", Integer.toString(load.connections())});
        facts.add(new String[] {"time-out", Units.text(load.timeout())});
        facts.addAll(HtmlSetup.machine(r.environment()));
        return facts;
    }
}
