package dev.upcall.content;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Memory that is lent is either filled, or taken back while nobody fills it. */
@Tag("races")
class LoanTest {
  private static final int ROUNDS = 20_000;
  private static final byte[] BYTES = {1, 2, 3};

  private static ByteBuffer lend(Loan loan) {
    ByteBuffer memory = ByteBuffer.allocate(BYTES.length);
    loan.add(ByteBuffer.wrap(BYTES), memory.duplicate());
    return memory;
  }

  @Test
  void fill_whatWasLent_isCopiedOnce() {
    Loan loan = new Loan();
    assertTrue(loan.fill(), "nothing is lent");
    ByteBuffer first = lend(loan);
    assertTrue(loan.isOpen());
    assertTrue(loan.fill());
    assertFalse(loan.isOpen());
    ByteBuffer second = lend(loan);
    assertTrue(loan.fill());
    assertArrayEquals(BYTES, first.array());
    assertArrayEquals(BYTES, second.array());
    assertTrue(loan.takeBack(() -> {}), "nobody fills it");
  }

  @Test
  void fill_behindTakingBack_copiesNothing() {
    Loan loan = new Loan();
    ByteBuffer memory = lend(loan);
    assertTrue(loan.takeBack(() -> {}));
    assertFalse(loan.fill());
    assertArrayEquals(new byte[BYTES.length], memory.array());
  }

  @Test
  void takeBack_whileSomebodyFills_waitsForTheEndOfThat() {
    Loan loan = new Loan();
    lend(loan);
    AtomicInteger released = new AtomicInteger();
    assertTrue(loan.begin());
    assertFalse(loan.takeBack(released::incrementAndGet));
    loan.copy();
    assertEquals(0, released.get());
    assertFalse(loan.end());
    assertEquals(1, released.get());
  }

  @Test
  void aRaceOfBoth_memoryIsReleasedOnceAndNobodyWritesIntoItThen() throws Exception {
    try (ExecutorService other = Executors.newSingleThreadExecutor()) {
      for (int round = 0; round < ROUNDS; round++) {
        Loan loan = new Loan();
        ByteBuffer memory = lend(loan);
        AtomicInteger released = new AtomicInteger();
        Runnable release =
            () -> {
              released.incrementAndGet();
              memory.put(0, (byte) 9); // as whoever has it next
            };
        Future<Boolean> filled = other.submit(loan::fill);
        boolean isFree = loan.takeBack(release);
        if (isFree) {
          release.run();
        }
        filled.get();
        assertEquals(1, released.get());
        assertEquals(9, memory.get(0));
      }
    }
  }
}
