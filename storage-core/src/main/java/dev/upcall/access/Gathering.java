package dev.upcall.access;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.content.EditPolicy;
import dev.upcall.edit.Edit;
import dev.upcall.edit.EditPlanner;
import dev.upcall.edit.Eos;
import dev.upcall.edit.Esm;
import dev.upcall.edit.Geometry;
import dev.upcall.edit.Neighbourhood;
import dev.upcall.edit.Piece;
import dev.upcall.edit.Plan;
import dev.upcall.edit.Sight;
import dev.upcall.edit.Starburst;
import dev.upcall.io.Disk;
import dev.upcall.segment.layout.PieceMap;
import dev.upcall.segment.space.SpaceManager;
import dev.upcall.space.Reserve;
import dev.upcall.txn.SegmentAccess;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Asks a file's policy what is copied together with an edit: looks for the pieces around it, and
 * tells the range of the content that gets a new place with it, and in which pieces. One for one
 * edit; dispatcher's thread only. Failures: {@code Corrupt}, {@code Device}.
 *
 * <p>A policy sees so much only as decides ({@link Sight}), so pages of the map are read near the
 * edit. It copies nothing where that were more than {@value #MOST_COPIED_BYTES} bytes, where there
 * is no room on the volume for it, and where the edit would leave more pieces than one commit may.
 */
final class Gathering {
  private static final int BLOCK = Disk.BLOCK_BYTES;

  /** The longest run, 32 MiB, as the paper has it. */
  private static final Geometry GEOMETRY = new Geometry(BLOCK, /* longestRun= */ 8192);

  /** No policy copies more with one edit: it is a part of one commit. */
  static final long MOST_COPIED_BYTES = 128L << 20;

  /** What is copied may have a place in the checkpoint's image, too. */
  private static final int COPIES = 2;

  /** Pages of trees, and of their second copies, that an edit may change. */
  private static final long MOST_PAGES = 64;

  private final SegmentAccess access;
  private final MapLook maps;
  private final PieceMap map;
  private final Edit edit;
  private final EditPlanner policy;
  private final Sight sight;
  private final CompletionPort<Together> port;

  /** Where pieces begin and end that are around the edit, or which it takes apart. */
  private final TreeSet<Long> borders = new TreeSet<>();

  /**
   * What gets a new place.
   *
   * @param range of the content; at least what an edit removes
   * @param runs bytes of each piece that comes in its place, in order, where these must be kept
   *     apart; none: what comes is one piece, and may go on in the block of the one before
   */
  record Together(PieceMap.Stretch range, List<Long> runs) {
    /** What an edit removes. */
    static Together only(Edit edit) {
      return new Together(new PieceMap.Stretch(edit.offset(), edit.removed()), List.of());
    }
  }

  private Gathering(
      SegmentAccess access,
      PieceMap map,
      Edit edit,
      EditPlanner policy,
      CompletionPort<Together> port) {
    this.access = access;
    this.maps = new MapLook(access);
    this.map = map;
    this.edit = edit;
    this.policy = policy;
    this.sight = policy.sight();
    this.port = port;
  }

  /** What plans edits as a policy says; nobody where nothing is copied but the rest of a block. */
  static Optional<EditPlanner> planner(EditPolicy policy) {
    return switch (policy) {
      case EditPolicy.None _ -> Optional.empty();
      case EditPolicy.Eos(int threshold) when threshold == 1 -> Optional.empty();
      case EditPolicy.Eos(int threshold) -> Optional.of(new Eos(GEOMETRY, threshold));
      case EditPolicy.Esm(int leafBlocks) -> Optional.of(new Esm(GEOMETRY, leafBlocks));
      case EditPolicy.Starburst _ -> Optional.of(new Starburst(GEOMETRY, Starburst.Copied.TAIL));
    };
  }

  /**
   * What is replaced by itself with the edit done.
   *
   * @param map of the content, in which the edit is
   * @param policy of the file, if it has one
   */
  static void around(
      SegmentAccess access,
      PieceMap map,
      Edit edit,
      Optional<EditPlanner> policy,
      CompletionPort<Together> port) {
    Optional<Gathering> asking =
        policy
            .map(planner -> new Gathering(access, map, edit, planner, port))
            .filter(Gathering::hasRoomForAll);
    if (asking.isPresent()) {
      asking.get().lookBefore(edit.offset(), /* seen= */ 0);
    } else {
      port.complete(Completion.done(Together.only(edit)));
    }
  }

  /** Whether what comes may be as many pieces as the policy takes for it. */
  private boolean hasRoomForAll() {
    return !policy.keepsApart() || edit.inserted() <= mostRuns() * pieceBytes();
  }

  private int mostRuns() {
    return access.edits().room(map);
  }

  private long pieceBytes() {
    return (long) sight.pieceBlocks() * BLOCK;
  }

  // ------------------------------------------------------------------ looking

  private void lookBefore(long offset, int seen) {
    if (offset == 0 || seen == sight.pieces()) {
      borders.add(offset);
      lookBehind(edit.end(), /* seen= */ 0);
      return;
    }
    maps.around(
        map,
        offset - 1,
        port.then(
            stretch -> {
              PieceMap.Stretch piece = piece(stretch, offset - 1);
              long end = piece.offset() + piece.bytes();
              if (end <= edit.end()) {
                borders.add(end);
              }
              if (isWhole(offset - piece.offset())) {
                lookBefore(piece.offset(), seen + 1);
              } else {
                borders.add(offset - asMuch(offset - piece.offset()));
                lookBehind(edit.end(), /* seen= */ 0);
              }
            }));
  }

  private void lookBehind(long offset, int seen) {
    if (offset == map.sizeBytes() || seen == sight.pieces()) {
      borders.add(offset);
      see();
      return;
    }
    maps.around(
        map,
        offset,
        port.then(
            stretch -> {
              PieceMap.Stretch piece = piece(stretch, offset);
              if (piece.offset() >= edit.offset()) {
                borders.add(piece.offset());
              }
              long end = piece.offset() + piece.bytes();
              if (sight.untilEnd()) {
                borders.add(map.sizeBytes());
                see();
              } else if (isWhole(end - offset)) {
                lookBehind(end, seen + 1);
              } else {
                borders.add(offset + asMuch(end - offset));
                see();
              }
            }));
  }

  /** The piece with a byte, of what lies together with it. */
  private PieceMap.Stretch piece(PieceMap.Stretch together, long offset) {
    long from = together.offset() + (offset - together.offset()) / pieceBytes() * pieceBytes();
    long end = Math.min(together.offset() + together.bytes(), from + pieceBytes());
    return new PieceMap.Stretch(from, end - from);
  }

  private boolean isWhole(long bytes) {
    return bytes <= (long) sight.wholeBlocks() * BLOCK;
  }

  private long asMuch(long bytes) {
    return (long) sight.wholeBlocks() * BLOCK + bytes % BLOCK;
  }

  // ------------------------------------------------------------------ asking

  private void see() {
    long seen = borders.last() - borders.first() - edit.removed();
    Together together = seen > MOST_COPIED_BYTES ? Together.only(edit) : asked();
    boolean isDone = together.runs().size() <= mostRuns() && hasSpace(together);
    port.complete(Completion.done(isDone ? together : Together.only(edit)));
  }

  private Together asked() {
    List<Piece> pieces = new ArrayList<>();
    long from = borders.first();
    long begin = from;
    for (long border : borders.tailSet(from, /* inclusive= */ false)) {
      pieces.add(new Piece(border - begin, blocks(border - begin)));
      begin = border;
    }
    Neighbourhood around = new Neighbourhood(pieces);
    Plan plan =
        policy.splice(around, new Edit(edit.offset() - from, edit.removed(), edit.inserted()));
    Plan.Range written = plan.written(around);
    PieceMap.Stretch range =
        new PieceMap.Stretch(from + written.from(), written.to() - written.from());
    Invariants.check(
        range.offset() <= edit.offset() && range.offset() + range.bytes() >= edit.end(),
        "a plan beside its edit",
        range);
    return new Together(range, policy.keepsApart() ? plan.writtenRuns() : List.of());
  }

  /** Of what goes there may be more than a policy ever copies. */
  private static int blocks(long bytes) {
    return (int) Math.min(Integer.MAX_VALUE, (bytes + BLOCK - 1) / BLOCK);
  }

  private boolean hasSpace(Together together) {
    SpaceManager space = access.layouts().space();
    long bytes = together.range().bytes() - edit.removed() + edit.inserted();
    return space.mayGrow()
        || space.hasRoom(COPIES * (long) blocks(bytes) + MOST_PAGES, Reserve.NORMAL);
  }
}
