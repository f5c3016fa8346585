package dev.upcall.table;

import dev.upcall.Engine;
import dev.upcall.fileman.blocking.TestedEngines;
import org.junit.jupiter.api.Nested;

/** Tables with types, with the engine of threads. */
@TestedEngines(Engine.THREADS)
class TablesOfThreadsTest {
  @Nested
  class Sorted extends SortedTableTest {}

  @Nested
  class OfLargeValues extends LargeValuesTest {}

  @Nested
  class OfRecords extends RecordsTest {}

  @Nested
  class OfBadInput extends TablesBadInputTest {}
}
