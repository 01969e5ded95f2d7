// A visit by the Java SDK: Visit URL; prints what worked as JSON.

import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.ClientCapabilities;
import io.modelcontextprotocol.spec.McpSchema.ElicitFormRequest;
import io.modelcontextprotocol.spec.McpSchema.ElicitResult;
import io.modelcontextprotocol.spec.McpSchema.GetPromptRequest;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceRequest;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import tools.jackson.databind.json.JsonMapper;

public final class Visit {
  private final Map<String, Boolean> worked = new LinkedHashMap<>();
  private final Map<String, String> faults = new LinkedHashMap<>();
  private String revision = "";

  private void attempt(String name, String holds, Callable<Object> act) {
    String answer;
    boolean has = false;
    try {
      answer = String.valueOf(act.call());
      has = answer.contains(holds);
    } catch (Exception fault) {
      answer = fault.toString();
    }
    worked.put(name, has);
    if (!has) {
      faults.put(name, answer);
    }
  }

  private static ElicitResult fill(ElicitFormRequest request) {
    Map<String, Object> content = new HashMap<>();
    ((Map<?, ?>) request.requestedSchema().get("properties")).keySet().forEach(key -> content.put((String) key, "x"));
    return new ElicitResult(ElicitResult.Action.ACCEPT, content);
  }

  private void make(String url) {
    String host = url.substring(0, url.lastIndexOf("/mcp"));
    var transport =
        HttpClientStreamableHttpTransport.builder(host)
            .endpoint("/mcp")
            // Left to itself it sends its newest revision in the header whatever was settled on.
            .supportedProtocolVersions(List.of(System.getenv("VISIT_REVISION")))
            .build();
    try (var client =
        McpClient.sync(transport)
            .requestTimeout(Duration.ofSeconds(30))
            .capabilities(new ClientCapabilities.Builder().elicitation().build())
            .elicitation(Visit::fill)
            .build()) {
      revision = client.initialize().protocolVersion();
      attempt("list", "echo", client::listTools);
      attempt("call", "hello", () -> client.callTool(new CallToolRequest("echo", Map.of("message", "hello"))));
      attempt("prompt", "simple", () -> client.getPrompt(new GetPromptRequest("test_simple_prompt", Map.of())));
      attempt("resource", "resource", () -> client.readResource(new ReadResourceRequest("test://static-text")));
      attempt(
          "elicitation",
          "accept",
          () -> client.callTool(new CallToolRequest("test_elicitation", Map.of("message", "?"))));
    } catch (RuntimeException fault) {
      Throwable cause = fault;
      while (cause.getCause() != null) {
        cause = cause.getCause();
      }
      faults.put("connect", fault + "; " + cause);
    }
  }

  public static void main(String[] arguments) {
    Visit visit = new Visit();
    visit.make(arguments[0]);
    Map<String, Object> told = Map.of("revision", visit.revision, "worked", visit.worked, "faults", visit.faults);
    System.out.println(JsonMapper.shared().writeValueAsString(told));
    System.exit(0);
  }
}
