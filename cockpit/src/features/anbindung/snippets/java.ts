import { jsonLines, type Snippet } from '../snippet.ts';

const imports = `import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.UUID;

class Zaehlwerk {
  public static void main(String[] args) throws Exception {`;

const printAnswer = `    var answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    System.out.println(answer.statusCode() + " " + answer.body());
  }
}`;

export const snippet: Snippet = {
  place: 5,
  label: 'Java',
  send: ({ send, key }) => `${imports}
    var run = UUID.randomUUID();
    var body = """
        {"ereignisse": [{
          "ereignis_id": "%s", "lauf_id": "%s",
${jsonLines('          ')}
        }]}""".formatted(UUID.randomUUID(), run);
    var request = HttpRequest.newBuilder(URI.create("${send}"))
        .header("Authorization", "Bearer ${key}")
        .header("Content-Type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString(body))
        .build();
${printAnswer}`,
  query: ({ query, key }) => `${imports}
    var request = HttpRequest.newBuilder(URI.create("${query}"))
        .header("Authorization", "Bearer ${key}")
        .build();
${printAnswer}`,
};
