package dev.upcall.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.FileInfo;
import dev.upcall.FileManager;
import dev.upcall.FileManagerConfig;
import dev.upcall.LinkPolicy;
import dev.upcall.OpenFile;
import dev.upcall.StorePath;
import dev.upcall.completion.Unit;
import dev.upcall.content.LeaseOwner;
import dev.upcall.sim.SimWorld;
import dev.upcall.store.StoreFixture;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where paths lead, place by place. */
class ResolveTest {
  private SimWorld machine;
  private StoreFixture store;
  private FileManager files;

  @BeforeEach
  void open() {
    machine = SimWorld.ofBlocks(3, StoreFixture.tinyLayout().maxBlocks());
    StoreFixture.format(machine);
    store = StoreFixture.open(machine);
    files = machine.get(port -> FileManager.open(store.store(), FileManagerConfig.DEFAULT, port));
    write("/a/b/file");
    write("/secret/inner/x");
    link("/a/there", "/secret/inner");
    link("/a/up", "../secret");
    link("/a/chain", "there/x");
    link("/a/dots", "b/../../secret/./inner//x");
    link("/a/loop", "loop2");
    link("/a/loop2", "loop");
    link("/a/lost", "/secret/none/deep");
    link("/a/astray", "/secret/none/../inner");
    link("/a/filed", "b/file");
  }

  @AfterEach
  void close() {
    machine.<Unit>get(files::close);
    store.end();
  }

  private void write(String path) {
    StorePath folder = StorePath.of(path).parent();
    machine.<FileInfo>get(port -> files.createDirectories(folder, port));
    machine.<FileInfo>get(port -> files.writeString(path, path, port));
  }

  private void link(String path, String target) {
    machine.<FileInfo>get(port -> files.symbolicLink(StorePath.of(path), target, port));
  }

  private Resolved resolve(String path, LinkPolicy links) {
    return machine.get(port -> files.resolve(path, links, port));
  }

  private static String text(List<StorePath> places) {
    return String.join(" ", places.stream().map(StorePath::toString).toList());
  }

  @ParameterizedTest
  @CsvSource({
    "/a/b/file,        FOLLOW,    '',                                      file",
    "/a/b,             FOLLOW,    '',                                      directory",
    "/,                FOLLOW,    '',                                      directory",
    "/a/none,          FOLLOW,    '',                                      ''",
    "/a/there,         FOLLOW,    /secret/inner,                           directory",
    "/a/there,         NO_FOLLOW, '',                                      link",
    "/a/there/x,       NO_FOLLOW, /secret/inner/x,                         file",
    "/a/there/none/y,  FOLLOW,    /secret/inner/none/y,                    ''",
    "/a/up/inner/x,    FOLLOW,    /secret/inner/x,                         file",
    "/a/chain,         FOLLOW,    /a/there /secret/inner/x,                file",
    "/a/dots,          FOLLOW,    /secret/inner/x,                         file",
    "/a/lost/more,     FOLLOW,    /secret/none/deep/more,                  ''",
    "/a/astray,        FOLLOW,    /secret/none,                            ''",
    "/a/astray/x,      FOLLOW,    /secret/none,                            ''",
    "/a/filed,         FOLLOW,    /a/b/file,                               file",
    "/a/filed/below,   FOLLOW,    /a/b/file,                               ''",
    "/a/there/x/y,     FOLLOW,    /secret/inner/x,                         ''",
  })
  void eachPlaceToWhichLinksLead(String path, LinkPolicy links, String led, String kind) {
    Resolved found = resolve(path, links);
    assertEquals(led, text(found.led()));
    assertEquals(kind, found.info().map(FileInfo::kindName).orElse(""));
  }

  @Test
  void aLoopNamesTheLinksInIt() {
    Resolved loop = resolve("/a/loop", LinkPolicy.FOLLOW);
    assertTrue(loop.info().isEmpty());
    assertEquals(
        List.of("/a/loop2", "/a/loop"),
        loop.led().stream().map(StorePath::toString).limit(2).toList());
  }

  @Test
  void anOpenedFileSaysTheSame() {
    OpenFile file =
        machine.get(port -> files.openRead("/a/chain", new LeaseOwner("test", 1), port));
    assertEquals("/a/there /secret/inner/x", text(file.led()));
    file.close();
    OpenFile plain =
        machine.get(port -> files.openRead("/a/b/file", new LeaseOwner("test", 1), port));
    assertEquals(List.of(), plain.led());
    plain.close();
    OpenFile folder =
        machine.get(port -> files.openRead("/a/there", new LeaseOwner("test", 1), port));
    assertEquals("/secret/inner", text(folder.led()));
  }

  /** The fixed path names what was found, also when the way there changes. */
  @Test
  void aFixedPathIsNotLedElsewhere() {
    Resolved found = resolve("/a/b/file", LinkPolicy.FOLLOW);
    machine.<FileInfo>get(port -> files.rename("/a/b", "/a/moved", port));
    link("/a/b", "/secret/inner");
    write("/secret/inner/file");
    assertEquals(
        found.info().orElseThrow().id(),
        machine.<FileInfo>get(port -> files.stat(found.fixed(), LinkPolicy.FOLLOW, port)).id());
    Resolved root = resolve("/", LinkPolicy.FOLLOW);
    assertTrue(root.fixed().isRoot());
    Resolved missing = resolve("/a/moved/n1/n2", LinkPolicy.FOLLOW);
    assertEquals(List.of("n1", "n2"), missing.fixed().names());
  }
}
