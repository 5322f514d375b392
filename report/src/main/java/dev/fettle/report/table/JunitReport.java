package dev.fettle.report.table;

import dev.fettle.report.Markup;
import dev.fettle.report.document.Checks;
import dev.fettle.report.document.Checks.Check;
import dev.fettle.report.document.Checks.Outcome;
import dev.fettle.report.document.Document;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The checks of a result as JUnit XML for CI servers. One that failed is a failure; one without a valid figure is an error, and never
 * passes; one that was not tried or not observed is skipped.
 */
public final class JunitReport {
    private JunitReport() {}

    /** The document. */
    public static String of(Document d) {
        Checks c = d.checks();
        String seconds = String.format(Locale.ROOT, "%.3f", c.took().toNanos() / 1e9);
        var suite = new ArrayList<>(List.of(
                "name", ("fettle " + c.kind() + " " + c.name()).strip(),
                "tests", Integer.toString(c.all().size()),
                "failures", count(c, Outcome.FAILED),
                "errors", count(c, Outcome.VOID),
                "skipped", count(c, Outcome.SKIPPED)));
        c.started().ifPresent(at -> suite.addAll(List.of("timestamp", at.toString())));
        suite.addAll(List.of("time", seconds));
        var out = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        out.append(tag("testsuite", suite)).append(">\n");
        if (!c.figures().isEmpty()) {
            out.append("  <properties>\n");
            c.figures()
                    .forEach((name, value) -> out.append("    ")
                            .append(tag("property", List.of("name", name, "value", value)))
                            .append("/>\n"));
            out.append("  </properties>\n");
        }
        c.all().forEach(check -> {
            out.append("  ")
                    .append(tag(
                            "testcase",
                            List.of("classname", "fettle." + c.kind(), "name", check.name(), "time", seconds)))
                    .append(">\n");
            problem(out, check);
            out.append("  </testcase>\n");
        });
        if (!c.notes().isEmpty()) {
            out.append("  <system-out>")
                    .append(Markup.text(String.join("\n", c.notes()) + "\n"))
                    .append("</system-out>\n");
        }
        return out.append("</testsuite>\n").toString();
    }

    private static void problem(StringBuilder out, Check check) {
        String element = switch (check.outcome()) {
            case PASSED -> "";
            case FAILED -> "failure";
            case VOID -> "error";
            case SKIPPED -> "skipped";
        };
        if (!element.isEmpty()) {
            var attributes = new ArrayList<String>();
            if (check.outcome() != Outcome.SKIPPED) { // which has a reason and no type
                attributes.addAll(List.of("type", check.type()));
            }
            attributes.addAll(List.of("message", check.why().replace('\n', ' ')));
            out.append("    ")
                    .append(tag(element, attributes))
                    .append('>')
                    .append(Markup.text(check.why()))
                    .append("</")
                    .append(element)
                    .append(">\n");
        }
    }

    private static String count(Checks c, Outcome of) {
        return Long.toString(c.all().stream().filter(x -> x.outcome() == of).count());
    }

    /** The beginning of an element; attributes alternate name and value. */
    private static String tag(String name, List<String> attributes) {
        var out = new StringBuilder("<").append(name);
        for (int i = 0; i < attributes.size(); i += 2) {
            out.append(' ')
                    .append(attributes.get(i))
                    .append("=\"")
                    .append(Markup.text(attributes.get(i + 1)))
                    .append('"');
        }
        return out.toString();
    }
}
