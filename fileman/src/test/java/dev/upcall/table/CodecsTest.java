package dev.upcall.table;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.UpcallException;
import java.lang.annotation.ElementType;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The bytes of each codec, which are on disks, and what each refuses. */
class CodecsTest {
  private record Day(int number) {}

  @Test
  void bytesOfEachCodecAreFixed() {
    assertBytes("80000001", Codecs.INT, 1);
    assertBytes("7fffffff", Codecs.INT, -1);
    assertBytes("8000000000000001", Codecs.LONG, 1L);
    assertBytes("bff0000000000000", Codecs.DOUBLE, 1.0);
    assertBytes("400fffffffffffff", Codecs.DOUBLE, -1.0);
    assertBytes("01", Codecs.BOOLEAN, true);
    assertBytes("800000000000000180000002", Codecs.INSTANT, Instant.ofEpochSecond(1, 2));
    assertBytes("c3a4", Codecs.STRING, "ä");
    assertBytes("4649454c44", Codecs.enums(ElementType.class), ElementType.FIELD);
    assertBytes("61000162000063", pairs(), new Pair<>("a\0b", "c"));
    assertBytes(
        "800000016100008000",
        Codecs.triple(Codecs.INT, Codecs.STRING, Codecs.BYTES).map(t -> t, t -> t),
        new Triple<>(1, "a", new byte[] {(byte) 0x80, 0}));
    assertBytes("9effff", Codecs.reversed(Codecs.STRING), "a");
    assertBytes("7ffffffe", Codecs.reversed(Codecs.INT), 1);
  }

  @Test
  void map_anotherTypeWithTheSameBytes_comesBack() {
    Codec<Day> days = Codecs.INT.map(Day::new, Day::number);
    assertBytes("80000007", days, new Day(7));
    assertEquals(new Day(7), days.decode(days.encode(new Day(7))));
    assertEquals(4, days.fixedBytes().orElseThrow());
  }

  @Test
  void encode_anUnpairedSurrogate_isInvalid() {
    assertThrows(UpcallException.Invalid.class, () -> Codecs.STRING.encode("a\uD800b"));
    assertThrows(UpcallException.Invalid.class, () -> pairs().encode(new Pair<>("\uDC00", "b")));
  }

  @Test
  void encode_null_isRefused() {
    for (Codec<?> codec :
        List.of(
            Codecs.INT,
            Codecs.LONG,
            Codecs.DOUBLE,
            Codecs.BOOLEAN,
            Codecs.INSTANT,
            Codecs.BYTES,
            Codecs.STRING,
            Codecs.enums(ElementType.class),
            pairs())) {
      assertThrows(NullPointerException.class, () -> encodeNothing(codec));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "800000", "8000000000"})
  void decode_intsOfAnotherLength_areRefused(String hex) {
    assertThrows(IllegalArgumentException.class, () -> Codecs.INT.decode(bytes(hex)));
  }

  /** Without an end, with half an escape, with an escape that is none. */
  @ParameterizedTest
  @ValueSource(strings = {"", "61", "6100", "610002", "610001"})
  void decode_aPairThatIsNone_isRefused(String hex) {
    assertThrows(IllegalArgumentException.class, () -> pairs().decode(bytes(hex)));
  }

  @Test
  void decode_otherBytesThatNoValueHas_areRefused() {
    assertThrows(IllegalArgumentException.class, () -> Codecs.BOOLEAN.decode(bytes("02")));
    assertThrows(
        IllegalArgumentException.class,
        () -> Codecs.INSTANT.decode(bytes("8000000000000001bb9aca00")));
    assertThrows(UpcallException.Invalid.class, () -> Codecs.STRING.decode(bytes("ff")));
    assertThrows(
        IllegalArgumentException.class, () -> Codecs.enums(ElementType.class).decode(bytes("61")));
    assertThrows(
        IllegalArgumentException.class,
        () -> Codecs.reversed(Codecs.STRING).decode(bytes("9effff00")));
    assertThrows(
        IllegalArgumentException.class,
        () -> Codecs.pair(Codecs.INT, Codecs.STRING).decode(bytes("8000")));
  }

  @Test
  void pair_ofACodecThatBreaksItsLength_isRefused() {
    Codec<String> broken = Codecs.INT.map(String::valueOf, Integer::valueOf);
    assertTrue(broken.fixedBytes().isPresent());
    Codec<byte[]> wrong =
        new Codec<>() {
          @Override
          public byte[] encode(byte[] value) {
            return value;
          }

          @Override
          public byte[] decode(byte[] bytes) {
            return bytes;
          }

          @Override
          public java.util.OptionalInt fixedBytes() {
            return java.util.OptionalInt.of(2);
          }
        };
    assertThrows(
        IllegalArgumentException.class,
        () -> Codecs.pair(wrong, Codecs.INT).encode(new Pair<>(new byte[3], 1)));
  }

  private static PairCodec<String, String> pairs() {
    return Codecs.pair(Codecs.STRING, Codecs.STRING);
  }

  @SuppressWarnings("NullAway") // that is what is tried
  private static <T> void encodeNothing(Codec<T> codec) {
    codec.encode(null);
  }

  private static <T> void assertBytes(String hex, Codec<T> codec, T value) {
    assertEquals(hex, HexFormat.of().formatHex(codec.encode(value)));
    assertArrayEquals(codec.encode(value), codec.encode(codec.decode(bytes(hex))));
  }

  private static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex);
  }
}
