package dev.fettle.lab.machine;

import java.net.http.HttpClient;
import java.time.Duration;

/** HTTP clients that look at targets. */
public final class DirectHttp {
    private DirectHttp() {}

    /** Of a client that asks no proxy, whatever the JVM's settings say: the load knows none either. It speaks HTTP/1.1 unless asked otherwise. */
    public static HttpClient.Builder client(Duration connect) {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .proxy(HttpClient.Builder.NO_PROXY)
                .connectTimeout(connect);
    }
}
