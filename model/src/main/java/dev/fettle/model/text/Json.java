package dev.fettle.model.text;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import dev.fettle.load.api.Arrivals;

/**
 * The JSON form of the model: ISO-8601 durations, absent values left out, unknown properties ignored. An optional value that is
 * not there is read as empty, so records need nothing for the journals of versions that did not have it.
 */
public final class Json {
    /** The engine's values know nothing of JSON. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Arrivals.Closed.class, name = "closed"),
        @JsonSubTypes.Type(value = Arrivals.Open.class, name = "open")
    })
    private interface ArrivalsByKind {}

    private Json() {}

    /** A new mapper, to be kept by the caller. */
    public static ObjectMapper mapper() {
        return mapper(new JsonFactory());
    }

    /** The same for files of users, in which a text may be as long as the file. */
    public static ObjectMapper unlimited() {
        return mapper(JsonFactory.builder()
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxStringLength(Integer.MAX_VALUE)
                        .build())
                .build());
    }

    private static ObjectMapper mapper(JsonFactory factory) {
        return JsonMapper.builder(factory)
                .addModule(new Jdk8Module())
                .addModule(new JavaTimeModule())
                .addMixIn(Arrivals.class, ArrivalsByKind.class)
                .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
                .disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .serializationInclusion(JsonInclude.Include.NON_ABSENT)
                .withConfigOverride(
                        OptionalFigure.class,
                        f -> f.setInclude(
                                JsonInclude.Value.construct(JsonInclude.Include.NON_EMPTY, JsonInclude.Include.ALWAYS)))
                .build();
    }
}
