package dev.upcall.bench.micro;

import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What the check of every block read costs: CRC32C over direct memory. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class ChecksumBenchmark {
  /** Bytes under one checksum. */
  @Param({"4096", "65536"})
  public int sizeBytes;

  private final CRC32C crc = new CRC32C();
  private ByteBuffer block = ByteBuffer.allocateDirect(0);

  /** Fills the block from a fixed seed. */
  @Setup
  public void fill() {
    byte[] bytes = new byte[sizeBytes];
    new Random(1).nextBytes(bytes);
    block = ByteBuffer.allocateDirect(sizeBytes).put(bytes);
  }

  /** One checksum of the whole block. */
  @Benchmark
  public long crc32c() {
    crc.reset();
    crc.update(block.clear());
    return crc.getValue();
  }
}
