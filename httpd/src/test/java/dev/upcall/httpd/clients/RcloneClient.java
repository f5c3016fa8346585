package dev.upcall.httpd.clients;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** rclone, which copies a tree by the pages about its directories. */
final class RcloneClient implements NetworkClient {
  private static final List<String> NAMES =
      List.of("a b", "c&d", "e+f", "g%20h", "ü", "i;j", "#k", "sub/l?m", "sub/deep/n");

  @Override
  public String program() {
    return "rclone";
  }

  @Override
  public void talk(ServedStore server) throws Exception {
    for (String name : NAMES) {
      server.write("/private/tree/" + name, name.getBytes(StandardCharsets.UTF_8));
    }
    Path copy = server.folder().resolve("copy");
    Tool rclone = new Tool(Tool.find(program()).orElseThrow(), server.folder());
    List<String> command = new ArrayList<>(List.of("copy", ":http:private/tree", copy.toString()));
    command.addAll(List.of("--http-url", server.url("/"), "--config", "/dev/null"));
    command.addAll(List.of("--ca-cert", server.certificates().authority().toString()));
    command.addAll(List.of("--retries=1", "--low-level-retries=1", "--http-headers"));
    command.add("Authorization,Bearer " + ServedStore.SECRET);
    rclone.run(Map.of(), "", command).ok();
    for (String name : NAMES) {
      assertArrayEquals(
          name.getBytes(StandardCharsets.UTF_8), Files.readAllBytes(copy.resolve(name)), name);
    }
    try (var all = Files.walk(copy)) {
      assertEquals(NAMES.size(), all.filter(Files::isRegularFile).count());
    }
  }
}
