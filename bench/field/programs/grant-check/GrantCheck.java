package grants;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

/** Answers whether a user may do a thing to a document. */
public final class GrantCheck {

    record Tuple(String user, String relation, String object) {}

    record Question(Tuple tuple, List<Tuple> context, String trace) {}

    record Answer(boolean allowed, String resolution, Map<String, Integer> visited) {}

    private final Supplier<ObjectMapper> json;

    GrantCheck(Supplier<ObjectMapper> json) {
        this.json = json;
    }

    static ObjectMapper mapper() {
        return new ObjectMapper()
                .setSerializationInclusion(JsonInclude.Include.NON_NULL)
                .configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, false)
                .configure(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS, false);
    }

    void check(ServerRequest request, ServerResponse response) throws Exception {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        int user = random.nextInt(500);
        String sent = "{\"tuple\":{\"user\":\"user:" + user + "\",\"relation\":\"viewer\",\"object\":\"doc:"
                + random.nextInt(90) + "\"},\"context\":[{\"user\":\"user:" + user
                + "\",\"relation\":\"member\",\"object\":\"group:eng\"}],\"extra\":1}";
        Question question = json.get().readValue(sent, Question.class);
        Answer answer = decide(question);
        response.headers().contentType(io.helidon.common.media.type.MediaTypes.APPLICATION_JSON);
        response.send(json.get().writeValueAsString(answer));
    }

    private static Answer decide(Question question) {
        boolean member =
                question.context().stream().anyMatch(tuple -> tuple.relation().equals("member"));
        int hash = question.tuple().object().hashCode();
        boolean allowed = member || hash % 3 == 0;
        return new Answer(allowed, allowed ? "via group" : null, Map.of("group:eng", Math.abs(hash % 7)));
    }

    public static void main(String[] args) {
        boolean fixed = args.length > 1 && args[1].equals("--fixed");
        ObjectMapper one = mapper();
        GrantCheck grants = new GrantCheck(fixed ? () -> one : GrantCheck::mapper);
        WebServer.builder()
                .host("127.0.0.1")
                .port(Integer.parseInt(args[0]))
                .routing(routing -> routing.get("/", grants::check))
                .build()
                .start();
        System.out.println("ready");
    }
}
