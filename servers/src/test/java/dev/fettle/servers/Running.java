package dev.fettle.servers;

import dev.fettle.servers.launch.Launch;
import dev.fettle.servers.settings.LaunchFailure;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;

/** A target in this JVM, and a client for it. */
final class Running implements AutoCloseable {
    static final HttpClient CLIENT = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(20))
            .build();

    static {
        Output.quietLogs();
    }

    final Target target;

    private Running(Target target) {
        this.target = target;
    }

    static Running start(String... args) throws LaunchFailure {
        return new Running(Target.start(Launch.parse(args)));
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + target.server().port() + path))
                .timeout(Duration.ofSeconds(60));
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return CLIENT.send(request(path).build(), HttpResponse.BodyHandlers.ofString());
    }

    Map<String, ?> effective() {
        return target.effective();
    }

    long stat(String name) {
        return target.stats(false).get(name) instanceof Number number ? number.longValue() : -1;
    }

    @Override
    public void close() throws Exception {
        target.stop();
    }
}
