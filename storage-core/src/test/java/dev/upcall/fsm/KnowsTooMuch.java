package dev.upcall.fsm;

import dev.upcall.io.Disk;
import org.jspecify.annotations.Nullable;

/** Breaks the layers on purpose: the test of the layer rules must find it. */
public final class KnowsTooMuch {
  @Nullable Disk disk;
}
