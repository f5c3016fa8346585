package dev.upcall.sim.store;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.content.Kind;
import dev.upcall.segment.layout.Inode;
import dev.upcall.segment.layout.InodeCodec;
import dev.upcall.segment.layout.TreeKeys;
import dev.upcall.sim.SimWorld;
import dev.upcall.sim.store.model.SimFileNames;
import dev.upcall.sim.store.model.SimInspection;
import dev.upcall.sim.store.model.SimModel;
import dev.upcall.sim.store.model.SimTables;
import dev.upcall.tree.PageMissing;
import dev.upcall.txn.PublishedReads;
import dev.upcall.txn.Query;
import dev.upcall.txn.ReadSource;
import dev.upcall.txn.Store;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.View;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Another thread that looks at what a store has published: it takes a view and goes over all files
 * and properties, a few at a time, with the store's upcalls in between. What it finds is the state
 * of the view's moment, or a page that is not in memory; and the moment is never one before what
 * somebody has heard of.
 */
final class SimLooker {
  private static final long MOST_DELAY_NANOS = 50_000;

  /** Now and then it stops for so long: the store has gone on by checkpoints meanwhile. */
  private static final long MOST_REST_NANOS = 100_000_000;

  private static final int RESTS = 8;
  private static final int MOST_ENTRIES = 8;
  private static final int MOST_BYTES = 1 << 16;

  private final SimWorld world;
  private final PublishedReads published;
  private final SimModel model;
  private final SplittableRandom random;
  private boolean coming;
  private long heardScn;
  private @Nullable Look look;

  /** One view on its way from the first file to the last property. */
  private static final class Look {
    private final View view;
    private final View.Scan files;
    private final SimModel.Snapshot found = new SimModel.Snapshot();
    private final Map<Long, Piece> contents = new TreeMap<>();
    private final SplittableRandom random;
    private final PublishedReads published;
    private View.@Nullable Scan properties;

    Look(View view, PublishedReads published, SplittableRandom random) {
      this.published = published;
      this.random = random;
      this.view = view;
      this.files = view.from(StoreTree.INODES, new byte[0]);
    }

    /** The next file or property; false at the end. */
    boolean next() {
      View.Scan rest = properties;
      if (rest == null) {
        if (files.next()) {
          Inode inode = InodeCodec.decode(TreeKeys.id(files.key()), files.value());
          if (inode.kind() == Kind.TABLE) {
            return true;
          }
          if (SimTables.isValue(inode)) {
            value(inode);
            return true;
          }
          found
              .files()
              .put(inode.id(), new SimModel.FileState(inode.version(), 0, (int) inode.size()));
          Piece piece = Piece.some(inode.size(), random);
          ByteBuffer content = published.content(view, inode, piece);
          if (content != null) {
            contents.put(inode.id(), piece);
          }
          return true;
        }
        rest = view.from(StoreTree.PROPERTIES, new byte[0]);
        properties = rest;
      }
      if (rest.next()) {
        found.properties().put(TreeKeys.id(rest.key()), TreeKeys.id(rest.value()));
        return true;
      }
      found.tables().putAll(SimTables.look(view));
      return false;
    }

    /** A look at a large value finds its bytes, or is told to ask the store. */
    private void value(Inode inode) {
      Piece piece = Piece.some(inode.size(), random);
      SimInspection.checkThat(
          published.content(view, inode, piece) == null
              || piece.isOf(SimTables.value(SimTables.stampOf(inode))),
          () -> "what was published of %d has another value".formatted(view.scn()));
    }
  }

  /** All of a content, or a part of it: in memory that was used before. */
  private record Piece(long fromByte, byte[] bytes) implements PublishedReads.Room {
    static Piece some(long sizeBytes, SplittableRandom random) {
      long from = random.nextBoolean() ? 0 : random.nextLong(sizeBytes + 1);
      long left = sizeBytes - from;
      long length = random.nextBoolean() ? left : random.nextLong(left + 1);
      byte[] bytes = new byte[(int) Math.min(length, MOST_BYTES)];
      Arrays.fill(bytes, (byte) 0x5A);
      return new Piece(from, bytes);
    }

    @Override
    public boolean isAtHand() {
      return fromByte % 2 == 0; // one way or the other
    }

    @Override
    public ByteBuffer of(long sizeBytes) {
      return ByteBuffer.wrap(bytes);
    }

    static Piece whole(long sizeBytes) {
      return new Piece(0, new byte[(int) Math.min(sizeBytes, MOST_BYTES)]);
    }

    boolean isOf(byte[] content) {
      int from = (int) fromByte;
      return Arrays.equals(content, from, from + bytes.length, bytes, 0, bytes.length);
    }
  }

  /** Of one life of a store. */
  SimLooker(SimWorld world, Store store, SimModel model) {
    this.world = world;
    this.published = store.published();
    this.model = model;
    this.random = new SplittableRandom(world.seed() + world.clock().monotonicNanos());
  }

  /** Somebody was answered: a little later, this goes on. */
  void soon() {
    if (!coming && random.nextBoolean()) {
      coming = true;
      long most = random.nextInt(RESTS) == 0 ? MOST_REST_NANOS : MOST_DELAY_NANOS;
      world.reactor().after(random.nextLong(most), this::step);
    }
  }

  /** Somebody has heard of the state with an SCN; now and then, this looks at once. */
  void heard(long scn) {
    heardScn = Math.max(heardScn, scn);
    if (random.nextBoolean()) {
      view();
    }
  }

  /** What another thread finds in what is read from; null where it has to ask the store. */
  static <T> @Nullable Completion<T> elsewhere(ReadSource from, Query<T> query) {
    PublishedReads published = from.published();
    return published == null ? null : published.look(query);
  }

  /** Another thread finds the content of a file, or has to ask the store. */
  static void checkBytesElsewhere(ReadSource from, Query<Inode> which, byte[] content) {
    PublishedReads published = from.published();
    if (published == null) {
      return;
    }
    switch (published.bytes(which, content.length)) {
      case null -> published.contentsWanted();
      case Completion.Done<byte[]>(byte[] bytes) ->
          SimInspection.checkThat(
              Arrays.equals(content, bytes), () -> "another thread finds another content");
      case Completion.Failed<byte[]>(Failure failure) ->
          throw new AssertionError("another thread finds: " + failure.message());
    }
  }

  /** The store was closed. */
  void closed() {
    SimInspection.checkThat(view() == null, "a store that was closed can be looked into");
  }

  private void step() {
    coming = false;
    Look present = look;
    if (present != null) {
      goOn(present);
      return;
    }
    View view = view();
    if (view != null) {
      look = new Look(view, published, random);
    } else {
      published.contentsWanted();
    }
  }

  private @Nullable View view() {
    Completion<View> seen = published.look(Completion::done);
    if (!(seen instanceof Completion.Done<View>(View view))) {
      return null;
    }
    SimInspection.checkThat(
        view.scn() >= heardScn,
        () ->
            "state %d is looked at, but somebody has heard of %d".formatted(view.scn(), heardScn));
    heardScn = view.scn();
    return view;
  }

  private void goOn(Look present) {
    try {
      for (int left = 1 + random.nextInt(MOST_ENTRIES); left > 0; left--) {
        if (!present.next()) {
          compare(present);
          look = null;
          return;
        }
      }
    } catch (PageMissing missing) {
      published.contentsWanted();
      look = null;
    }
  }

  private void compare(Look done) {
    SimModel.Snapshot shows = model.at(done.view.scn());
    SimInspection.checkThat(
        shows.looksLike(done.found),
        () ->
            "what was published of %d has changed:%n found %s%n must  %s"
                .formatted(done.view.scn(), done.found, shows));
    done.found.files().keySet().forEach(id -> lookUp(done, id));
    done.contents.forEach((id, piece) -> compare(done.view, shows, id, piece));
    done.contents.keySet().forEach(id -> readAgain(done, shows, id));
  }

  private static void compare(View view, SimModel.Snapshot shows, long id, Piece piece) {
    SimInspection.checkThat(
        piece.isOf(shows.files().get(id).bytes()),
        () ->
            "what was published of %d has another content of file %d, from byte %d"
                .formatted(view.scn(), id, piece.fromByte()));
  }

  /** A content is the same a second time, whatever has become of where it was found before. */
  private void readAgain(Look done, SimModel.Snapshot shows, long id) {
    try {
      Inode inode = Objects.requireNonNull(done.view.inode(id), "an inode found before");
      Piece piece = Piece.whole(inode.size());
      if (published.content(done.view, inode, piece) != null) {
        compare(done.view, shows, id, piece);
      }
    } catch (PageMissing missing) {
      published.contentsWanted(); // what is not in memory is the store's to find out
    }
  }

  /** What was found by going along is found by its key, too, however much is remembered. */
  private void lookUp(Look done, long id) {
    Map<Long, SimModel.FileState> files = done.found.files();
    try {
      Inode inode = done.view.inode(id);
      SimInspection.checkThat(
          inode != null && inode.version() == files.get(id).version(),
          () ->
              "what was published of %d has file %d as %s, and as %s when that is asked for"
                  .formatted(done.view.scn(), id, files.get(id), SimInspection.text(inode)));
      SimFileNames.check(done.view, id, /* isThere= */ true);
      SimFileNames.check(done.view, id + 1, files.containsKey(id + 1));
    } catch (PageMissing missing) {
      published.contentsWanted(); // what is not in memory is the store's to find out
    }
  }
}
