package dev.upcall.txn;

import dev.upcall.buffer.BufferManager;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Faults;
import dev.upcall.segment.ContentPlacer;
import dev.upcall.segment.ContentReader;
import dev.upcall.segment.layout.LayoutBuilder;
import dev.upcall.segment.paging.PageLoader;
import dev.upcall.space.Extent;
import dev.upcall.txn.volume.StoreFeature;
import java.util.List;

/**
 * What access methods need of a store besides its requests.
 *
 * @param buffers frames
 * @param reader reads content
 * @param placer writes content to its place
 * @param layouts makes extent trees
 * @param loader brings their pages in
 * @param unplacedBytes what rides in the log with one commit at most
 * @param writers how many handles may write at once
 * @param edits what an edit in the middle may leave behind
 * @param meter counts what edits cost
 * @param features says what the volume will use
 * @param faults deliberate ones, given only by tests
 */
public record SegmentAccess(
    BufferManager buffers,
    ContentReader reader,
    ContentPlacer placer,
    LayoutBuilder.Parts layouts,
    PageLoader loader,
    int unplacedBytes,
    WriterLimit writers,
    EditLimit edits,
    EditMeter meter,
    Features features,
    Faults faults) {

  /** What a volume uses beyond what every program can read. */
  public interface Features {
    /** Completes when the volume says durably that it uses it; before that nobody may. */
    void use(StoreFeature feature, CompletionPort<Unit> port);

    /** Whether the volume says it already. */
    boolean uses(StoreFeature feature);
  }

  /**
   * Gives blocks back that were placed and never committed. Whoever gets them next must not find
   * what private content left of them in frames.
   */
  public void giveBack(List<Extent> extents) {
    extents.forEach(buffers::forget);
    layouts.space().giveBack(extents);
  }
}
