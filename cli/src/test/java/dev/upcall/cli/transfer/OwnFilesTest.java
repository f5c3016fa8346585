package dev.upcall.cli.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.cli.Main;
import dev.upcall.cli.TestShell;
import dev.upcall.cli.host.StoreFiles;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.remote.CommandSocket;
import dev.upcall.cli.remote.HostFolder;
import dev.upcall.cli.remote.OwnerConnection;
import dev.upcall.cli.remote.RemoteCall;
import dev.upcall.cli.shell.Shell;
import dev.upcall.cli.store.StoreSharing;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which files of the host a command touches: those that its user sees, and none of the store's. */
class OwnFilesTest {
  private static final UpcallConfig SMALL =
      UpcallConfig.DEFAULT.withMemoryBytes(24L << 20).withCapBytes(256L << 20);

  @TempDir Path here;
  private TestShell shell;

  @BeforeEach
  void makeStore() throws IOException {
    shell = new TestShell(here);
    try (Upcall store = Upcall.create(volume(), SMALL)) {
      store.writeString("/a", "content of a");
    }
    Files.createLink(here.resolve("hard"), volume());
    Files.createSymbolicLink(here.resolve("soft"), Path.of("v.upcall"));
  }

  private Path volume() {
    return here.resolve("v.upcall");
  }

  private interface Use {
    void of(Upcall store) throws IOException;
  }

  private void serving(StoreFiles files, Use use) throws IOException {
    try (Upcall store = Upcall.open(volume(), SMALL)) {
      Shell owner = new TestShell(here).shell().withArguments(List.of("serve"));
      try (StoreSharing.Sharing _ =
          StoreSharing.share(store, files, owner, Main::run, Duration.ofSeconds(1))) {
        use.of(store);
      }
    }
  }

  private void assertRefused(String... command) {
    assertEquals(ExitCode.FAILED, shell.run(command), shell::err);
    assertTrue(shell.err().contains("a file of the store itself"), shell::err);
  }

  private void checkSources() {
    for (String name : List.of("v.upcall", "hard", "soft")) {
      assertRefused("put", name, "/x", "--store=v.upcall");
      assertRefused("splice", "/a", name, "--offset=0", "--store=v.upcall");
    }
  }

  @Test
  void put_theVolumeItself_isRefused() {
    checkSources();
    assertEquals(ExitCode.OK, shell.run("ls", "--store=v.upcall"), shell::err);
    assertEquals("a\n", shell.out());
  }

  @Test
  void put_filesOfAServer_areRefused() throws IOException {
    Path queue = Files.createDirectories(here.resolve("queue/requests"));
    Files.writeString(queue.resolve("one"), "request");
    Path trace = Files.writeString(here.resolve("trace"), "blocks");
    StoreFiles files = StoreFiles.of(volume()).with(here.resolve("queue")).with(trace).with(null);
    serving(
        files,
        store -> {
          checkSources();
          assertRefused("put", "queue/requests/one", "/x", "--store=v.upcall");
          assertRefused("put", "trace", "/x", "--store=v.upcall");
          store.createDirectory("/requests");
          store.writeString("/requests/one", "evil");
          store.writeString("/trace", "evil");
          int code = shell.run("export", "/", ".", "--overwrite", "--store=v.upcall");
          assertEquals(ExitCode.PARTLY, code, shell::err);
          assertEquals("blocks", Files.readString(trace));
          code = shell.run("export", "/", "queue", "--overwrite", "--store=v.upcall");
          assertEquals(ExitCode.FAILED, code, shell::err);
          assertEquals("request", Files.readString(queue.resolve("one")));
          code = shell.run("import", ".", "--into=/all", "--store=v.upcall");
          assertEquals(ExitCode.OK, code, shell::err);
          assertTrue(
              shell.err().contains("belongs to the store itself: " + here + "/./queue\n")
                  || shell.err().contains("belongs to the store itself: " + here + "/queue\n"),
              shell::err);
          assertFalse(store.exists("/all/queue"));
          assertFalse(store.exists("/all/hard"));
        });
  }

  @Test
  void serve_emptyDirectory_removesNothingUnlessTold() throws IOException {
    Path tree = Files.createDirectory(here.resolve("tree"));
    Files.writeString(tree.resolve("f"), "content");
    assertEquals(ExitCode.OK, shell.run("import", "tree", "--store=v.upcall"), shell::err);
    Files.delete(tree.resolve("f"));
    Files.createLink(tree.resolve("v"), volume());
    for (String command : List.of("serve tree --port=0", "import tree --remove-gone")) {
      int code = shell.run((command + " --store=v.upcall").split(" "));
      assertEquals(ExitCode.FAILED, code, shell::err);
      assertTrue(shell.err().contains("is empty"), shell::err);
      assertTrue(shell.err().contains("--allow-empty"), shell::err);
    }
    assertEquals(ExitCode.OK, shell.run("stat", "/f", "--store=v.upcall"), shell::err);
    int code = shell.run("import", "tree", "--remove-gone", "--allow-empty", "--store=v.upcall");
    assertEquals(ExitCode.OK, code, shell::err);
    assertEquals(ExitCode.FAILED, shell.run("stat", "/f", "--store=v.upcall"));
  }

  /** What the owner of a store does for a client that sees another host. */
  private String asked(RemoteCall.Named named, String input, String... command) throws IOException {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    try (OwnerConnection owner = OwnerConnection.open(volume());
        PrintStream said = new PrintStream(err, true, StandardCharsets.UTF_8)) {
      RemoteCall call =
          new RemoteCall(
              List.of(command),
              here.toString(),
              volume().toString(),
              CommandSocket.key(volume()),
              false,
              named);
      ByteArrayInputStream in = new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8));
      OptionalInt code = owner.run(call, new OwnerConnection.Streams(in, said, said, _ -> {}));
      return code.getAsInt() + " " + err.toString(StandardCharsets.UTF_8);
    }
  }

  @Test
  void owner_fileThatAClientNames_isTheClients() throws IOException {
    Files.writeString(here.resolve("f"), "the owner's");
    serving(
        StoreFiles.of(volume()),
        store -> {
          assertEquals(
              "0 upcall: /f: 12 bytes\n",
              asked(RemoteCall.Named.NONE, "the client's", "put", "f", "/f"));
          assertEquals("the client's", store.readString("/f"));
          asked(RemoteCall.Named.NONE, "as well ", "splice", "/f", "f", "--offset=0");
          assertEquals("as well the client's", store.readString("/f"));
          asked(RemoteCall.Named.NONE, "sent", "put", "nowhere", "/g");
          assertEquals("sent", store.readString("/g"));
        });
  }

  @Test
  void owner_folderThatAClientSeesOtherwise_isRefused() throws IOException {
    Path tree = Files.createDirectory(here.resolve("tree"));
    Files.writeString(tree.resolve("f"), "the owner's");
    HostFolder seen = HostFolder.of(tree);
    List<HostFolder> others =
        List.of(
            HostFolder.NONE,
            new HostFolder(seen.path(), "(dev=1,ino=2) ", seen.mounts()),
            new HostFolder(seen.path(), seen.key(), "0:1 / sub"),
            HostFolder.of(here));
    serving(
        StoreFiles.of(volume()),
        store -> {
          for (HostFolder other : others) {
            RemoteCall.Named named = new RemoteCall.Named(-1, "", "", other);
            for (String command : List.of("import tree", "export / tree --overwrite")) {
              String said = asked(named, "", command.split(" "));
              assertTrue(said.startsWith("1 ") && said.contains("another directory"), said);
            }
          }
          assertFalse(store.exists("/f"));
          assertFalse(Files.exists(tree.resolve("a")));
          String said = asked(new RemoteCall.Named(-1, "", "", seen), "", "import", "tree");
          assertTrue(said.startsWith("0 "), said);
          assertEquals("the owner's", store.readString("/f"));
        });
  }
}
