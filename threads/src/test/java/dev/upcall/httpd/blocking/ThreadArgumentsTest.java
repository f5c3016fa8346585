package dev.upcall.httpd.blocking;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Engine;
import dev.upcall.Listing;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.fileman.blocking.TestedStore;
import dev.upcall.house.FaceArguments;
import dev.upcall.house.StoreCallers;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.HttpPolicy;
import dev.upcall.httpd.ResumableUploads;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Exported methods of this module name a wrong argument, at once. */
class ThreadArgumentsTest {
  private static final UpcallConfig CONFIG = TestedStore.THREADS.config();
  private static final InetSocketAddress ANYWHERE =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  @TempDir Path folder;

  @Test
  void eachArgumentIsNamed() {
    try (Upcall store = Upcall.create(folder.resolve("volume.upcall"), CONFIG)) {
      store.write("/text", new byte[10_000]);
      BlockingSite waiting = BlockingSite.of(store);
      BlockingSite.Changes changes = (BlockingSite.Changes) waiting;
      FaceArguments.Caller here = new StoreCallers.Waiting(store);
      FaceArguments face =
          new FaceArguments(BlockingServer.class)
              .sample(StorePath.class, () -> StorePath.of("/"))
              .sample(Listing.Range.class, () -> new Listing.Range(Listing.Direction.ASCENDING, 1))
              .sample(Upcall.class, () -> store)
              .sample(InetSocketAddress.class, () -> ANYWHERE)
              .sample(Engine.class, () -> Engine.THREADS)
              .sample(HttpConfig.class, HttpConfig::defaults);
      try (BlockingSite.OpenedFile opened =
              UpcallException.value(waiting.open(StorePath.of("/text")));
          BlockingSite.NewFile put =
              UpcallException.value(changes.put(StorePath.of("/put"), PutOptions.DEFAULT))) {
        face.subject(BlockingSite.class, waiting, here)
            .subject(BlockingSite.Changes.class, changes, here)
            .subject(BlockingSite.OpenedFile.class, opened, here)
            .subject(BlockingSite.NewFile.class, put, here);
        assertEquals("", String.join("\n", face.complaints()));
      }
      assertTrue(face.calls() > 20, () -> "only " + face.calls());
    }
  }

  @Test
  void aSiteThatCannotBeChangedIsNotServedToBeWritten() {
    BlockingSite pages = BlockingSite.ofPages(_ -> Completion.failed(new Failure.Closed("it")));
    HttpConfig writable = HttpConfig.defaults().withWritable(true);
    UpcallException refused =
        assertThrows(
            UpcallException.class,
            () -> BlockingServer.start(pages, writable, Engine.THREADS, ANYWHERE));
    assertEquals(
        new Failure.Invalid("this site cannot be changed, and requests.writable asks for it"),
        refused.failure());
  }

  @Test
  void resumableUploadsAreNotOffered() {
    BlockingSite pages = BlockingSite.ofPages(_ -> Completion.failed(new Failure.Closed("it")));
    HttpPolicy policy = HttpPolicy.OPEN.withResumable(ResumableUploads.of(new SplittableRandom(1)));
    UpcallException refused =
        assertThrows(
            UpcallException.class,
            () ->
                BlockingServer.start(
                    pages, HttpConfig.defaults().withPolicy(policy), Engine.THREADS, ANYWHERE));
    assertEquals(
        new Failure.Invalid(
            "a server with a thread for each connection takes no resumable uploads"),
        refused.failure());
  }
}
