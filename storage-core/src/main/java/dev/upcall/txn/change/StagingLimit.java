package dev.upcall.txn.change;

import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.config.Compression;
import dev.upcall.content.ContentStager;
import dev.upcall.content.LeaseOwner;
import dev.upcall.pressure.PlaceCounters;
import dev.upcall.pressure.PlaceQueue;
import dev.upcall.segment.Stager;
import dev.upcall.segment.StagerParts;
import dev.upcall.segment.StagingPlace;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * New content on its way: each piece that is being brought in, and how many of them may hold
 * frames. Who has brought nothing holds nothing. Who has brought a block at most needs no place as
 * long as few do that, and all others wait for one in the order in which they outgrew it.
 */
public final class StagingLimit {
  private final StagerParts parts;
  private final PlaceQueue places;
  private final Limits limits;
  private final Runnable whenOneEnded;
  private final LinkedHashSet<Stager> open = new LinkedHashSet<>();
  private int small;

  /**
   * How many there may be.
   *
   * @param open at once, whether or not they hold anything
   * @param small pieces of content that hold one block and no place
   */
  public record Limits(int open, int small) {}

  /**
   * A limit.
   *
   * @param places for those that hold more than a block
   * @param whenOneEnded runs when one is no longer open
   */
  public StagingLimit(StagerParts parts, PlaceQueue places, Limits limits, Runnable whenOneEnded) {
    this.parts = parts;
    this.places = places;
    this.limits = limits;
    this.whenOneEnded = whenOneEnded;
  }

  /** What new content is brought in with. */
  public StagerParts parts() {
    return parts;
  }

  /** Begins new content that waits for its place when it has something to hold. */
  public Stager open(LeaseOwner owner, Compression compression) {
    return open(owner, compression, new Place());
  }

  /** Begins new content of which somebody else sees to it that it does not hold too much. */
  public ContentStager openGranted(LeaseOwner owner, Compression compression) {
    return open(owner, compression, StagingPlace.ALWAYS);
  }

  private Stager open(LeaseOwner owner, Compression compression, StagingPlace place) {
    Stager[] self = new Stager[1];
    Stager stager = new Stager(parts.with(compression), owner, place, () -> ended(self[0]));
    self[0] = stager;
    open.add(stager);
    return stager;
  }

  private void ended(Stager stager) {
    open.remove(stager);
    whenOneEnded.run();
  }

  /** Why one more would be too many, or null. */
  @Nullable public Failure refusesMore() {
    return open.size() < limits.open()
        ? null
        : new Failure.Busy("new content on its way: %d are open".formatted(open.size()));
  }

  public int count() {
    return open.size();
  }

  /** How the places are used. */
  public PlaceCounters counters() {
    return places.counters();
  }

  /** Nobody waits for a place any more. */
  public void stopWaiting(Failure why) {
    places.stop(why);
  }

  public void discardAll() {
    List.copyOf(open).forEach(Stager::discard);
  }

  /** What one piece of content holds: nothing, a block, or a place. */
  private final class Place implements StagingPlace {
    private final PlaceQueue.Place whole = places.place();
    private boolean isSmall;

    @Override
    public boolean tryTake(int blocks) {
      if (whole.isTaken() || (isSmall && blocks == 1)) {
        return true;
      }
      if (blocks == 1 && small < limits.small()) {
        isSmall = true;
        small++;
        return true;
      }
      if (whole.tryTake()) {
        leaveSmall();
        return true;
      }
      return false;
    }

    @Override
    public void await(CompletionPort<Unit> port) {
      whole.await(
          completion -> {
            leaveSmall();
            port.complete(completion);
          });
    }

    @Override
    public void leave() {
      leaveSmall();
      whole.leave();
    }

    private void leaveSmall() {
      if (isSmall) {
        isSmall = false;
        small--;
      }
    }
  }
}
