package dev.upcall.txn;

import dev.upcall.sim.FaultPlan;
import java.util.SplittableRandom;

/** What a life's device does wrong. */
enum SimDraw {
  /** Nothing. */
  SOUND,
  /** The machine dies at a step. */
  CRASH,
  /** One request fails. */
  ONE_ERROR,
  /** Reads fail now and then. */
  READ_ERRORS,
  /** From some moment on the device cannot grow, for a while. */
  FULL_DEVICE,
  /** Now and then a write lands at another address, or a bit decays. */
  LIES;

  static SimDraw of(SplittableRandom random) {
    return switch (random.nextInt(9)) {
      case 0, 1 -> SOUND;
      case 4 -> FULL_DEVICE;
      case 2 -> ONE_ERROR;
      case 3 -> random.nextBoolean() ? READ_ERRORS : LIES;
      default -> CRASH;
    };
  }

  FaultPlan faults(long step, SplittableRandom random, SimPlan plan) {
    return switch (this) {
      case SOUND, FULL_DEVICE -> FaultPlan.NONE;
      case CRASH -> FaultPlan.crashAt(step + 1 + random.nextInt(700));
      case ONE_ERROR -> FaultPlan.NONE.withFailAt(step + 1 + random.nextInt(300));
      case READ_ERRORS -> FaultPlan.NONE.withErrors(30_000, 0, 0);
      case LIES ->
          FaultPlan.NONE
              .withLies(random.nextInt(20_000), random.nextInt(20_000), random.nextInt(20_000))
              .within(plan.layout().dataStart(), plan.capBlocks());
    };
  }

  boolean isFaulty() {
    return this == ONE_ERROR || this == READ_ERRORS || this == LIES;
  }
}
