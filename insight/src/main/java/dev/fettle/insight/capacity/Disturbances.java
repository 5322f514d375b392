package dev.fettle.insight.capacity;

import dev.fettle.insight.capacity.ProbeVerdict.Result;
import java.util.ArrayList;
import java.util.List;

/** What becomes of the probes of a search that were disturbed. */
public final class Disturbances {
    private Disturbances() {}

    /**
     * The probes with those taken at their word that were disturbed for the n-th time in a row at their rate: a machine that never is
     * calm has a capacity, too, and the conclusion says what it is.
     *
     * @param tries n
     */
    public static List<Judged> counted(List<Judged> seen, int tries) {
        var counted = new ArrayList<Judged>();
        int inARow = 0;
        double rate = 0;
        for (Judged j : seen) {
            boolean again = j.probe().rate() == rate;
            inARow = j.verdict().result() == Result.DISTURBED ? (again ? inARow + 1 : 1) : 0;
            rate = j.probe().rate();
            counted.add(inARow >= tries ? broken(j) : j);
        }
        return counted;
    }

    private static Judged broken(Judged j) {
        return new Judged(j.probe(), new ProbeVerdict(Result.BROKEN, j.verdict().broken()));
    }
}
