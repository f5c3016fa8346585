package dev.upcall.segment;

import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;

/** The right of new content to hold frames. Dispatcher's thread only. */
public interface StagingPlace {
  /** That of content whose frames are counted elsewhere. */
  StagingPlace ALWAYS =
      new StagingPlace() {
        @Override
        public boolean tryTake(int blocks) {
          return true;
        }

        @Override
        public void await(CompletionPort<Unit> port) {
          throw new IllegalStateException("nothing to wait for");
        }

        @Override
        public void leave() {}
      };

  /** Whether it may hold a frame of so many blocks; what it needs for that is taken now. */
  boolean tryTake(int blocks);

  /** Completes when it may hold frames of any size, or with the reason why it may not. */
  void await(CompletionPort<Unit> port);

  /** It holds nothing any more, and waits for nothing: who waited is not told. */
  void leave();
}
