package dev.upcall.fileman.plan;

import dev.upcall.content.StagedContent;

/** Where a batch takes the new content of a file from. */
sealed interface NewContent {
  /** Content that was brought along. */
  record Brought(StagedContent content) implements NewContent {}

  /** What a file had before the batch. */
  record Of(long source) implements NewContent {}
}
