package dev.fettle.report.table;

import dev.fettle.model.trial.Verdict;
import dev.fettle.report.BenchReport;
import dev.fettle.report.Markup;
import java.util.ArrayList;
import java.util.Locale;

/** A bench as JUnit XML for CI servers: one test case for the validity of the figures, and one for each of the user's conditions. */
public final class JunitReport {
    private JunitReport() {}

    /** The document. */
    public static String of(BenchReport r) {
        String voids = String.join(
                "\n",
                r.verdict().reasons().stream()
                        .filter(x -> !x.passing())
                        .map(x -> x.rule() + ": " + x.message())
                        .toList());
        long failures = r.checks().stream().filter(BenchReport.Check::met).count() + (voids.isEmpty() ? 0 : 1);
        long errors = r.checks().stream().filter(c -> c.value().isEmpty()).count();
        var m = r.measurement();
        String seconds = String.format(Locale.ROOT, "%.3f", m.elapsed().toNanos() / 1e9);
        var out = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        out.append("<testsuite")
                .append(attribute(
                        "name",
                        "fettle bench " + r.target() + r.load().request().path()))
                .append(attribute("tests", Integer.toString(r.checks().size() + 1)))
                .append(attribute("failures", Long.toString(failures)))
                .append(attribute("errors", Long.toString(errors)))
                .append(attribute("skipped", "0"))
                .append(attribute("timestamp", r.started().toString()))
                .append(attribute("time", seconds))
                .append(">\n  <properties>\n");
        property(out, "throughputPerSecond", m.throughput());
        property(out, "errorShare", m.errorShare());
        if (m.latency().count() > 0) {
            property(out, "p50Millis", m.latency().p50() / 1e6);
            property(out, "p99Millis", m.latency().p99() / 1e6);
            property(out, "maxMillis", m.latency().max() / 1e6);
        }
        out.append("  </properties>\n");
        open(out, "the figures are valid", seconds);
        if (!voids.isEmpty()) {
            problem(out, "failure", "void", voids);
        }
        out.append("  </testcase>\n");
        r.checks().forEach(c -> check(out, c, seconds));
        cautions(out, r.verdict());
        return out.append("</testsuite>\n").toString();
    }

    private static void check(StringBuilder out, BenchReport.Check c, String seconds) {
        open(out, "not " + c.condition(), seconds);
        if (c.met()) {
            problem(out, "failure", "condition", c.condition() + ": " + c.text());
        } else if (c.value().isEmpty()) {
            problem(out, "error", "no-value", c.text());
        }
        out.append("  </testcase>\n");
    }

    private static void cautions(StringBuilder out, Verdict verdict) {
        var lines = new ArrayList<String>();
        verdict.reasons().stream()
                .filter(Verdict.Reason::passing)
                .forEach(x -> lines.add("CAUTION " + x.rule() + ": " + x.message() + "\n"));
        verdict.advisories().forEach(a -> lines.add("NOTE " + a.rule() + ": " + a.message() + "\n"));
        if (!lines.isEmpty()) {
            out.append("  <system-out>")
                    .append(Markup.text(String.join("", lines)))
                    .append("</system-out>\n");
        }
    }

    private static void open(StringBuilder out, String name, String seconds) {
        out.append("  <testcase classname=\"fettle.bench\"")
                .append(attribute("name", name))
                .append(attribute("time", seconds))
                .append(">\n");
    }

    private static void problem(StringBuilder out, String element, String type, String text) {
        out.append("    <")
                .append(element)
                .append(attribute("type", type))
                .append(attribute("message", text.replace('\n', ' ')))
                .append('>')
                .append(Markup.text(text))
                .append("</")
                .append(element)
                .append(">\n");
    }

    private static void property(StringBuilder out, String name, double value) {
        out.append("    <property")
                .append(attribute("name", name))
                .append(attribute("value", String.format(Locale.ROOT, "%.6g", value)))
                .append("/>\n");
    }

    private static String attribute(String name, String value) {
        return " " + name + "=\"" + Markup.text(value) + "\"";
    }
}
