package dev.upcall.sim;

import dev.upcall.base.Invariants;

/**
 * The nature of a simulated device.
 *
 * @param name the volume's name in messages
 * @param sizeBlocks the volume's size when it is new
 * @param capacityBlocks what the device can hold; more fails with {@code VolumeFull}
 * @param service what its requests take
 * @param sectorBytes what the device writes atomically: a torn write keeps or loses whole sectors
 */
public record SimDiskConfig(
    String name, long sizeBlocks, long capacityBlocks, ServiceModel service, int sectorBytes) {

  /** Checks the relations between the limits. */
  public SimDiskConfig {
    Invariants.check(sizeBlocks >= 0 && sizeBlocks <= capacityBlocks, "size", sizeBlocks);
    Invariants.check(capacityBlocks <= DiskImage.MAX_BLOCKS, "capacity", capacityBlocks);
    Invariants.check(
        capacityBlocks <= service.maxBlocks(),
        "more capacity than such a device has",
        capacityBlocks,
        service.maxBlocks());
    Invariants.check(
        sectorBytes >= 512 && Integer.bitCount(sectorBytes) == 1 && sectorBytes <= 4096,
        "sector",
        sectorBytes);
  }

  /** A device of a given size that can grow to eight times as much; 20 to 400 microseconds. */
  public static SimDiskConfig ofBlocks(long sizeBlocks) {
    return new SimDiskConfig(
        "sim", sizeBlocks, sizeBlocks * 8 + 64, new EvenTime(20_000, 400_000), 512);
  }

  /** The same with another capacity. */
  public SimDiskConfig withCapacity(long blocks) {
    return new SimDiskConfig(name, sizeBlocks, blocks, service, sectorBytes);
  }

  /** The same with other latencies. */
  public SimDiskConfig withLatency(long minNanos, long maxNanos) {
    return withService(new EvenTime(minNanos, maxNanos));
  }

  /** The same with requests that take something else. */
  public SimDiskConfig withService(ServiceModel other) {
    return new SimDiskConfig(name, sizeBlocks, capacityBlocks, other, sectorBytes);
  }

  /** The same with another sector size; 4096 tears between blocks only. */
  public SimDiskConfig withSector(int bytes) {
    return new SimDiskConfig(name, sizeBlocks, capacityBlocks, service, bytes);
  }
}
