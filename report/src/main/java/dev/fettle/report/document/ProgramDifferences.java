package dev.fettle.report.document;

import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.VariantDifference;
import dev.fettle.report.RunReport;
import dev.fettle.report.document.Block.Figures;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** In what programs that are compared differ by the plan; of each part that is a file or a folder, its digest when the run began. */
final class ProgramDifferences {
    /** So many digits of a digest tell two programs apart. */
    private static final int DIGITS = 12;

    private final RunReport run;
    private final Plan.Compare compare;

    private ProgramDifferences(RunReport run, Plan.Compare compare) {
        this.run = run;
        this.compare = compare;
    }

    /** A table; empty if no programs are compared. */
    static Optional<Block> of(RunReport run) {
        return run.plan().compare().filter(Plan.Compare::ofPrograms).map(c -> new ProgramDifferences(run, c).block());
    }

    private Block block() {
        var rows = new ArrayList<VariantDifference>();
        for (VariantDifference d : VariantDifference.among(compare.variants())) {
            rows.add(new VariantDifference(d.part(), within(d.values())));
            List<String> digests = d.values().stream().map(this::digests).toList();
            if (!digests.stream().allMatch(String::isEmpty)) {
                rows.add(new VariantDifference("SHA-256 of it", digests));
            }
        }
        Table.Builder<VariantDifference> table = Table.of(rows).words("what", VariantDifference::part);
        for (int i = 0; i < compare.variants().size(); i++) {
            int variant = i;
            table = table.words(
                    compare.variants().get(i).name(), d -> d.values().get(variant));
        }
        return new Block.Section("differs", "What differs", new Figures("What differs", table.build()));
    }

    /** Paths without the folder that all are in: the plan has them whole. */
    private static List<String> within(List<String> values) {
        if (!values.stream().allMatch(v -> v.startsWith("/") && v.indexOf(' ') < 0)) {
            return values;
        }
        String first = values.getFirst();
        int same = first.lastIndexOf('/') + 1;
        for (String v : values) {
            while (!v.startsWith(first.substring(0, same))) {
                same = first.lastIndexOf('/', same - 2) + 1;
            }
        }
        int from = same;
        return values.stream().map(v -> v.substring(from)).toList();
    }

    /** Of the programs that a text names. */
    private String digests(String text) {
        return Arrays.stream(text.split("[ :]"))
                .flatMap(t -> Optional.ofNullable(run.environment().parts().get(t)).stream())
                .map(digest -> digest.substring(0, Math.min(DIGITS, digest.length())))
                .collect(Collectors.joining(" "));
    }
}
