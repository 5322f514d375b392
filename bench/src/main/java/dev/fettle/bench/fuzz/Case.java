package dev.fettle.bench.fuzz;

import dev.fettle.bench.fuzz.Reading.End;

/**
 * A place where two readings of a stream differ.
 *
 * @param index number of the first response on which they disagree
 * @param anatomy the message it is read from
 */
record Case(Reading ours, Reading theirs, int index, Anatomy anatomy) {

    static Case of(Input input, Reading ours, Reading theirs) {
        int index = 0;
        int from = 0;
        while (index < ours.answers().size()
                && index < theirs.answers().size()
                && ours.answers().get(index).equals(theirs.answers().get(index))) {
            from = ours.answers().get(index).endsAt();
            index++;
        }
        return new Case(ours, theirs, index, Anatomy.of(input.text(), from));
    }

    /** Whether we refuse this message for a reason that starts with this. */
    boolean weRefuse(String why) {
        return refuses(ours) && ours.why().startsWith(why);
    }

    /** Whether Netty refuses this message for a reason that contains this. */
    boolean nettyRefuses(String why) {
        return refuses(theirs) && theirs.why().contains(why);
    }

    boolean nettyRefuses() {
        return refuses(theirs);
    }

    boolean weRefuse() {
        return refuses(ours);
    }

    private boolean refuses(Reading reading) {
        return reading.answers().size() == index && reading.end() == End.BAD;
    }

    /** The line at which we refused. */
    String badLine() {
        return anatomy.lineAt(ours.badAt());
    }

    String lineBefore() {
        return anatomy.lineBefore(ours.badAt());
    }
}
