package dev.fettle.load.engine;

import dev.fettle.load.http2.Http2Frame;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * What a strict server objects to in the order of a client's frames on one connection: new streams have ever higher odd
 * numbers (RFC 9113, 5.1.1), nothing is said of a stream that never began, no data follows the end of a request (5.1),
 * and a header block comes in one piece (6.10).
 */
final class FrameOrder {

    /** The newest stream; 0: none yet. */
    private int newest;
    /** The stream whose header block goes on in the next frame; 0: none. */
    private int continued;
    /** Streams whose request is not complete. */
    private final Set<Integer> incomplete = new HashSet<>();

    /** Takes the client's next frame; empty if it may come now. */
    Optional<String> objection(int type, int flags, int stream) {
        if (continued != 0 && (type != Http2Frame.CONTINUATION || stream != continued)) {
            return Optional.of("type " + type + " within the header block of stream " + continued);
        }
        boolean right = switch (type) {
            case Http2Frame.HEADERS -> begins(flags, stream);
            case Http2Frame.CONTINUATION -> goesOn(flags);
            case Http2Frame.DATA -> hasData(flags, stream);
            case Http2Frame.RST_STREAM -> ends(stream);
            case Http2Frame.WINDOW_UPDATE -> stream <= newest;
            case Http2Frame.SETTINGS, Http2Frame.PING, Http2Frame.GOAWAY -> stream == 0;
            default -> false;
        };
        return right
                ? Optional.empty()
                : Optional.of("type " + type + " on stream " + stream + ", the newest being " + newest);
    }

    private boolean begins(int flags, int stream) {
        boolean right = (stream & 1) == 1 && stream > newest;
        newest = Math.max(newest, stream);
        if ((flags & Http2Frame.END_STREAM) == 0) {
            incomplete.add(stream);
        }
        continued = (flags & Http2Frame.END_HEADERS) == 0 ? stream : 0;
        return right;
    }

    private boolean goesOn(int flags) {
        boolean right = continued != 0;
        if ((flags & Http2Frame.END_HEADERS) != 0) {
            continued = 0;
        }
        return right;
    }

    private boolean hasData(int flags, int stream) {
        return (flags & Http2Frame.END_STREAM) == 0 ? incomplete.contains(stream) : incomplete.remove(stream);
    }

    private boolean ends(int stream) {
        incomplete.remove(stream);
        return stream > 0 && stream <= newest;
    }
}
