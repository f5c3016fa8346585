package dev.upcall.httpd.clients;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A browser: the page about a directory, and a page whose script reads and writes here and at
 * another origin, and uploads a file as docs/http.md says.
 */
final class ChromiumClient implements NetworkClient {
  private static final int WAIT_SECONDS = 120;

  private static final String PAGE =
      """
      <!doctype html><title>test</title><script type="module">
      %s
      const login = {Authorization: 'Bearer %s'};
      const other = 'https://127.0.0.1:%d';
      const said = [];
      try {
        const json = {headers: {Accept: 'application/json'}};
        const page = await (await fetch('/open/', json)).json();
        said.push(page.entries.map(entry => entry.name).join());
        said.push((await fetch('/private/key.txt', {credentials: 'omit'})).status);
        const key = await fetch(other + '/private/key.txt', {headers: login});
        said.push(key.status + (await key.text()).trim());
        said.push((await fetch(other + '/private/key.txt')).status);
        const put = {method: 'PUT', headers: login, body: 'from afar'};
        said.push((await fetch(other + '/private/script', put)).status);
        const refused = {method: 'DELETE', headers: login};
        said.push(await fetch(other + '/private/script', refused).then(_ => 'deleted', _ => 'not asked'));
        const large = await (await fetch('/open/large.bin')).blob();
        said.push(await upload('/drop/film', large));
        const part = await fetch('/open/large.bin', {headers: {Range: 'bytes=5-9'}});
        said.push(part.status + ':' + (await part.arrayBuffer()).byteLength);
      } catch (broken) {
        said.push(broken);
      }
      await fetch('/private/result', {method: 'PUT', headers: login, body: said.join(' ')});
      </script>
      """;

  @Override
  public String program() {
    return "chromium";
  }

  @Override
  public void talk(ServedStore server) throws Exception {
    Tool chromium = new Tool(Tool.find(program()).orElseThrow(), server.folder());
    List<String> dump = command(server, "dumping");
    dump.addAll(List.of("--dump-dom", server.url("/open/")));
    String page = chromium.run(Map.of(), "", dump).ok();
    assertTrue(page.contains("large.bin") && page.contains("hello.txt"), page);

    String script = PAGE.formatted(documented(), ServedStore.SECRET, server.port());
    server.write("/open/page.html", script.getBytes(StandardCharsets.UTF_8));
    List<String> show = command(server, "showing");
    show.addAll(List.of("--remote-debugging-port=0", server.url("/open/page.html")));
    Process browser = chromium.start(Map.of(), show);
    try {
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
      while (!server.has("/private/result")) {
        assertTrue(browser.isAlive() && System.nanoTime() < end, "no result in time");
        browser.waitFor(20, TimeUnit.MILLISECONDS);
      }
    } finally {
      browser.descendants().forEach(ProcessHandle::destroyForcibly);
      browser.destroyForcibly().waitFor();
    }
    assertEquals(
        "hello.txt,large.bin,page.html 401 200key 401 201 not asked 201 206:5",
        new String(server.read("/private/result"), StandardCharsets.UTF_8));
    assertArrayEquals(ServedStore.LARGE, server.read("/drop/film"));
    assertEquals("from afar", new String(server.read("/private/script"), StandardCharsets.UTF_8));
  }

  private static List<String> command(ServedStore server, String profile) {
    return new ArrayList<>(
        List.of(
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--ignore-certificate-errors",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
            "--user-data-dir=" + server.folder().resolve(profile)));
  }

  /** The function in the documentation. */
  private static String documented() throws Exception {
    String text = Files.readString(Path.of("../docs/http.md"));
    int begin = text.indexOf("```js\n") + 6;
    return text.substring(begin, text.indexOf("```", begin));
  }
}
