package dev.upcall.cli.option;

import dev.upcall.StorePath;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;

/** Paths inside a store as users give them. */
public final class StorePaths {
  private StorePaths() {}

  /** Parses one; a wrong one is wrong usage. */
  public static StorePath parse(String path) {
    return switch (StorePath.parse(path)) {
      case Completion.Done<StorePath>(StorePath parsed) -> parsed;
      case Completion.Failed<StorePath>(Failure failure) ->
          throw CommandFailure.usage(failure.message());
    };
  }
}
