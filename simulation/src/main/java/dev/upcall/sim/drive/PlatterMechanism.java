package dev.upcall.sim.drive;

/**
 * Heads over {@link Geometry.Platters}. Each zone is a whole number of tracks, and a track begins
 * at the same angle as all others, where the one before ends: a run of blocks passes without a
 * pause, as on a drive whose skew hides the change of heads.
 */
final class PlatterMechanism implements Mechanism {
  private final Geometry.Platters geometry;
  private final Zone[] zones;
  private long head;

  /**
   * A part with equal tracks.
   *
   * @param first its first block
   * @param firstTrack how many tracks are before it
   * @param trackBlocks blocks of a track
   */
  private record Zone(long first, long firstTrack, int trackBlocks) {
    long track(long block) {
      return firstTrack + (block - first) / trackBlocks;
    }
  }

  PlatterMechanism(Geometry.Platters geometry) {
    this.geometry = geometry;
    this.zones = new Zone[geometry.zones()];
    int steps = Math.max(1, geometry.zones() - 1);
    long zoneBlocks = geometry.blocks() / geometry.zones();
    long first = 0;
    long track = 0;
    for (int i = 0; i < zones.length; i++) {
      int fewer = (geometry.outerTrackBlocks() - geometry.innerTrackBlocks()) * i / steps;
      int trackBlocks = geometry.outerTrackBlocks() - fewer;
      zones[i] = new Zone(first, track, trackBlocks);
      long tracks = zoneBlocks / trackBlocks;
      first += tracks * trackBlocks;
      track += tracks;
    }
  }

  @Override
  public long accessNanos(long nowNanos, long block) {
    long there = nowNanos + seekNanos(block);
    long rotation = geometry.rotationNanos();
    return there - nowNanos + Math.floorMod(passage(block) - there, rotation);
  }

  private long seekNanos(long block) {
    if (zone(block).track(block) == zone(head).track(head)) {
      return 0;
    }
    double part = Math.min(1.0, (double) Math.abs(block - head) / geometry.blocks());
    return geometry.leastSeekNanos() + (long) (geometry.seekSpanNanos() * Math.sqrt(part));
  }

  @Override
  public long passNanos(long from, long to) {
    return passage(to) - passage(from);
  }

  @Override
  public void moveTo(long block) {
    head = block;
  }

  @Override
  public long head() {
    return head;
  }

  /** When a block begins to pass if all do, one after the other, from the first one on. */
  private long passage(long block) {
    Zone zone = zone(block);
    long offset = (block - zone.first) % zone.trackBlocks;
    return zone.track(block) * geometry.rotationNanos()
        + offset * geometry.rotationNanos() / zone.trackBlocks;
  }

  private Zone zone(long block) {
    int at = zones.length - 1;
    while (zones[at].first > block) {
      at--;
    }
    return zones[at];
  }
}
