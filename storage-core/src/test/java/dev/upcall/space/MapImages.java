package dev.upcall.space;

import java.util.ArrayList;
import java.util.List;

/** What an image has to have written. */
public final class MapImages {
  private MapImages() {}

  /** All chunks that have not been taken yet. */
  public static List<MapChunk> chunks(MapImage image) {
    List<MapChunk> chunks = new ArrayList<>();
    for (MapChunk chunk = image.next(); chunk != null; chunk = image.next()) {
      chunks.add(chunk);
    }
    return chunks;
  }
}
