package dev.upcall.bench.ecommerce;

import java.util.List;
import java.util.random.RandomGenerator;

/**
 * What the clients of one benchmark ask a database for. Holds how far appends have come, so each
 * run has its own; the interactions of all clients are drawn in the order in which they begin.
 */
public abstract class Workload {
  /** Where the tables are laid out. */
  final Schema schema;

  private final Kind kind;
  private final Mix mix;

  Workload(Kind kind, Mix mix, double scale) {
    this.kind = kind;
    this.mix = mix;
    this.schema = new Schema(scale);
  }

  /** The benchmark. */
  public Kind kind() {
    return kind;
  }

  /** How often what is drawn. */
  public Mix mix() {
    return mix;
  }

  /** All tables, in the order in which they lie. */
  public List<Table> tables() {
    return schema.tables();
  }

  /** The next interaction of a client. */
  public abstract Interaction next(RandomGenerator random);

  /** The page behind all tables. */
  public long endPage() {
    return tables().getLast().endPage();
  }

  /** The table that a page belongs to, its index included. */
  public Table tableOf(long page) {
    for (Table table : tables()) {
      if (page < table.endPage()) {
        return table;
      }
    }
    throw new IllegalArgumentException("no table has page " + page);
  }

  /** The benchmarks of the paper. */
  public enum Kind {
    /** A bookshop. */
    TPC_W("TPC-W"),
    /** An auction. */
    RUBIS("RUBiS"),
    /** Orders and deliveries of a wholesaler. */
    TPC_C("TPC-C");

    private final String label;

    Kind(String label) {
      this.label = label;
    }

    /** As the paper writes it. */
    public String label() {
      return label;
    }

    /** Its mixes, the one that reads most first and the one that writes most last. */
    public List<Mix> mixes() {
      return switch (this) {
        case TPC_W -> TpcW.MIXES;
        case RUBIS -> Rubis.MIXES;
        case TPC_C -> TpcC.MIXES;
      };
    }

    /**
     * The benchmark with freshly loaded tables.
     *
     * @param scale the part of the paper's rows that it has
     */
    public Workload load(Mix mix, double scale) {
      return switch (this) {
        case TPC_W -> new TpcW(mix, scale);
        case RUBIS -> new Rubis(mix, scale);
        case TPC_C -> new TpcC(mix, scale);
      };
    }
  }
}
