package dev.upcall.bench.ecommerce;

import java.util.List;
import java.util.random.RandomGenerator;

/**
 * What the clients of one benchmark ask a database for. Holds how far appends have come, so each
 * run has its own; the interactions of all clients are drawn in the order in which they begin.
 */
public interface Workload {
  /** The benchmark. */
  Kind kind();

  /** How often what is drawn. */
  Mix mix();

  /** All tables, in the order in which they lie. */
  List<Table> tables();

  /** The next interaction of a client. */
  Interaction next(RandomGenerator random);

  /** The page behind all tables. */
  default long endPage() {
    return tables().getLast().endPage();
  }

  /** The table that a page belongs to, its index included. */
  default Table tableOf(long page) {
    for (Table table : tables()) {
      if (page < table.endPage()) {
        return table;
      }
    }
    throw new IllegalArgumentException("no table has page " + page);
  }

  /** The benchmarks of the paper. */
  enum Kind {
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
