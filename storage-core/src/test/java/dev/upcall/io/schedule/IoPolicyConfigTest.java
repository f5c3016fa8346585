package dev.upcall.io.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.io.elevator.ElevatorConfig;
import dev.upcall.io.elevator.ElevatorPolicyConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class IoPolicyConfigTest {
  @ParameterizedTest
  @EnumSource
  void aPolicyAloneHasItsStandardKnobs(ElevatorPolicyConfig.Kind kind) {
    IoPolicyConfig config = IoPolicyConfig.parse(kind.name());
    assertEquals(ElevatorPolicyConfig.of(kind), config);
    assertEquals(config, IoPolicyConfig.parse(config.toString()), "what is written is read");
  }

  @ParameterizedTest
  @EnumSource
  void sharesAloneHaveTheirStandardKnobs(SharePolicyConfig.Kind kind) {
    IoPolicyConfig config = IoPolicyConfig.parse(kind.name());
    assertEquals(SharePolicyConfig.all().get(kind.ordinal()), config);
    assertEquals(config, IoPolicyConfig.parse(config.toString()), "what is written is read");
  }

  @Test
  void whatAStoreHasUnlessAsked() {
    assertEquals(SharePolicyConfig.FAIR, IoPolicyConfig.parse("fair"));
    // Which is known at once: the table of knobs says the same of it.
    assertEquals(SharePolicyConfig.FAIR, PolicyKnobs.parse("fair"));
    assertEquals(FairShareConfig.defaults(), shares("fair").shares());
    assertEquals(0, SharePolicyConfig.FAIR.merging().maxBytes());
  }

  @Test
  void knobsAreSetByTheirNames() {
    ElevatorPolicyConfig deadline =
        elevator("DEADLINE, depth=4, read=20ms,write=1s,batch=3,starved=7,merge=64k");
    assertEquals(4, deadline.elevator().depth());
    assertEquals(
        new ElevatorConfig.Deadline(20_000_000, 1_000_000_000, 3, 7),
        deadline.elevator().deadline());
    assertEquals(new MergeConfig(64 << 10, true), deadline.merging());
    ElevatorPolicyConfig cfq = elevator("cfq,idle=0ns,quantum=9,front=0");
    assertEquals(0, cfq.elevator().cfq().idleNanos());
    assertEquals(9, cfq.elevator().cfq().quantum());
    assertEquals(new MergeConfig(512 << 10, false), cfq.merging());
    SharePolicyConfig fair = shares("fair,depth=4,rest=0,reads=100,window=0ns");
    assertEquals(4, fair.shares().depth());
    assertEquals(4, fair.shares().backgroundDepth(), "no more than all");
    assertEquals(100, fair.shares().weights().read());
    assertEquals(0, fair.shares().pacing().restFactor());
    SharePolicyConfig rotating =
        shares("rotating,depth=3,turn=50ms,turnwrites=8,wait=0ms,seek=9,rest=3");
    assertEquals(new HeadConfig(3, 50_000_000, 8, 0, 9), rotating.heads());
    assertEquals(3, rotating.shares().pacing().restFactor());
    assertEquals(MergeConfig.DEFAULT, rotating.merging());
  }

  @Test
  void ticksGiveTheTimesOfAnotherKernel() {
    assertEquals(4_000_000, wait("anticipatory,ticks=250"));
    assertEquals(6_000_000, wait("anticipatory,ticks=1000"));
    assertEquals(10_000_000, wait("anticipatory,ticks=100"));
    assertEquals(5_000_000, wait("anticipatory,ticks=100,wait=5ms"));
  }

  private static long wait(String text) {
    return elevator(text).elevator().anticipatory().waitNanos();
  }

  private static ElevatorPolicyConfig elevator(String text) {
    return assertInstanceOf(ElevatorPolicyConfig.class, IoPolicyConfig.parse(text));
  }

  private static SharePolicyConfig shares(String text) {
    return assertInstanceOf(SharePolicyConfig.class, IoPolicyConfig.parse(text));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "elevator | there is no policy 'elevator', only noop, deadline, anticipatory, cfq, fair, flat, rotating",
        "noop,batch=3 | noop has no knob 'batch', only depth, merge, front, ticks",
        "fair,ticks=250 | fair has no knob 'ticks', only depth, log, background",
        "noop,depth=0 | depth is 0, must be from 1 to 65536",
        "noop,depth=99999999999 | depth is 2147483647, must be from 1 to 65536",
        "deadline,read=61s | deadline of reads is 61000000000, must be from 1 to 60000000000",
        "deadline,read=5 | read is a time, such as 8ms",
        "deadline,batch=5ms | batch is a number, not a time: '5ms'",
        "deadline,batch= | '' is no value of batch",
        "deadline,batch | '' is no value of batch",
        "deadline,batch=-1 | '-1' is no value of batch",
        "cfq,ticks=50 | ticks is 50, must be from 100 to 1000",
        "noop,merge=2m | merge is 2097152, must be from 0 to 1048576",
        "noop,merge=5000 | merge is a number of bytes in whole blocks of 4k",
        "cfq,slice=999999999999999s | slice is too large: 999999999999999s",
        "fair,background=200 | backgroundDepth is 200, must be from 1 to 128",
        "fair,turn=5ms | fair has no knob 'turn', only depth, log, background",
        "rotating,turn=0ms | turn is 0, must be from 1 to 60000000000",
        "rotating,depth=0 | depth is 0, must be from 1 to 65536",
      })
  void whatCannotBeIsRefusedWithWhatCan(String text, String message) {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> IoPolicyConfig.parse(text));
    String said = String.valueOf(refused.getMessage());
    assertTrue(said.startsWith(message), said);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ",", "noop,", "=", "noop,=5", "noop,depth==4"})
  void nonsenseIsRefused(String text) {
    assertThrows(IllegalArgumentException.class, () -> IoPolicyConfig.parse(text));
  }
}
