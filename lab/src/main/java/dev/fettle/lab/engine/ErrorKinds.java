package dev.fettle.lab.engine;

import dev.fettle.load.ErrorCount;
import dev.fettle.model.trial.ErrorKind;
import java.util.EnumMap;
import java.util.Map;

/** Maps the engine's error kinds to the model's: the engine is a separate library that does not know the model. */
public final class ErrorKinds {
    private ErrorKinds() {}

    public static ErrorKind of(dev.fettle.load.ErrorKind kind) {
        return switch (kind) {
            case REFUSED -> ErrorKind.REFUSED;
            case CONNECT_TIMEOUT -> ErrorKind.CONNECT_TIMEOUT;
            case TLS -> ErrorKind.TLS;
            case RESET -> ErrorKind.RESET;
            case CLOSED_EARLY -> ErrorKind.CLOSED_EARLY;
            case READ_TIMEOUT -> ErrorKind.READ_TIMEOUT;
            case MALFORMED -> ErrorKind.MALFORMED;
            case STATUS -> ErrorKind.STATUS;
            case LENGTH -> ErrorKind.LENGTH;
            case BODY -> ErrorKind.BODY;
            case CHECK -> ErrorKind.CHECK;
            case OTHER -> ErrorKind.OTHER;
        };
    }

    public static Map<ErrorKind, Long> counts(Map<dev.fettle.load.ErrorKind, ErrorCount> errors) {
        var counts = new EnumMap<ErrorKind, Long>(ErrorKind.class);
        errors.forEach((kind, e) -> counts.merge(of(kind), e.count(), Long::sum));
        return counts;
    }

    /** The first message of each kind. */
    public static Map<ErrorKind, String> examples(Map<dev.fettle.load.ErrorKind, ErrorCount> errors) {
        var examples = new EnumMap<ErrorKind, String>(ErrorKind.class);
        errors.forEach((kind, e) -> examples.putIfAbsent(of(kind), e.example()));
        return examples;
    }
}
