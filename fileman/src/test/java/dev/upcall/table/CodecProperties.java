package dev.upcall.table;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.annotation.ElementType;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Each codec gives back what it was given, and its bytes have the order of the values. */
class CodecProperties {
  private static final int TRIES = 1000;

  private static final Comparator<String> CODE_POINTS =
      (left, right) -> Arrays.compare(left.codePoints().toArray(), right.codePoints().toArray());

  private static final PairCodec<String, byte[]> NAMED_BYTES =
      Codecs.pair(Codecs.STRING, Codecs.BYTES);

  private static final Comparator<Pair<String, byte[]>> NAMED_BYTES_ORDER =
      Comparator.comparing((Pair<String, byte[]> pair) -> pair.first(), CODE_POINTS)
          .thenComparing(Pair::second, Arrays::compareUnsigned);

  @Property(tries = TRIES, seed = "1")
  void ints(@ForAll int left, @ForAll int right) {
    check(Codecs.INT, Comparator.naturalOrder(), left, right);
  }

  @Property(tries = TRIES, seed = "2")
  void longs(@ForAll long left, @ForAll long right) {
    check(Codecs.LONG, Comparator.naturalOrder(), left, right);
  }

  @Property(tries = TRIES, seed = "3")
  void doubles(@ForAll("doubles") double left, @ForAll("doubles") double right) {
    check(Codecs.DOUBLE, Comparator.naturalOrder(), left, right);
  }

  @Property(tries = TRIES, seed = "4")
  void booleans(@ForAll boolean left, @ForAll boolean right) {
    check(Codecs.BOOLEAN, Comparator.naturalOrder(), left, right);
  }

  @Property(tries = TRIES, seed = "5")
  void instants(@ForAll("instants") Instant left, @ForAll("instants") Instant right) {
    check(Codecs.INSTANT, Comparator.naturalOrder(), left, right);
  }

  @Property(tries = TRIES, seed = "6")
  void texts(@ForAll("texts") String left, @ForAll("texts") String right) {
    check(Codecs.STRING, CODE_POINTS, left, right);
  }

  @Property(tries = TRIES, seed = "7")
  void enums(@ForAll ElementType left, @ForAll ElementType right) {
    check(Codecs.enums(ElementType.class), Comparator.comparing(Enum::name), left, right);
  }

  @Property(tries = TRIES, seed = "8")
  void bytes(@ForAll("bytes") byte[] left, @ForAll("bytes") byte[] right) {
    assertArrayEquals(left, Codecs.BYTES.decode(Codecs.BYTES.encode(left)));
    assertOrder(Codecs.BYTES, Arrays::compareUnsigned, left, right);
  }

  @Property(tries = TRIES, seed = "9")
  void pairsOfVariableLength(
      @ForAll("pairs") Pair<String, byte[]> left, @ForAll("pairs") Pair<String, byte[]> right) {
    Pair<String, byte[]> back = NAMED_BYTES.decode(NAMED_BYTES.encode(left));
    assertEquals(left.first(), back.first());
    assertArrayEquals(left.second(), back.second());
    assertOrder(NAMED_BYTES, NAMED_BYTES_ORDER, left, right);
  }

  @Property(tries = TRIES, seed = "10")
  void thePrefixOfAPairSelectsItsFirstComponent(
      @ForAll("texts") String first, @ForAll("pairs") Pair<String, byte[]> pair) {
    byte[] prefix = NAMED_BYTES.prefix(first);
    assertEquals(first.equals(pair.first()), begins(NAMED_BYTES.encode(pair), prefix));
  }

  @Property(tries = TRIES, seed = "11")
  void triplesOfPairs(@ForAll("triples") List<Triple<Pair<String, byte[]>, Integer, String>> two) {
    TripleCodec<Pair<String, byte[]>, Integer, String> codec =
        Codecs.triple(NAMED_BYTES, Codecs.INT, Codecs.STRING);
    Comparator<Triple<Pair<String, byte[]>, Integer, String>> order =
        Comparator.comparing(
                (Triple<Pair<String, byte[]>, Integer, String> triple) -> triple.first(),
                NAMED_BYTES_ORDER)
            .thenComparing(Triple::second)
            .thenComparing(Triple::third, CODE_POINTS);
    assertOrder(codec, order, two.getFirst(), two.getLast());
    Triple<Pair<String, byte[]>, Integer, String> one = two.getFirst();
    assertArrayEquals(codec.encode(one), codec.encode(codec.decode(codec.encode(one))));
    byte[] prefix = codec.prefix(one.first(), one.second());
    boolean same =
        NAMED_BYTES_ORDER.compare(one.first(), two.getLast().first()) == 0
            && one.second().equals(two.getLast().second());
    assertEquals(same, begins(codec.encode(two.getLast()), prefix));
  }

  @Property(tries = TRIES, seed = "12")
  void reversedTexts(@ForAll("texts") String left, @ForAll("texts") String right) {
    check(Codecs.reversed(Codecs.STRING), CODE_POINTS.reversed(), left, right);
  }

  @Property(tries = TRIES, seed = "13")
  void reversedNumbersInPairs(@ForAll("numbers") List<Long> all) {
    Codec<Pair<Long, Long>> codec = Codecs.pair(Codecs.reversed(Codecs.LONG), Codecs.LONG);
    Comparator<Pair<Long, Long>> order =
        Comparator.comparing(Pair<Long, Long>::first).reversed().thenComparing(Pair::second);
    check(codec, order, new Pair<>(all.get(0), all.get(1)), new Pair<>(all.get(2), all.get(3)));
  }

  private static <T> void check(Codec<T> codec, Comparator<? super T> order, T left, T right) {
    assertEquals(left, codec.decode(codec.encode(left)));
    codec.fixedBytes().ifPresent(size -> assertEquals(size, codec.encode(left).length));
    assertOrder(codec, order, left, right);
    assertOrder(codec, order, left, left);
  }

  private static <T> void assertOrder(
      Codec<T> codec, Comparator<? super T> order, T left, T right) {
    assertEquals(
        Integer.signum(order.compare(left, right)),
        Integer.signum(Arrays.compareUnsigned(codec.encode(left), codec.encode(right))));
  }

  private static boolean begins(byte[] bytes, byte[] prefix) {
    return bytes.length >= prefix.length
        && Arrays.equals(bytes, 0, prefix.length, prefix, 0, prefix.length);
  }

  @Provide
  Arbitrary<Double> doubles() {
    return Arbitraries.oneOf(
        List.of(
            Arbitraries.longs().map(Double::longBitsToDouble),
            Arbitraries.of(
                0.0,
                -0.0,
                1.0,
                Double.NaN,
                Double.MIN_VALUE,
                -Double.MIN_VALUE,
                Double.POSITIVE_INFINITY,
                Double.NEGATIVE_INFINITY)));
  }

  @Provide
  Arbitrary<Instant> instants() {
    return Arbitraries.oneOf(
        List.of(
            Combinators.combine(
                    Arbitraries.longs()
                        .between(Instant.MIN.getEpochSecond(), Instant.MAX.getEpochSecond()),
                    Arbitraries.integers().between(0, 999_999_999))
                .as((seconds, nanos) -> Instant.ofEpochSecond(seconds, nanos)),
            Arbitraries.integers().between(-3, 3).map(nanos -> Instant.ofEpochSecond(0, nanos)),
            Arbitraries.of(Instant.MIN, Instant.EPOCH, Instant.MAX)));
  }

  /** Short, of few code points, so that many are equal or begin alike; from all planes. */
  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.<Integer>of(
            0, 1, (int) 'a', (int) 'b', 0xFF, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF)
        .list()
        .ofMaxSize(3)
        .map(points -> points.stream().map(Character::toString).collect(Collectors.joining()));
  }

  @Provide
  Arbitrary<byte[]> bytes() {
    return Arbitraries.of((byte) 0, (byte) 1, (byte) 0x7F, (byte) 0x80, (byte) 0xFF)
        .array(byte[].class)
        .ofMaxSize(3);
  }

  @Provide
  Arbitrary<Pair<String, byte[]>> pairs() {
    return Combinators.combine(texts(), bytes()).as(Pair::new);
  }

  @Provide
  Arbitrary<List<Triple<Pair<String, byte[]>, Integer, String>>> triples() {
    return Combinators.combine(pairs(), Arbitraries.integers().between(-1, 1), texts())
        .as(Triple::new)
        .list()
        .ofSize(2);
  }

  @Provide
  Arbitrary<List<Long>> numbers() {
    return Arbitraries.oneOf(List.of(Arbitraries.longs(), Arbitraries.longs().between(-1, 1)))
        .list()
        .ofSize(4);
  }
}
