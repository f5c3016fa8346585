package dev.upcall.bench.tpcc;

/**
 * How large the tables are.
 *
 * @param warehouses grow with the load
 * @param customers of a district, which had one order each; the specification has 3,000
 * @param items in stock in each warehouse; the specification has 100,000
 */
record Scale(int warehouses, int customers, int items) {
  /** Districts of a warehouse. */
  static final int DISTRICTS = 10;

  /** As specified, with so many warehouses. */
  static Scale full(int warehouses) {
    return new Scale(warehouses, 3_000, 100_000);
  }

  /** To see that all works. */
  static Scale tiny() {
    return new Scale(1, 12, 60);
  }

  /** The first order that is not delivered at the begin. */
  int firstNewOrder() {
    return customers * 7 / 10 + 1;
  }
}
