package dev.upcall.bench.proxy.study;

import dev.upcall.bench.proxy.finite.FiniteConfig;
import dev.upcall.bench.proxy.layout.ModelConfig;
import dev.upcall.bench.proxy.trace.TraceConfig;
import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;

/** How much is run. */
public enum StudySize {
  /** A tenth of the trace and of the machine, one seed: seconds, and nothing is decided. */
  QUICK(1),
  /** The paper's trace from three seeds. */
  STANDARD(3),
  /** The paper's trace from nine seeds. */
  FULL(9);

  private final int seeds;

  StudySize(int seeds) {
    this.seeds = seeds;
  }

  /** Whether its figures decide claims. */
  boolean decides() {
    return this != QUICK;
  }

  /** Seeds that are judged together. */
  List<Long> seeds() {
    return LongStream.rangeClosed(1, seeds).boxed().toList();
  }

  /** A trace of this size. */
  TraceConfig of(TraceConfig paper) {
    return decides() ? paper : paper.scaled();
  }

  /** The machine of this size. */
  ModelConfig of(ModelConfig paper) {
    return decides() ? paper : paper.scaled();
  }

  /** The bounded file of this size. */
  FiniteConfig of(FiniteConfig paper) {
    return decides() ? paper : paper.scaled();
  }

  /** How often the trace on devices is a tenth of the one before. */
  int deviceTenths() {
    return switch (this) {
      case QUICK -> 2;
      case STANDARD -> 1;
      case FULL -> 0;
    };
  }

  /** That trace. */
  TraceConfig deviceTrace() {
    TraceConfig trace = TraceConfig.paper(1);
    for (int i = 0; i < deviceTenths(); i++) {
      trace = trace.scaled();
    }
    return trace;
  }

  /** The machine beside it; a process needs some memory besides its files'. */
  ModelConfig deviceModel() {
    return switch (this) {
      case QUICK -> ModelConfig.PAPER.scaled().withMemory(160);
      case STANDARD -> ModelConfig.PAPER.scaled();
      case FULL -> ModelConfig.PAPER;
    };
  }

  /** The expected time of a replay on a device. */
  double deviceSeconds() {
    return switch (this) {
      case QUICK -> 4;
      case STANDARD -> 25;
      case FULL -> 300;
    };
  }

  /** The expected time of a replay on one of two idle cores. */
  double runSeconds() {
    return decides() ? 0.7 : 0.3;
  }

  /** As it is written on the command line and on the page. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
