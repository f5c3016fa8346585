package dev.upcall.bench.ecommerce.machine;

import dev.upcall.bench.ecommerce.Mix;
import dev.upcall.bench.ecommerce.Workload;

/** The loads of tables 8 to 11. */
public enum Load {
  /** Few clients. */
  LIGHT("light", 16, 32, 7),
  /** Many. */
  HEAVY("heavy", 64, 128, 300);

  private final String label;
  private final int tpcW;
  private final int rubis;
  private final int tpcC;

  Load(String label, int tpcW, int rubis, int tpcC) {
    this.label = label;
    this.tpcW = tpcW;
    this.rubis = rubis;
    this.tpcC = tpcC;
  }

  /** In words. */
  public String label() {
    return label;
  }

  /** How many clients of a benchmark. */
  public int clients(Workload.Kind kind) {
    return switch (kind) {
      case TPC_W -> tpcW;
      case RUBIS -> rubis;
      case TPC_C -> tpcC;
    };
  }

  /** The mixes that are compared: the one that reads most, and the one that writes most. */
  public static Mix mix(Workload.Kind kind, boolean writeRich) {
    return writeRich ? kind.mixes().getLast() : kind.mixes().getFirst();
  }
}
