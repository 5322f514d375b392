package dev.fettle.cli.assist;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fettle.cli.assist.Tool.BadCall;
import dev.fettle.cli.assist.Tool.Effect;
import dev.fettle.cli.terminal.EndWithCaller;
import dev.fettle.cli.terminal.ExitCodes;
import dev.fettle.model.text.Format;
import io.modelcontextprotocol.json.jackson2.JacksonMcpJsonMapper;
import io.modelcontextprotocol.json.schema.JsonSchemaValidator.ValidationResponse;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.server.McpSyncServer;
import io.modelcontextprotocol.server.McpSyncServerExchange;
import io.modelcontextprotocol.server.transport.StdioServerTransportProvider;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.JsonSchema;
import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Answers an assistant: requests of the Model Context Protocol come in one a line, answers go out. Each call of a tool is a process of its
 * own, as if a user had typed the command, so that a load is measured as it always is. One that loads or runs something waits for nobody:
 * while another does, it is refused.
 */
public final class AssistServer {
    private static final String ABOUT =
            "Fettle load-tests and diagnoses JVM web servers of this machine. A result that is void"
                    + " or can't tell says so: never report its figures as an answer. Report intervals next to figures.";

    private static final String PROGRESS_TOKEN = "progressToken";

    private final CommandSpec root;
    private final CommandRuns runs;
    private final ObjectMapper json = new ObjectMapper();
    private final ReentrantLock machine = new ReentrantLock();

    /**
     * A server.
     *
     * @param root the command whose subcommands are the tools
     * @param runs runs commands
     */
    public AssistServer(CommandSpec root, CommandRuns runs) {
        this.root = root;
        this.runs = runs;
    }

    /** Serves until the input ends, or the thread is interrupted. */
    public void serve(InputStream in, OutputStream out, String version) throws InterruptedException {
        System.setProperty(
                "slf4j.internal.verbosity", "ERROR"); // the protocol's library has a logger, and nobody reads it
        var ended = new CountDownLatch(1);
        var mapper = new JacksonMcpJsonMapper(json);
        McpSyncServer server = McpServer.sync(
                        new StdioServerTransportProvider(mapper, new CallLines(in, json, ended, runs::cancel), out))
                .serverInfo("fettle", version)
                .instructions(ABOUT)
                .capabilities(ServerCapabilities.builder().tools(false).build())
                .jsonMapper(mapper)
                .jsonSchemaValidator((schema, content) -> ValidationResponse.asValid(""))
                .tools(Tools.ALL.stream().map(this::tool).toList())
                .build();
        try {
            ended.await();
        } finally {
            runs.close();
            server.closeGracefully();
        }
    }

    private SyncToolSpecification tool(Tool tool) {
        var schema = new JsonSchema(
                "object",
                tool.properties(spec(tool)),
                tool.own().needed() ? List.of(tool.own().name()) : List.of(),
                false,
                null,
                null);
        boolean reads = tool.effect() == Effect.READS;
        return SyncToolSpecification.builder()
                .tool(io.modelcontextprotocol.spec.McpSchema.Tool.builder()
                        .name(tool.name())
                        .description(tool.about())
                        .inputSchema(schema)
                        .annotations(new ToolAnnotations(null, reads, tool.effect() == Effect.RUNS, reads, false, null))
                        .build())
                .callHandler((exchange, request) -> answer(
                        tool,
                        request.arguments() == null ? Map.of() : request.arguments(),
                        new Following(exchange, request.meta() == null ? Map.of() : request.meta())))
                .build();
    }

    private CommandSpec spec(Tool tool) {
        return Objects.requireNonNull(root.subcommands().get(tool.command()), tool.command())
                .getCommandSpec();
    }

    private CallToolResult answer(Tool tool, Map<String, Object> arguments, Following following) {
        try {
            Tool.Call call = tool.call(spec(tool), arguments);
            if (tool.effect() == Effect.READS) {
                return result(runs.run(call, following.id(), following));
            }
            if (!machine.tryLock()) {
                throw new BadCall("another call loads this machine now: call again when it has been answered");
            }
            try {
                return result(runs.run(call, following.id(), following));
            } finally {
                machine.unlock();
            }
        } catch (BadCall | IOException e) {
            return CallToolResult.builder()
                    .addTextContent(String.valueOf(e.getMessage()))
                    .isError(true)
                    .build();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return CallToolResult.builder()
                    .addTextContent("interrupted")
                    .isError(true)
                    .build();
        }
    }

    /** Tells the assistant how a call is getting on, if it has asked for that. */
    private static final class Following implements CommandRuns.Follower {
        private final McpSyncServerExchange exchange;
        private final Map<String, Object> meta;
        private int said;

        Following(McpSyncServerExchange exchange, Map<String, Object> meta) {
            this.exchange = exchange;
            this.meta = meta;
        }

        String id() {
            return String.valueOf(meta.getOrDefault(CallLines.ID, ""));
        }

        @Override
        public synchronized void goesOn(double seconds, String line) {
            Object token = meta.get(PROGRESS_TOKEN);
            if (token != null) {
                try {
                    // has to grow, whatever the time is
                    said++;
                    exchange.progressNotification(new ProgressNotification(
                            token,
                            (double) said,
                            null,
                            line.isEmpty() ? "for " + Format.time(1e9 * seconds) + " now" : line,
                            Map.of()));
                } catch (RuntimeException e) {
                    said = 0; // the assistant has gone, which ends the call as well
                }
            }
        }
    }

    /** With the exit code in words: what is void must not be taken for an answer. */
    private CallToolResult result(CommandRuns.Ended ended) {
        ObjectNode all = json.createObjectNode();
        all.put("exitCode", ended.code());
        all.put("meaning", meaning(ended.code()));
        Optional<JsonNode> found = read(ended.out());
        found.ifPresent(f -> all.set("result", f));
        boolean failed = found.isEmpty() || ended.code() == ExitCodes.FAILED || ended.code() == ExitCodes.USAGE;
        if (failed || ended.code() != ExitCodes.OK) {
            all.put("said", ended.err());
        }
        if (found.isEmpty() && !ended.out().isBlank()) {
            all.put("text", ended.out());
        }
        return CallToolResult.builder()
                .addTextContent(all.toString())
                .structuredContent(json.convertValue(all, Map.class))
                .isError(failed)
                .build();
    }

    private Optional<JsonNode> read(String text) {
        if (text.isBlank()) {
            return Optional.empty();
        }
        try {
            return Optional.of(json.readTree(text));
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }

    private static String meaning(int code) {
        return switch (code) {
            case ExitCodes.OK -> "done";
            case ExitCodes.USAGE -> "wrong arguments";
            case ExitCodes.NO_VALID_RESULT -> "no valid result: the figures are void, or a published result is refused";
            case ExitCodes.CONDITION_MET -> "a check failed: worse, too slow, or a condition is met";
            case ExitCodes.CANT_TELL -> "can't tell: neither a pass nor a failure";
            case ExitCodes.INTERRUPTED, EndWithCaller.TERMINATED -> "stopped before its end";
            default -> "failed";
        };
    }
}
