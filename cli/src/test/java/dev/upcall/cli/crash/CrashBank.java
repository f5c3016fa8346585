package dev.upcall.cli.crash;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.upcall.OpenMode;
import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.UpcallTransaction;
import dev.upcall.completion.Failure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Tellers who move amounts between accounts that they share, each move a transaction over three
 * files: two accounts, and, written through a handle, how many moves the teller has made. Whatever
 * is left of a move after a crash, if it is not all or nothing, either the sum is wrong or the
 * count.
 */
final class CrashBank {
  static final int TELLERS = 2;
  private static final int ACCOUNTS = 8;
  private static final long START = 1000;

  private CrashBank() {}

  /** Makes all accounts, unless they are there. */
  static void found(Upcall store) {
    if (store.exists(account(0))) {
      return;
    }
    try (UpcallTransaction transaction = store.fsm().begin()) {
      transaction.createDirectories("/bank");
      for (int i = 0; i < ACCOUNTS; i++) {
        transaction.write(account(i), content(START));
      }
      for (int teller = 0; teller < TELLERS; teller++) {
        transaction.write(count(teller), content(0));
      }
      transaction.commit();
    }
  }

  /** Moves amounts until the process dies. */
  static void work(Upcall store, Path folder, int teller) throws IOException {
    Path path = journal(folder, teller);
    long done = Journal.count(path);
    try (Journal journal = new Journal(path)) {
      while (true) {
        done = moved(store, teller, new SplittableRandom(done * TELLERS + teller));
        journal.acknowledged(done);
      }
    }
  }

  /** One move, tried until nobody is in its way; how many the teller has made then. */
  private static long moved(Upcall store, int teller, SplittableRandom random) {
    int from = random.nextInt(ACCOUNTS);
    int to = (from + 1 + random.nextInt(ACCOUNTS - 1)) % ACCOUNTS;
    long amount = 1 + random.nextInt(50);
    while (true) {
      try (UpcallTransaction transaction = store.fsm().begin()) {
        long count = amount(transaction.readAllBytes(count(teller))) + 1;
        change(transaction, account(from), -amount);
        change(transaction, account(to), amount);
        try (Upcall.RandomAccess file = transaction.open(count(teller), OpenMode.EXISTING)) {
          file.truncate(0);
          file.append(ByteBuffer.wrap(content(count)));
        }
        transaction.commit();
        return count;
      } catch (UpcallException failed) {
        if (!(failed.failure() instanceof Failure.Conflict
            || failed.failure() instanceof Failure.Deadlock
            || failed.failure() instanceof Failure.LockTimeout)) {
          throw failed;
        }
      }
    }
  }

  private static void change(UpcallTransaction transaction, String path, long by) {
    transaction.write(path, content(amount(transaction.readAllBytes(path)) + by));
  }

  /** How many moves were acknowledged. */
  static long acknowledged(Path folder) throws IOException {
    long sum = 0;
    for (int teller = 0; teller < TELLERS; teller++) {
      sum += Journal.count(journal(folder, teller));
    }
    return sum;
  }

  /** Throws when a move that was acknowledged is missing, or one is half there. */
  static void compare(Upcall store, Path folder) throws IOException {
    if (!store.exists("/bank")) {
      Comparison.check(acknowledged(folder) == 0, "the bank is gone");
      return;
    }
    long sum = 0;
    for (int i = 0; i < ACCOUNTS; i++) {
      sum += whole(store, account(i));
    }
    Comparison.check(sum == ACCOUNTS * START, "the sum of all accounts is " + sum);
    for (int teller = 0; teller < TELLERS; teller++) {
      long told = Journal.count(journal(folder, teller));
      long made = whole(store, count(teller));
      Comparison.check(
          made == told || made == told + 1,
          "teller %d has made %d moves, %d were acknowledged".formatted(teller, made, told));
      if (made > told) {
        try (Journal journal = new Journal(journal(folder, teller))) {
          journal.acknowledged(made);
        }
      }
    }
  }

  static Path journal(Path folder, int teller) {
    return Journal.path(folder, "teller" + teller);
  }

  static String account(int number) {
    return "/bank/a" + number;
  }

  private static String count(int teller) {
    return "/bank/t" + teller;
  }

  private static long whole(Upcall store, String path) {
    byte[] found = store.readAllBytes(path);
    long amount = amount(found);
    Comparison.check(Arrays.equals(found, content(amount)), path + " is not whole");
    return amount;
  }

  private static long amount(byte[] content) {
    String text = new String(content, US_ASCII);
    return Long.parseLong(text.substring(0, text.indexOf(' ')));
  }

  /** The amount, and behind it as many bytes as make it small or large, with or without a place. */
  private static byte[] content(long amount) {
    byte[] text = (amount + " ").getBytes(US_ASCII);
    int size =
        switch (Math.floorMod(amount, 4)) {
          case 0 -> 0;
          case 1 -> 700;
          case 2 -> 9_000;
          default -> 90_000;
        };
    byte[] content = Arrays.copyOf(text, text.length + size);
    Arrays.fill(content, text.length, content.length, (byte) amount);
    return content;
  }
}
