package dev.upcall.httpd.guarding;

import dev.upcall.StorePath;
import dev.upcall.guard.Access;
import dev.upcall.guard.Caller;
import dev.upcall.guard.Right;
import dev.upcall.httpd.Refusal;
import dev.upcall.httpd.answer.Errand;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One request before the rules: what its caller may do, and whether it was denied something, which
 * then is the answer whatever else came of it. One thread.
 */
public final class Visit {
  private static final String INDEX = "index.html";

  private final Access access;
  private final Caller caller;
  private final Refusal denial;
  private final boolean turnedAway;
  private boolean denied;

  /**
   * A request that the rules decide about.
   *
   * @param denial what is said of anything that the caller may not do
   */
  public Visit(Access access, Caller caller, Refusal denial) {
    this(access, caller, denial, /* turnedAway= */ false);
  }

  private Visit(Access access, Caller caller, Refusal denial, boolean turnedAway) {
    this.access = Objects.requireNonNull(access, "access");
    this.caller = Objects.requireNonNull(caller, "caller");
    this.denial = Objects.requireNonNull(denial, "denial");
    this.turnedAway = turnedAway;
  }

  /** A request that is denied whatever it is about: for what it has shown of its caller. */
  public static Visit turnedAway(Access access, Refusal denial) {
    return new Visit(access, Caller.ANONYMOUS, denial, /* turnedAway= */ true);
  }

  /** The caller; anonymous where it has shown nothing that counts. */
  public Caller caller() {
    return caller;
  }

  /** Why a request is not begun, or null. The places to which its path leads are judged later. */
  public @Nullable Refusal judge(Errand errand) {
    boolean may =
        switch (errand) {
          case Errand.Refuse _, Errand.Show _ -> true;
          case Errand.Options _ -> true; // tells nothing of files; browsers ask without a login
          case Errand.Read(StorePath path, var target) ->
              maySee(path) || (target.directory() && may(Right.READ, path.child(INDEX)));
          case Errand.Store(StorePath path) -> may(Right.WRITE, path);
          case Errand.Patch(StorePath path) -> may(Right.WRITE, path);
          case Errand.Resume(StorePath path, var _) -> may(Right.WRITE, path);
          case Errand.Delete(StorePath path) -> may(Right.WRITE, path);
        };
    return turnedAway || !may ? denial : null;
  }

  /** The same caller before the same rules, for a look of which nothing is told. */
  public Visit apart() {
    return new Visit(access, caller, denial, turnedAway);
  }

  /** The refusal that the client gets: nothing else is told of a path that was denied. */
  public Refusal instead(Refusal refusal) {
    return denied ? denial : refusal;
  }

  boolean may(Right right, StorePath path) {
    return access.decide(caller, right, path);
  }

  boolean may(Right right, List<StorePath> places) {
    for (StorePath place : places) {
      if (!may(right, place)) {
        return false;
      }
    }
    return true;
  }

  /** Whether the caller may read or list, and so know what is there. */
  boolean maySee(StorePath path) {
    return may(Right.READ, path) || may(Right.LIST, path);
  }

  boolean maySee(List<StorePath> places) {
    for (StorePath place : places) {
      if (!maySee(place)) {
        return false;
      }
    }
    return true;
  }

  /** Whether an entry is shown to the caller: whoever may do anything there may know of it. */
  boolean mayKnow(StorePath entry) {
    return maySee(entry) || may(Right.WRITE, entry);
  }

  boolean isUniformBelow(StorePath directory) {
    return access.isUniformBelow(directory);
  }

  /** Remembers whether the last thing that was asked for is denied. */
  boolean denies(boolean denies) {
    denied = denies;
    return denies;
  }
}
