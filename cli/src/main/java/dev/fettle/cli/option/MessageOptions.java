package dev.fettle.cli.option;

import dev.fettle.load.api.Protocol;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** How messages are sent over a WebSocket, and which answer is expected. */
final class MessageOptions {
    @Option(names = "--binary", description = "Send the message as binary instead of text")
    private boolean binary;

    @Option(
            names = "--expect-echo",
            description = "The answer must equal the message sent. Default: any answer is right")
    boolean echo;

    @Option(
            names = "--subprotocol",
            paramLabel = "NAME",
            description = "Offer this subprotocol to the server. Can be repeated.")
    List<String> subprotocols = new ArrayList<>();

    /** The kind of messages to send over a WebSocket. */
    Protocol protocol() {
        return binary ? Protocol.WEB_SOCKET_BINARY : Protocol.WEB_SOCKET_TEXT;
    }

    /** Refuses these options for a URL that is not a WebSocket's. */
    void refuse() {
        if (binary || echo || !subprotocols.isEmpty()) {
            throw Parse.usage("--binary, --expect-echo and --subprotocol are of WebSockets: the URL must begin with"
                    + " ws:// or wss://");
        }
    }
}
