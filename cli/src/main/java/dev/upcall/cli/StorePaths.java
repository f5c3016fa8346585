package dev.upcall.cli;

import dev.upcall.StorePath;
import dev.upcall.cli.option.CommandFailure;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;

/** Paths inside a store as users give them. */
final class StorePaths {
  private StorePaths() {}

  /** Parses one; a wrong one is wrong usage. */
  static StorePath parse(String path) {
    return switch (StorePath.parse(path)) {
      case Completion.Done<StorePath>(StorePath parsed) -> parsed;
      case Completion.Failed<StorePath>(Failure failure) ->
          throw CommandFailure.usage(failure.message());
    };
  }
}
