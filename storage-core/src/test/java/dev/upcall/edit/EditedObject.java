package dev.upcall.edit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/** An object in memory whose edits a policy plans, beside an array of the same bytes. */
final class EditedObject {
  private final EditPlanner policy;
  private final RandomGenerator random;
  private final int window;
  private List<Place> places = new ArrayList<>();
  private byte[] model = new byte[0];

  /** A piece's blocks and how many of their bytes are content. */
  private record Place(byte[] blocks, int bytes) {}

  /** A plan, for what, and what was there: pieces that are the same object were not touched. */
  record Done(Neighbourhood around, Plan plan, boolean sawAll) {}

  /**
   * An empty one.
   *
   * @param window how many pieces on either side of an edit a policy sees
   */
  EditedObject(EditPlanner policy, RandomGenerator random, int window) {
    this.policy = policy;
    this.random = random;
    this.window = window;
  }

  int size() {
    return model.length;
  }

  List<Piece> pieces() {
    int blockBytes = policy.geometry().blockBytes();
    return places.stream()
        .map(place -> new Piece(place.bytes, place.blocks.length / blockBytes))
        .toList();
  }

  Done append(int bytes) {
    byte[] fresh = fresh(bytes);
    // Starburst's sizes follow from its first piece.
    int first = policy instanceof Starburst ? 0 : Math.max(0, places.size() - 1 - window);
    Neighbourhood end = neighbourhood(first, places.size());
    Plan plan = policy.append(end, bytes);
    carryOut(plan, first, end, fresh);
    int old = model.length;
    model = Arrays.copyOf(model, old + bytes);
    System.arraycopy(fresh, 0, model, old, bytes);
    return new Done(end, plan, first == 0);
  }

  void trim() {
    Neighbourhood all = neighbourhood(0, places.size());
    carryOut(policy.trim(all), 0, all, new byte[0]);
  }

  Done splice(int offset, int removed, int inserted) {
    byte[] fresh = fresh(inserted);
    int first = 0;
    int start = 0;
    int last = places.size();
    if (!(policy instanceof Starburst) && !places.isEmpty()) {
      Neighbourhood all = neighbourhood(0, places.size());
      first = Math.max(0, all.find(offset).piece() - window);
      last = Math.min(places.size(), all.find(offset + removed).piece() + 1 + window);
      start = places.subList(0, first).stream().mapToInt(Place::bytes).sum();
    }
    boolean sawAll = first == 0 && last == places.size();
    Neighbourhood around = neighbourhood(first, last);
    Plan plan = policy.splice(around, new Edit(offset - start, removed, inserted));
    carryOut(plan, first, around, fresh);
    byte[] edited = new byte[model.length - removed + inserted];
    System.arraycopy(model, 0, edited, 0, offset);
    System.arraycopy(fresh, 0, edited, offset, inserted);
    int behind = model.length - offset - removed;
    System.arraycopy(model, offset + removed, edited, offset + inserted, behind);
    model = edited;
    return new Done(around, plan, sawAll);
  }

  /** Fails when the pieces are not the array. */
  void check() {
    byte[] content = new byte[places.stream().mapToInt(Place::bytes).sum()];
    int end = 0;
    for (Place place : places) {
      System.arraycopy(place.blocks, 0, content, end, place.bytes);
      end += place.bytes;
    }
    assertArrayEquals(model, content);
  }

  private byte[] fresh(int bytes) {
    byte[] fresh = new byte[bytes];
    random.nextBytes(fresh);
    return fresh;
  }

  private Neighbourhood neighbourhood(int first, int last) {
    return new Neighbourhood(pieces().subList(first, last));
  }

  private void carryOut(Plan plan, int offset, Neighbourhood around, byte[] fresh) {
    Geometry geometry = policy.geometry();
    List<Place> made = new ArrayList<>();
    int[] used = new int[around.count()];
    for (Run run : plan.runs()) {
      assertTrue(run.blocks() <= geometry.longestRun(), run::toString);
      assertTrue(run.bytes() > 0 && run.bytes() <= geometry.bytes(run.blocks()), run::toString);
      byte[] blocks = new byte[Math.toIntExact(geometry.bytes(run.blocks()))];
      int end = 0;
      Source.Old kept = run.kept();
      if (kept != null) {
        assertEquals(0, geometry.partial(kept.from()), run::toString);
        int begin = (int) kept.from() / geometry.blockBytes();
        assertTrue(begin + run.blocks() <= around.piece(kept.piece()).blocks(), run::toString);
        used[kept.piece()] += run.blocks();
        end = copy(kept, offset, fresh, blocks, end);
      }
      for (Source source : run.gathered()) {
        end = copy(source, offset, fresh, blocks, end);
      }
      assertEquals(run.bytes(), end);
      made.add(new Place(blocks, end));
    }
    plan.freed(around, geometry).forEach(freed -> used[freed.piece()] += freed.blocks());
    for (int i = plan.first(); i < plan.last(); i++) {
      assertEquals(around.piece(i).blocks(), used[i], "each block is kept or free, and once");
    }
    List<Place> after = new ArrayList<>(places.subList(0, offset + plan.first()));
    after.addAll(made);
    after.addAll(places.subList(offset + plan.last(), places.size()));
    places = after;
  }

  private int copy(Source source, int offset, byte[] fresh, byte[] to, int at) {
    byte[] from =
        switch (source) {
          case Source.Old old -> places.get(offset + old.piece()).blocks;
          case Source.Fresh _ -> fresh;
        };
    System.arraycopy(from, (int) source.from(), to, at, (int) source.bytes());
    return at + (int) source.bytes();
  }
}
