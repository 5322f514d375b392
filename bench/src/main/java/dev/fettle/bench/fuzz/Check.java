package dev.fettle.bench.fuzz;

import java.util.Optional;
import java.util.SplittableRandom;

/** Parses one stream in each way and compares. Used by one thread. */
final class Check {

    /** The outcome for a stream. */
    sealed interface Verdict {
        /** Both parsers read the same. */
        record Same(int responses) implements Verdict {}

        /** They differ as intended. */
        record Intended(int responses, IntendedDifference difference) implements Verdict {}

        /** A difference that must not be. */
        record Failure(String what) implements Verdict {}
    }

    private final OurReader reader = new OurReader();

    /** @param cutSeed decides where the stream is cut */
    Verdict run(Input input, long cutSeed) {
        try {
            Reading ours = reader.whole(input);
            SplittableRandom random = new SplittableRandom(cutSeed);
            Reading pieces = reader.pieces(input, random);
            if (!pieces.sameAs(ours)) {
                return new Verdict.Failure(
                        "cut differently, it reads differently:\n  whole   " + ours + "\n  pieces  " + pieces);
            }
            Reading theirs = NettyReader.read(input);
            if (ours.sameAs(theirs)) {
                return new Verdict.Same(ours.answers().size());
            }
            Optional<IntendedDifference> intended = IntendedDifference.of(Case.of(input, ours, theirs));
            return intended.<Verdict>map(
                            difference -> new Verdict.Intended(ours.answers().size(), difference))
                    .orElseGet(() -> new Verdict.Failure("unexplained:\n  ours    " + ours + "\n  Netty's " + theirs));
        } catch (RuntimeException e) {
            StackTraceElement[] trace = e.getStackTrace();
            return new Verdict.Failure("crash: " + e + (trace.length > 0 ? " at " + trace[0] : ""));
        }
    }
}
