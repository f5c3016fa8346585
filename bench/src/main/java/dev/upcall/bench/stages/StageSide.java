package dev.upcall.bench.stages;

import java.util.List;

/** Who opens, reads and closes, and the stages of it. */
public enum StageSide {
  /** State machines; the application is one thread beside them, with a passive port. */
  ASYNC("async", "state machines, application on a thread of its own"),

  /** The engine of threads, a platform thread for each call in flight. */
  THREADS("threads", "threads"),

  /** The engine of threads, a virtual thread for each call in flight. */
  VIRTUAL("virtual", "virtual threads");

  /**
   * A stage.
   *
   * @param key what the worker calls it
   * @param until what ends it, for tables
   */
  public record Stage(String key, String until) {
    private static final List<Stage> OF_REQUESTS =
        List.of(
            new Stage("requested", "I/O requested"),
            new Stage("started", "I/O started"),
            new Stage("finished", "I/O finished"),
            new Stage("posted", "posted"),
            new Stage("handled", "app. handles it"));

    private static final List<Stage> OF_CALLS =
        List.of(
            new Stage("requested", "I/O requested"),
            new Stage("running", "caller runs on"),
            new Stage("returned", "call returned"));
  }

  private final String key;
  private final String title;

  StageSide(String key, String title) {
    this.key = key;
    this.title = title;
  }

  /** For command lines and files. */
  public String key() {
    return key;
  }

  /** For people. */
  public String title() {
    return title;
  }

  /** In their order. */
  public List<Stage> stages() {
    return this == ASYNC ? Stage.OF_REQUESTS : Stage.OF_CALLS;
  }
}
