package dev.upcall.cli.failover;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A standby, as the process that has the store open sees it: lines go there and come back. The
 * command that it runs here passes them on; one other thread at a time asks.
 */
final class Successor {
  /** It is known here. */
  static final String KNOWN = "known";

  /** Whether it could listen at the address behind it. */
  static final String PREPARE = "prepare ";

  /** Listen there, and take what connections begin from now on. */
  static final String LISTEN = "listen";

  /** Go on with that, whatever becomes of the owner: it ends. */
  static final String TAKE = "take";

  /** Do not: the owner goes on. */
  static final String STOP = "stop";

  /** Done; what else is said is a reason why not. */
  static final String YES = "yes";

  /** A process that takes longer hangs, or its machine has no time for it. */
  private static final long PATIENCE_SECONDS = 5;

  private final BufferedReader in;
  private final PrintStream out;

  /** Not passed on yet. */
  private @Nullable Question question;

  /** How many were asked; an answer to an older one than the last is nobody's. */
  private long asked;

  private @Nullable String answer;
  private boolean over;

  private record Question(long number, String line) {}

  Successor(InputStream in, PrintStream out) {
    this.in = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    this.out = out;
  }

  /** Says something; what is answered is nobody's business. */
  synchronized void tell(String line) {
    asked++;
    question = new Question(asked, line);
    answer = null;
    notifyAll();
  }

  /**
   * Says something and waits for the answer.
   *
   * @throws IOException when none comes: it has gone, or hangs
   */
  synchronized String ask(String line) throws IOException, InterruptedException {
    tell(line);
    long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (answer == null && !over) {
      long leftMillis = TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime());
      if (leftMillis <= 0) {
        throw new IOException("the standby does not answer");
      }
      wait(leftMillis);
    }
    String said = answer;
    if (said == null) {
      throw gone();
    }
    return said;
  }

  /** Fails when it is known to have gone. */
  synchronized void checkThere() throws IOException {
    if (over) {
      throw gone();
    }
  }

  private static IOException gone() {
    return new IOException("the standby has gone");
  }

  /** Passes on what is asked and answered, until the end. */
  void passOn() throws IOException, InterruptedException {
    try {
      for (Question next = next(); next != null; next = next()) {
        out.println(next.line());
        String said = out.checkError() ? null : in.readLine();
        if (said == null) {
          return;
        }
        answered(next.number(), said);
      }
    } finally {
      end();
    }
  }

  private synchronized @Nullable Question next() throws InterruptedException {
    while (question == null && !over) {
      wait();
    }
    Question next = over ? null : question;
    question = null;
    return next;
  }

  private synchronized void answered(long number, String said) {
    if (number == asked) {
      answer = said;
      notifyAll();
    }
  }

  /** It has gone, or need not wait here any more. */
  synchronized void end() {
    over = true;
    notifyAll();
  }
}
