package dev.fettle.model.trial;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import dev.fettle.load.api.ErrorKind;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;

/** Reads what is kept by kind of error, also in the journal of a version that knows more kinds. */
final class ByErrorKind {
    private ByErrorKind() {}

    /** Reads counts by kind; the counts of all unknown names are added up. */
    static final class CountReader extends JsonDeserializer<Map<ErrorKind, Long>> {
        @Override
        public Map<ErrorKind, Long> deserialize(JsonParser in, DeserializationContext context) throws IOException {
            var counts = new EnumMap<ErrorKind, Long>(ErrorKind.class);
            while (in.nextToken() == JsonToken.FIELD_NAME) {
                ErrorKind kind = ErrorKind.of(in.currentName());
                in.nextToken();
                counts.merge(kind, in.getLongValue(), Long::sum);
            }
            return counts;
        }
    }

    /** Reads texts by kind; of all unknown names, the first. */
    static final class TextReader extends JsonDeserializer<Map<ErrorKind, String>> {
        @Override
        public Map<ErrorKind, String> deserialize(JsonParser in, DeserializationContext context) throws IOException {
            var texts = new EnumMap<ErrorKind, String>(ErrorKind.class);
            while (in.nextToken() == JsonToken.FIELD_NAME) {
                ErrorKind kind = ErrorKind.of(in.currentName());
                in.nextToken();
                texts.putIfAbsent(kind, in.getText());
            }
            return texts;
        }
    }
}
