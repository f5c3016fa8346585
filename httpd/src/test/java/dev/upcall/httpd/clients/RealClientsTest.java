package dev.upcall.httpd.clients;

import dev.upcall.httpd.BufferLeakCheck;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * The programs that people use, as far as this machine has them, over TLS and with a login. The
 * JDK's client is always there; the output names those that are not.
 */
@ExtendWith(BufferLeakCheck.class)
class RealClientsTest {
  private static final List<NetworkClient> ALL =
      List.of(
          new JdkClient(),
          new CurlClient(),
          new OpensslClient(),
          new MavenClient(),
          new RcloneClient(),
          new ChromiumClient());

  @TempDir Path folder;

  @TestFactory
  Stream<DynamicTest> theyAreServed() {
    for (NetworkClient client : ALL) {
      if (!isHere(client)) {
        System.out.println("not on this machine, and not tried: " + client.program());
      }
    }
    return ALL.stream().filter(RealClientsTest::isHere).map(this::talking);
  }

  private static boolean isHere(NetworkClient client) {
    return client.program().isEmpty() || Tool.find(client.program()).isPresent();
  }

  private DynamicTest talking(NetworkClient client) {
    String name = client.getClass().getSimpleName();
    return DynamicTest.dynamicTest(
        name,
        () -> {
          try (ServedStore server = new ServedStore(Files.createDirectory(folder.resolve(name)))) {
            client.talk(server);
          }
        });
  }
}
