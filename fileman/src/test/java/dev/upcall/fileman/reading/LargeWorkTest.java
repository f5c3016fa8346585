package dev.upcall.fileman.reading;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.upcall.StorePath;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.sim.SimWorld;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Arrays and texts of whole files for which the heap has no room. */
class LargeWorkTest {
  private static final StorePath FILE = StorePath.of("/f");

  private final SimWorld world = SimWorld.ofBlocks(1, 64);
  private final LargeWork work = new LargeWork(world.dispatcher());

  @ParameterizedTest
  @ValueSource(ints = {1, LargeWork.MAX_AT_ONCE_BYTES, LargeWork.MAX_AT_ONCE_BYTES + 1})
  void run_noRoomInTheHeap_isBusyAndTheStoreGoesOn(int bytes) {
    Completion<byte[]> refused =
        world.await(
            port ->
                work.run(
                    FILE,
                    bytes,
                    () -> {
                      throw new OutOfMemoryError("made to fail");
                    },
                    port));
    Completion.Failed<?> failed = assertInstanceOf(Completion.Failed.class, refused);
    assertInstanceOf(Failure.Busy.class, failed.failure());
    byte[] made =
        world.get(port -> work.run(FILE, bytes, () -> Completion.done(new byte[bytes]), port));
    assertEquals(bytes, made.length);
  }
}
