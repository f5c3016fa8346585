package dev.upcall.txn.state;

import dev.upcall.buffer.BufferManager;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.Faults;
import dev.upcall.io.Disk;
import dev.upcall.pressure.Pressure;
import dev.upcall.segment.ContentPlacer;
import dev.upcall.segment.ContentReader;
import dev.upcall.segment.layout.LayoutTrees;
import dev.upcall.segment.paging.PageLoader;
import dev.upcall.segment.space.SpaceManager;
import dev.upcall.txn.StoreConfig;

/**
 * The parts of an open store that its machines share.
 *
 * @param config limits
 * @param dispatcher the owner
 * @param disk the volume
 * @param buffers frames
 * @param state what the store is now
 * @param loader brings tree pages in
 * @param space finds room
 * @param layouts extent trees
 * @param reader reads content
 * @param placer writes content to its place
 * @param pressure what is scarce, and who waits for it
 * @param meters what machines time and count
 * @param records where changes encode what they give to the log
 */
public record StoreContext(
    StoreConfig config,
    Dispatcher dispatcher,
    Disk disk,
    BufferManager buffers,
    StoreState state,
    PageLoader loader,
    SpaceManager space,
    LayoutTrees layouts,
    ContentReader reader,
    ContentPlacer placer,
    Pressure pressure,
    StoreMeters meters,
    RecordBuffer records) {
  /** In which ways the store is broken on purpose. */
  public Faults faults() {
    return state.faults();
  }
}
