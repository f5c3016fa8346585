package dev.upcall.httpd.blocking;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.upcall.FileCondition;
import dev.upcall.FileInfo;
import dev.upcall.Listing;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.fileman.blocking.TestedStore;
import dev.upcall.httpd.LinkTarget;
import dev.upcall.httpd.ResumableUploads;
import dev.upcall.httpd.SitePage;
import dev.upcall.request.FileRequest;
import dev.upcall.store.Durability;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store in which another server has left an upload that is not finished. */
class UpcallSiteTest {
  private static final String UPLOAD = ResumableUploads.PLACE + "/1";

  private Upcall store;
  private UpcallSite site;

  @BeforeEach
  void open(@TempDir Path folder) {
    store = Upcall.create(folder.resolve("volume"), TestedStore.THREADS.config());
    site = new UpcallSite(store);
    store.createDirectory(ResumableUploads.PLACE);
    store.createDirectory("/d");
    store.write(UPLOAD, new byte[3]);
    store.write("/!", new byte[2]);
    store.write("/e", new byte[2]);
    store.symbolicLink("/d/root", "/");
    store.symbolicLink("/d/place", ResumableUploads.PLACE.toString());
    store.symbolicLink("/d/upload", UPLOAD);
    store.symbolicLink("/d/file", "/e");
  }

  @AfterEach
  void close() {
    store.close();
  }

  private static <T> T done(Completion<T> completion) {
    return switch (completion) {
      case Completion.Done<T>(T value) -> value;
      case Completion.Failed<T>(Failure why) -> throw new AssertionError(why.message());
    };
  }

  private static void missing(Completion<?> completion) {
    Completion.Failed<?> failed = assertInstanceOf(Completion.Failed.class, completion);
    assertInstanceOf(Failure.NotFound.class, failed.failure());
  }

  @Test
  void aPageOfTheRoot_howeverItIsReached_hasAsManyEntriesAsWereAsked_andNotThePlace() {
    for (String root : List.of("/", "/d/root", "/d/root/d/root")) {
      StorePath path = StorePath.of(root);
      for (int limit = 1; limit <= 4; limit++) {
        List<String> wanted = List.of("!", "d", "e").subList(0, Math.min(3, limit));
        SitePage page = done(site.list(path, "", limit));
        assertEquals(wanted, page.entries().stream().map(SitePage.Entry::name).toList());
        assertEquals(limit < 3, page.nextAfter().isPresent(), root + limit);
        Listing.Range range = new Listing.Range(Listing.Direction.ASCENDING, limit);
        assertEquals(new Listing.Names(wanted, limit < 3), done(site.names(path, range)));
      }
    }
  }

  @Test
  void aPageOfNothing_isRefused() {
    for (Completion<?> page :
        List.of(
            site.list(StorePath.ROOT, "", 0),
            site.names(StorePath.ROOT, new Listing.Range(Listing.Direction.ASCENDING, 0)))) {
      Completion.Failed<?> failed = assertInstanceOf(Completion.Failed.class, page);
      assertInstanceOf(Failure.Invalid.class, failed.failure());
    }
  }

  @Test
  void noLink_leadsToIt() {
    for (String way : List.of("/d/place/1", "/d/upload", "/d/root/.upcall-uploads/1")) {
      StorePath path = StorePath.of(way);
      missing(site.open(path));
      missing(site.put(path, PutOptions.DEFAULT));
    }
    for (String way : List.of("/d/place/1", "/d/root/.upcall-uploads/1")) {
      StorePath path = StorePath.of(way);
      missing(site.look(path));
      missing(site.edit(List.of(new FileRequest.Splice(path, 0, 1, new byte[1]))));
      missing(site.delete(path, FileCondition.NONE));
    }
    missing(site.list(StorePath.of("/d/place"), "", 10));
    LinkTarget hidden = new LinkTarget(ResumableUploads.PLACE.toString(), Optional.empty());
    assertEquals(hidden, done(site.follow(StorePath.of("/d/place"))));
    assertEquals(3, store.stat(UPLOAD).sizeBytes());
  }

  @Test
  void otherLinks_lead() {
    StorePath link = StorePath.of("/d/root/d/file");
    try (BlockingSite.OpenedFile opened = done(site.open(link))) {
      assertEquals(2, opened.info().sizeBytes());
    }
    assertEquals(2L, done(site.follow(link)).found().map(FileInfo::sizeBytes).orElseThrow());
    StorePath file = StorePath.of("/d/root/e");
    FileInfo edited = done(site.edit(List.of(new FileRequest.Splice(file, 0, 1, new byte[4]))));
    assertEquals(5, edited.sizeBytes());
    done(site.delete(link, FileCondition.NONE));
    assertEquals(5, store.stat("/e").sizeBytes());
  }

  private void lead(String link, String target) {
    store.batch(
        List.of(new FileRequest.Delete(link), new FileRequest.SymbolicLink(link, target)),
        Durability.ASYNC);
  }

  @Test
  void aLinkThatChanges_whileAFileIsPut_leadsNotToIt() {
    store.createDirectory("/safe");
    store.symbolicLink("/d/way", "/safe");
    try (BlockingSite.NewFile put = done(site.put(StorePath.of("/d/way/1"), PutOptions.DEFAULT))) {
      lead("/d/way", ResumableUploads.PLACE.toString());
      done(put.append(ByteBuffer.wrap(new byte[5])));
      done(put.commit());
    }
    assertEquals(3, store.stat(UPLOAD).sizeBytes());
    assertEquals(5, store.stat("/safe/1").sizeBytes());
  }

  @Test
  void linksThatChangeAllTheTime_leadNotToIt() throws InterruptedException {
    store.symbolicLink("/d/way", "/");
    store.symbolicLink("/x", "/e");
    AtomicBoolean over = new AtomicBoolean();
    Thread other =
        Thread.ofPlatform()
            .start(
                () -> {
                  while (!over.get()) {
                    lead("/x", UPLOAD);
                    lead("/x", "/e");
                  }
                });
    try {
      for (int i = 0; i < 5000; i++) {
        if (site.open(StorePath.of("/x"))
            instanceof Completion.Done<BlockingSite.OpenedFile>(BlockingSite.OpenedFile opened)) {
          opened.close();
          assertEquals(2, opened.info().sizeBytes());
        }
      }
    } finally {
      over.set(true);
      other.join();
    }
  }

  @Test
  void failures_areToldOfThePathThatWasAsked() {
    store.symbolicLink("/loop", "/loop");
    StorePath none = StorePath.of("/d/root/d/none");
    Failure missing = new Failure.NotFound(none.toString());
    assertEquals(Completion.failed(missing), site.open(none));
    assertEquals(Completion.failed(missing), site.look(none));
    assertEquals(Completion.failed(missing), site.list(none, "", 1));
    assertEquals(Completion.failed(missing), site.delete(none, FileCondition.PRESENT));
    StorePath directory = StorePath.of("/d/root/d");
    Failure isOne = new Failure.IsADirectory(directory.toString());
    assertEquals(Completion.failed(isOne), site.put(directory, PutOptions.DEFAULT));
    Failure round = new Failure.LinkLoop("/loop");
    assertEquals(Completion.failed(round), site.put(StorePath.of("/loop"), PutOptions.DEFAULT));
    assertEquals(Completion.failed(round), site.open(StorePath.of("/loop")));
  }
}
