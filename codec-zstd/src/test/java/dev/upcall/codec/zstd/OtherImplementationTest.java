package dev.upcall.codec.zstd;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.coding.Codecs;
import dev.upcall.completion.Completion;
import dev.upcall.config.Compression;
import dev.upcall.segment.PinnedContent;
import dev.upcall.sim.SimWorld;
import dev.upcall.store.StoreFixture;
import dev.upcall.store.VerifyOptions;
import dev.upcall.store.VerifyReport;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Coded blocks of a volume are zstd, as others understand it. */
class OtherImplementationTest {
  private static final int FILES = 4;
  private static final int BYTES = 500_000;

  private static StoreFixture opened(SimWorld world, Codecs codecs) {
    return Objects.requireNonNull(
        StoreFixture.tryOpen(world, StoreFixture.tinyOptions(3).withCodecs(codecs)));
  }

  private static byte[] content(int file) {
    return SampleText.bytes(file, BYTES + file);
  }

  private static void handedOver(Codecs writer, Codecs reader) {
    SimWorld world = SimWorld.ofBlocks(3, 4096);
    StoreFixture.format(world);
    StoreFixture written = opened(world, writer);
    for (int file = 1; file <= FILES; file++) {
      Compression degree = file % 2 == 0 ? Compression.FAST : Compression.BALANCED;
      assertInstanceOf(Completion.Done.class, written.put(file, content(file), degree));
      assertTrue(storedBlocks(written, file) < BYTES / 4096 * 2 / 3);
    }
    StoreFixture read = opened(world.crashAndReopen(), reader);
    for (int file = 1; file <= FILES; file++) {
      assertArrayEquals(content(file), read.read(file));
    }
    VerifyReport report =
        read.world()
            .get(port -> read.store().verify(new VerifyOptions(true), (at, of) -> true, port));
    assertEquals(0, report.problemCount(), report::toString);
    assertInstanceOf(Completion.Done.class, read.close());
  }

  private static long storedBlocks(StoreFixture store, long id) {
    Completion<PinnedContent> pinned = Objects.requireNonNull(store.pin(id));
    try (PinnedContent content = ((Completion.Done<PinnedContent>) pinned).value()) {
      return content.inode().layout().space().placedBlocks();
    }
  }

  @Test
  void anotherOneReadsWhatThisOneHasWritten() {
    handedOver(Codecs.found(), OtherZstd.CODECS);
  }

  /** Where the command is not installed the output says so, and the other one reads. */
  @Test
  void theCommandReadsWhatThisOneHasWritten() {
    Optional<Codecs> command = ZstdCommand.find();
    if (command.isEmpty()) {
      System.out.println("not on this machine, and not tried: zstd");
    }
    handedOver(Codecs.found(), command.orElse(OtherZstd.CODECS));
  }

  @Test
  void thisOneReadsWhatAnotherOneHasWritten() {
    handedOver(OtherZstd.CODECS, Codecs.found());
  }
}
