package dev.upcall.fileman.blocking;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.FsmUpcall;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import dev.upcall.UpcallTransaction;
import dev.upcall.completion.Failure;
import dev.upcall.config.LockConfig;
import dev.upcall.config.RetryConfig;
import dev.upcall.store.TransactionConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What others were quicker with is done again. */
class TransactTest {
  private static final RetryConfig QUICK = new RetryConfig(3, 60_000_000_000L, 1, 1);

  /** As the default, but never tired of it: how long a thread does not run is the machine's. */
  private static final RetryConfig PATIENT =
      RetryConfig.DEFAULT.withMaxAttempts(1_000_000).withMax(Duration.ofHours(1));

  private static final LockConfig LOCKS = LockConfig.DEFAULT.withTimeout(Duration.ofHours(1));

  @TempDir private Path folder;
  private int runs;

  private FsmUpcall create(RetryConfig retry) {
    UpcallConfig config =
        UpcallConfig.DEFAULT
            .withMemoryBytes(UpcallConfig.MIN_MEMORY_BYTES)
            .withCapBytes(UpcallConfig.MIN_CAP_BYTES)
            .withTransactions(TransactionConfig.DEFAULT.withLocks(LOCKS).withRetry(retry));
    return Upcall.create(folder.resolve("v.upcall"), config).fsm();
  }

  private static int number(byte[] content) {
    return Integer.parseInt(new String(content, UTF_8));
  }

  private static byte[] text(int number) {
    return Integer.toString(number).getBytes(UTF_8);
  }

  private static int addOne(UpcallTransaction transaction) {
    int next = number(transaction.readAllBytes("/sum")) + 1;
    transaction.write("/sum", text(next));
    return next;
  }

  @Test
  void allWhoCountInOneFileAreCounted() throws Exception {
    int threads = 40;
    int times = 5;
    try (FsmUpcall store = create(PATIENT);
        ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      store.write("/sum", text(0));
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        all.add(
            executor.submit(
                () -> {
                  for (int j = 0; j < times; j++) {
                    assertTrue(store.transact(TransactTest::addOne) > 0);
                  }
                }));
      }
      for (Future<?> one : all) {
        one.get(60, TimeUnit.SECONDS);
      }
      assertEquals(threads * times, number(store.readAllBytes("/sum")));
    }
  }

  /** Both change one file, and then want the other's. */
  @Test
  void deadlocksAreDoneAgain() throws Exception {
    CyclicBarrier bothHaveOne = new CyclicBarrier(2);
    try (FsmUpcall store = create(PATIENT);
        ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      store.write("/a", text(0));
      store.write("/b", text(0));
      List<Future<Integer>> both = new ArrayList<>();
      for (List<String> order : List.of(List.of("/a", "/b"), List.of("/b", "/a"))) {
        both.add(
            executor.submit(
                () -> {
                  int[] tried = new int[1];
                  return store.transact(
                      transaction -> {
                        boolean first = tried[0]++ == 0;
                        for (String path : order) {
                          int next = number(transaction.readAllBytes(path)) + 1;
                          transaction.write(path, text(next));
                          if (first && path.equals(order.getFirst())) {
                            await(bothHaveOne);
                          }
                        }
                        return tried[0];
                      });
                }));
      }
      int tries = 0;
      for (Future<Integer> one : both) {
        tries += one.get(60, TimeUnit.SECONDS);
      }
      assertTrue(tries > 2, "one of them was rolled back: " + tries);
      assertEquals(2, number(store.readAllBytes("/a")));
      assertEquals(2, number(store.readAllBytes("/b")));
    }
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await(60, TimeUnit.SECONDS);
    } catch (Exception failed) {
      throw new AssertionError(failed);
    }
  }

  /** Somebody else is always quicker. */
  private int losing(FsmUpcall store, UpcallTransaction transaction) {
    runs++;
    store.write("/sum", text(100));
    return addOne(transaction);
  }

  @Test
  void itEndsAfterSoManyTimes() {
    try (FsmUpcall store = create(QUICK)) {
      store.write("/sum", text(0));
      UpcallException lost =
          assertThrows(
              UpcallException.class,
              () -> store.transact(transaction -> losing(store, transaction)));
      assertInstanceOf(Failure.Conflict.class, lost.failure());
      assertEquals(3, runs);
      assertEquals(100, number(store.readAllBytes("/sum")));
      assertEquals(101, store.<Integer>transact(TransactTest::addOne));
    }
  }

  @Test
  void itEndsAfterSomeTime() {
    try (FsmUpcall store = create(new RetryConfig(1000, 0, 1, 1))) {
      store.write("/sum", text(0));
      assertThrows(
          UpcallException.class, () -> store.transact(transaction -> losing(store, transaction)));
      assertEquals(1, runs);
    }
  }

  @Test
  void whatTheBodyThrowsRollsBackAndComesOut() {
    try (FsmUpcall store = create(QUICK)) {
      IllegalStateException thrown = new IllegalStateException("mine");
      assertSame(
          thrown,
          assertThrows(
              IllegalStateException.class,
              () ->
                  store.transact(
                      transaction -> {
                        runs++;
                        transaction.write("/f", text(1));
                        throw thrown;
                      })));
      UpcallException missing =
          assertThrows(
              UpcallException.class,
              () ->
                  store.transact(
                      transaction -> {
                        runs++;
                        transaction.write("/f", text(1));
                        return transaction.readAllBytes("/none");
                      }));
      assertInstanceOf(Failure.NotFound.class, missing.failure());
      assertEquals(2, runs);
      assertFalse(store.exists("/f"));
    }
  }

  /** A body that catches the conflict has not committed for all that. */
  @Test
  void aConflictThatWasSwallowedComesOutOfTheCommit() {
    try (FsmUpcall store = create(QUICK)) {
      store.write("/sum", text(0));
      int sum =
          store.transact(
              transaction -> {
                runs++;
                try {
                  return runs == 1 ? losing(store, transaction) : addOne(transaction);
                } catch (UpcallException swallowed) {
                  return -1;
                }
              });
      assertEquals(101, sum);
      assertEquals(101, number(store.readAllBytes("/sum")));
    }
  }

  @Test
  void anInterruptStaysPending() throws Exception {
    try (FsmUpcall store = create(new RetryConfig(2, 60_000_000_000L, 20_000_000, 20_000_000));
        ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      store.write("/sum", text(0));
      Future<Boolean> interrupted =
          executor.submit(
              () -> {
                Thread.currentThread().interrupt();
                assertThrows(
                    UpcallException.class,
                    () -> store.transact(transaction -> losing(store, transaction)));
                return Thread.interrupted();
              });
      assertTrue(interrupted.get(60, TimeUnit.SECONDS));
      assertEquals(2, runs);
    }
  }

  @Test
  void pausesDoubleUpToTheLongest() {
    RetryConfig retry = new RetryConfig(9, 9, 3, 20);
    assertEquals(
        retry,
        RetryConfig.DEFAULT
            .withMaxAttempts(9)
            .withMax(Duration.ofNanos(9))
            .withPauses(Duration.ofNanos(3), Duration.ofNanos(20)));
    assertThrows(IllegalArgumentException.class, () -> retry.withMax(Duration.ofNanos(-1)));
    assertEquals(3, retry.pauseBoundNanos(1));
    assertEquals(6, retry.pauseBoundNanos(2));
    assertEquals(12, retry.pauseBoundNanos(3));
    assertEquals(20, retry.pauseBoundNanos(4));
    assertEquals(20, retry.pauseBoundNanos(1000));
  }
}
