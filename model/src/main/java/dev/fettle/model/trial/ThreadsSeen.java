package dev.fettle.model.trial;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Objects;

/**
 * What all threads of a JVM did at a few moments. At each, the JVM stood still: who holds a lock and who waits for it are of one moment.
 *
 * @param frames the methods on their stacks, as {@code com.example.Cart.total:12} (without the number where the line is not known); stacks are
 *     places in this list
 * @param moments in the order of time
 * @param partial whether threads may be missing, as in recordings, which have only what is long enough: that no thread does something is not
 *     known then
 */
public record ThreadsSeen(
        List<String> frames,
        List<Moment> moments,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean partial) {
    /** Nobody looked. */
    public static final ThreadsSeen NONE = new ThreadsSeen(List.of(), List.of());

    public ThreadsSeen {
        frames = List.copyOf(Objects.requireNonNullElse(frames, List.of()));
        moments = List.copyOf(Objects.requireNonNullElse(moments, List.of()));
    }

    /** All threads of each moment. */
    public ThreadsSeen(List<String> frames, List<Moment> moments) {
        this(frames, moments, false);
    }

    /** The same moments, of each of which threads may be missing. */
    public ThreadsSeen inPart() {
        return new ThreadsSeen(frames, moments, true);
    }

    /** Whether nobody looked. */
    @JsonIgnore
    public boolean isEmpty() {
        return moments.isEmpty();
    }

    /** Only the last so many moments. */
    public ThreadsSeen last(int most) {
        return new ThreadsSeen(frames, moments.subList(Math.max(0, moments.size() - most), moments.size()), partial);
    }

    /**
     * One moment.
     *
     * @param millis when, since measuring began; negative in the warm-up
     * @param groups its threads, those that do the same together
     */
    public record Moment(long millis, List<Group> groups) {
        public Moment {
            groups = List.copyOf(groups);
        }
    }

    /**
     * Threads of one kind that do the same at the same place.
     *
     * @param kind their names, with {@code *} for the number at the end
     * @param count how many
     * @param still how many of them are where they were at the moment before, and have not moved since; 0 at the first one
     * @param state as the JVM has it
     * @param stack places in {@link ThreadsSeen#frames}, the innermost first
     * @param waitsFor the object that they wait for, as {@code class@id}; blank if there is none
     * @param owner the place in the moment's list of the thread that holds it, a group of its own; -1 if none does, or it is not known
     */
    public record Group(
            String kind, int count, int still, Thread.State state, List<Integer> stack, String waitsFor, int owner) {
        public Group {
            stack = List.copyOf(stack);
        }
    }
}
