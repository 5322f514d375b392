package dev.fettle.insight.waits;

import dev.fettle.insight.waits.Root.Kind;

/** What one moment says of some threads that wait: as a {@link Root} has it. */
record Claim(
        Kind kind,
        String subject,
        String site,
        Wait does,
        String where,
        String calls,
        double waiting,
        double share,
        double holders,
        double of,
        double taken,
        double still,
        String path,
        long moment) {

    /** The same, for so many who wait somewhere else, through something. */
    Claim reachedBy(double others, double part, String through, double hardlyMoved) {
        return new Claim(
                kind,
                subject,
                site,
                does,
                where,
                calls,
                others,
                part,
                holders,
                of,
                taken,
                hardlyMoved,
                path.isEmpty() || through.isEmpty() ? through + path : through + "; " + path,
                moment);
    }
}
