package dev.upcall.io.schedule;

import java.util.List;

/**
 * Policies of another module. A {@link java.util.ServiceLoader} finds it when a name is none of
 * this module's.
 */
public interface PolicyProvider {
  /** Each with its standard knobs. */
  List<IoPolicyConfig> policies();
}
