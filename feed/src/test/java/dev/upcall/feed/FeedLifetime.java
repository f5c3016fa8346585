package dev.upcall.feed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.journal.queue.EntryQueue;
import dev.upcall.journal.queue.QueueException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;

/**
 * Producers, a queue and a store from one seed, through crashes of the store and losses of power of
 * the queue, together and apart. In the end nothing goes wrong any more: then each request has been
 * done once, in its producer's order, and its producer was told.
 */
final class FeedLifetime {
  private static final int PRODUCERS = 3;
  private static final int STEPS = 60;

  private final SplittableRandom random;
  private final FeedCanary canary;
  private final Totals totals;
  private final QueueModel model;
  private final EntryQueue writer;
  private final List<ModelProducer> producers = new ArrayList<>();
  private FeedFixture life;

  /** What many lifetimes have seen. */
  static final class Totals {
    long applied;
    long repeated;
    long failed;
    long unreadable;
    long abandoned;
    long lostEnds;
    long repliesAgain;
    long lettersAlone;
    long damaged;
    long forgotten;

    void add(FeedFixture life) {
      FeedCounts metrics = life.feed().metrics().counts();
      applied += metrics.applied();
      repeated += metrics.repeated();
      failed += metrics.failed();
      unreadable += metrics.unreadable();
      abandoned += metrics.abandoned();
      lostEnds += metrics.lostEnds();
    }
  }

  FeedLifetime(long seed, FeedCanary canary, Totals totals) {
    this.random = new SplittableRandom(seed);
    this.canary = canary;
    this.totals = totals;
    this.model = new QueueModel(new UUID(seed, 1));
    this.writer = model.storage().open();
    for (int i = 0; i < PRODUCERS; i++) {
      producers.add(new ModelProducer(i, model, random.split()));
    }
    this.life = FeedFixture.create(seed, model, canary);
    life.feed().begin();
  }

  void run() throws QueueException {
    for (int step = 0; step < STEPS; step++) {
      step();
    }
    finish();
  }

  private void step() throws QueueException {
    ModelProducer one = producers.get(random.nextInt(PRODUCERS));
    switch (random.nextInt(16)) {
      case 0, 1, 2, 3, 4 -> one.ask();
      case 5, 6, 7, 8, 9 -> {
        one.append(writer, now());
        life.source().poke();
      }
      case 10 -> sync();
      case 11 -> model.storage().roll();
      case 12 -> {
        if (random.nextBoolean()) {
          crash();
        } else if (model.damage(random)) {
          totals.damaged++;
        }
      }
      case 13 -> {
        if (one.leave() && random.nextBoolean()) {
          life.world().clock().advance(FeedFixture.FORGET_NANOS);
          turn(random.nextInt(40));
        }
      }
      default -> turn(random.nextInt(40));
    }
  }

  private long now() {
    return life.world().dispatcher().clock().monotonicNanos();
  }

  private void sync() throws QueueException {
    writer.sync();
    producers.forEach(ModelProducer::synced);
  }

  private void turn(int turns) {
    for (int i = 0; i < turns && !life.world().reactor().stalled(); i++) {
      life.world().dispatcher().turn(true);
    }
  }

  /** The store dies, or the queue loses what was not synced, or both. */
  private void crash() {
    boolean queueLoses = random.nextBoolean();
    boolean storeDies = !queueLoses || random.nextBoolean();
    totals.add(life);
    if (queueLoses) {
      model.losePower(random);
      producers.forEach(ModelProducer::restart);
    }
    life = storeDies ? life.crash(model, canary) : life.reopen(model, canary);
    checkLarges(false);
    life.feed().begin();
  }

  private void finish() throws QueueException {
    for (ModelProducer producer : producers) {
      producer.ask();
      while (!producer.isIdle()) {
        producer.append(writer, now());
      }
    }
    sync();
    life.source().poke();
    life.runUntilDone();
    assertEquals("", life.feed().metrics().failure());
    AnswerJudge answers = new AnswerJudge(model);
    for (ModelProducer producer : producers) {
      assertEquals(
          producer.state(),
          new String(life.content(producer.statePath()), StandardCharsets.US_ASCII));
      assertEquals(
          producer.log(), new String(life.content(producer.logPath()), StandardCharsets.US_ASCII));
      answers.check(producer, life.version(producer.logPath()));
    }
    totals.repliesAgain += answers.repeated();
    totals.forgotten += model.forgotten();
    totals.lettersAlone += answers.withoutRequest();
    checkLarges(true);
    totals.add(life);
    life.close();
  }

  /** Large files are whole; in the end the last of each producer is there. */
  private void checkLarges(boolean isLast) {
    for (ModelProducer producer : producers) {
      List<byte[]> may = producer.larges();
      byte[] found = life.content(producer.largePath());
      boolean isGood =
          isLast && !may.isEmpty()
              ? Arrays.equals(found, may.getLast())
              : found.length == 0 || may.stream().anyMatch(each -> Arrays.equals(each, found));
      assertTrue(isGood, () -> producer.largePath() + " has " + found.length + " bytes");
    }
  }
}
