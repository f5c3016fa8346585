package dev.upcall.codec.zstd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.io.Disk;
import dev.upcall.store.SpaceUse;
import dev.upcall.store.VerifyOptions;
import dev.upcall.store.VerifyReport;

/** The space of a sound store, as a walk counts it. */
final class CountedSpace {
  private CountedSpace() {}

  static SpaceUse of(Upcall store) {
    VerifyReport report =
        UpcallException.value(
            store
                .fsm()
                .await(
                    port ->
                        store
                            .fsm()
                            .fileManager()
                            .store()
                            .verify(new VerifyOptions(false), (_, _) -> true, port)));
    assertTrue(report.isSound(), report::toString);
    SpaceUse use = report.space();
    assertEquals(0, use.differenceBytes(), use::toString);
    assertEquals(
        (report.metadataBlocks() + report.contentBlocks() + report.unplacedBlocks())
            * Disk.BLOCK_BYTES,
        use.metadataBytes() + use.storedBytes() + use.leavingBytes(),
        use::toString);
    return use;
  }
}
