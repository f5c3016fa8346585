package dev.upcall.io.schedule;

/**
 * How an asker has asked so far: for how long he thinks between an answer and the next request, and
 * how far apart his requests are. Means that forget: each new value weighs an eighth.
 */
public final class AskerHistory {
  /** A pause that is longer says no more about the next one. */
  private final long maxThinkNanos;

  private final Decayed think = new Decayed();
  private final Decayed distance = new Decayed();
  private boolean asked;
  private boolean answered;
  private long answeredNanos;
  private long end;
  private int inside;
  private int queued;

  /** A mean whose weight is as good as one after some values. */
  private static final class Decayed {
    private double total;
    private double weight;

    private void add(long value) {
      total = (7 * total + (double) value) / 8;
      weight = (7 * weight + 1) / 8;
    }

    private boolean isKnown() {
      return weight > 0;
    }

    private double mean() {
      return total / weight;
    }
  }

  public AskerHistory(long maxThinkNanos) {
    this.maxThinkNanos = maxThinkNanos;
  }

  /** He asks. */
  public void asks(Dispatch dispatch, long nowNanos) {
    notes(dispatch, nowNanos);
    inside++;
    queued++;
  }

  /** Learns from a request, perhaps of another who works in the same place. */
  public void notes(Dispatch dispatch, long nowNanos) {
    if (asked) {
      boolean thought = answered && inside == 0;
      think.add(thought ? Math.min(nowNanos - answeredNanos, maxThinkNanos) : 0);
      distance.add(Math.abs(dispatch.block() - end));
    }
    asked = true;
    end = dispatch.end();
  }

  /** One of his requests goes to the device. */
  public void sent() {
    queued--;
  }

  /** One of his requests is answered. */
  public void answered(long nowNanos) {
    inside--;
    answered = true;
    answeredNanos = nowNanos;
  }

  /** Whether something of his waits. */
  public boolean hasQueued() {
    return queued > 0;
  }

  /** Whether something of his waits or is at the device. */
  public boolean isInside() {
    return inside > 0;
  }

  /** Whether he usually thinks for longer. */
  public boolean thinksLongerThan(long nanos) {
    return think.isKnown() && think.mean() > nanos;
  }

  /** Whether his next request is expected farther away than that. */
  public boolean goesFartherThan(long blocks) {
    return distance.isKnown() && distance.mean() > blocks;
  }
}
