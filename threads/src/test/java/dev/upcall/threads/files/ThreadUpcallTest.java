package dev.upcall.threads.files;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Existence;
import dev.upcall.FileManager;
import dev.upcall.FileTransaction;
import dev.upcall.OpenMode;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.config.LockConfig;
import dev.upcall.fileman.blocking.TestedStore;
import dev.upcall.fileman.blocking.UpcallBehaviour;
import dev.upcall.store.TransactionConfig;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The facade over threads that do their own work. */
class ThreadUpcallTest extends UpcallBehaviour {
  @Override
  protected UpcallConfig config() {
    return TestedStore.THREADS.config();
  }

  /** Reading through a handle is done by the thread that asks, and sees what is committed. */
  @Test
  void aHandleReadsWhatIsCommitted() {
    try (Upcall store = Upcall.create(volume(), config())) {
      store.write("/f", bytes(1, 100_000));
      Upcall.RandomAccess handle = store.open("/f", OpenMode.EXISTING);
      assertArrayEquals(bytes(1, 100_000), read(handle, 0, 100_000));
      handle.write(50_000, ByteBuffer.wrap(bytes(2, 70_000)));
      assertEquals(120_000, handle.sizeBytes());
      assertArrayEquals(bytes(1, 100_000), read(handle, 0, 200_000), "what is collected is unseen");
      handle.flush();
      assertArrayEquals(bytes(2, 70_000), read(handle, 50_000, 200_000));
      store.write("/g", bytes(3, 10));
      store.rename("/g", "/f", Existence.ANY);
      failure(Failure.NotFound.class, () -> read(handle, 0, 1));
      handle.abandon();
      failure(Failure.Closed.class, () -> read(handle, 0, 1));
      Upcall.RandomAccess other = store.open("/f", OpenMode.EXISTING);
      assertArrayEquals(bytes(3, 10), read(other, 0, 11));
      assertEquals(0, other.read(5, ByteBuffer.allocate(0)));
      assertEquals(-1, other.read(10, ByteBuffer.allocate(1)));
      store.checkpoint();
      assertArrayEquals(Arrays.copyOfRange(bytes(3, 10), 4, 10), read(other, 4, 100));
      other.close();
      failure(Failure.Closed.class, () -> read(other, 0, 1));
    }
  }

  /** Only the machines have transactions; a thread waits for what one of them has locked. */
  @Test
  @Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aThreadWaitsForWhatATransactionOfTheMachinesHasLocked() throws InterruptedException {
    TransactionConfig patient =
        TransactionConfig.DEFAULT
            .withLocks(LockConfig.DEFAULT.withTimeout(Duration.ofHours(1)))
            .withIdle(Duration.ofHours(1));
    try (ThreadUpcall store =
        (ThreadUpcall) Upcall.create(volume(), config().withTransactions(patient))) {
      store.write("/f", bytes(1, 10));
      FileTransaction transaction = done(store.amongMachines(FileManager::begin));
      done(
          store.<Unit>amongMachines((files, port) -> transaction.delete(StorePath.of("/f"), port)));
      Thread writer = Thread.ofPlatform().start(() -> store.write("/f", bytes(2, 20)));
      while (done(store.amongMachines(ThreadUpcallTest::waitingForLocks)) == 0) {
        Thread.onSpinWait();
      }
      assertArrayEquals(bytes(1, 10), store.readAllBytes("/f"));
      done(
          store.<Unit>amongMachines(
              (files, port) -> {
                transaction.rollback();
                port.complete(Completion.done());
              }));
      writer.join();
      assertArrayEquals(bytes(2, 20), store.readAllBytes("/f"));
    }
  }

  @Test
  void whoWaitsForALockIsToldThePath() {
    try (ThreadUpcall store = (ThreadUpcall) Upcall.create(volume(), config())) {
      store.write("/f", new byte[3]);
      FileTransaction transaction = done(store.amongMachines(FileManager::begin));
      done(store.<Unit>amongMachines((_, port) -> transaction.delete(StorePath.of("/f"), port)));
      UpcallException waited =
          assertThrows(UpcallException.class, () -> store.write("/f", new byte[5]));
      assertInstanceOf(Failure.LockTimeout.class, waited.failure());
      assertEquals(
          "waited 5000 ms for a lock on /f, held by transaction 1; try again", waited.getMessage());
      done(
          store.<Unit>amongMachines(
              (_, port) -> {
                transaction.rollback();
                port.complete(Completion.done());
              }));
    }
  }

  private static void waitingForLocks(FileManager files, CompletionPort<Integer> port) {
    port.complete(Completion.done(files.store().metrics().transactions().locks().waiting()));
  }

  private static <T> T done(Completion<T> completion) {
    return ((Completion.Done<T>) completion).value();
  }

  private static byte[] read(Upcall.RandomAccess handle, long offset, int most) {
    ByteBuffer into = ByteBuffer.allocate(most);
    for (int count = 0; count >= 0 && into.hasRemaining(); ) {
      count = handle.read(offset + into.position(), into);
    }
    return Arrays.copyOf(into.array(), into.position());
  }

  @Test
  void whatOnlyTheMachinesCanIsRefused() {
    try (Upcall store = Upcall.create(volume(), config())) {
      failure(Failure.Invalid.class, store::fsm);
      assertTrue(store.info().readOnlyReason().isEmpty());
    }
  }
}
