package dev.upcall.httpd.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.httpd.listing.ListingOrder.Place;
import dev.upcall.httpd.listing.ListingQuery;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables of what the header fields and queries of reading mean. */
class ReadingSyntaxTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "bytes=0-0 | 10 | 0+1",
        "bytes=0-9 | 10 | 0+10",
        "bytes=0-10 | 10 | 0+10",
        "bytes=3-5 | 10 | 3+3",
        "bytes=9- | 10 | 9+1",
        "bytes=0- | 10 | 0+10",
        "bytes=-1 | 10 | 9+1",
        "bytes=-10 | 10 | 0+10",
        "bytes=-11 | 10 | 0+10",
        "BYTES=3-5 | 10 | 3+3",
        "bytes= 3-5 | 10 | 3+3",
        "bytes=10- | 10 | none",
        "bytes=10-20 | 10 | none",
        "bytes=-0 | 10 | none",
        "bytes=0- | 0 | none",
        "bytes=0-0 | 0 | none",
        "bytes=-5 | 0 | whole",
        "bytes=5-3 | 10 | whole",
        // several: RFC 9110, sections 14.1.2, 14.2 and 15.3.7
        "bytes=0-0,2-3 | 10 | 0+1 2+2",
        "bytes=5-6 , 0-1,-1 | 10 | 5+2 0+2 9+1",
        "bytes=0-1,2-3 | 10 | 0+2 2+2",
        "bytes=0-1,20-30,3-4 | 10 | 0+2 3+2",
        "bytes=0-1,20-30 | 10 | 0+2",
        "bytes=20-30,0-1 | 10 | 0+2",
        "bytes=20-30,40-,-0 | 10 | none",
        "bytes=0-4,3-5 | 10 | whole",
        "bytes=0-,-1 | 10 | whole",
        "bytes=1-1,1-1 | 10 | whole",
        "bytes=0-1,3-2 | 10 | whole",
        "bytes=0-1,x | 10 | whole",
        "bytes=0-0,2-2,4-4,6-6,8-8,10-10,12-12,14-14,16-16,18-18,20-20,22-22,24-24,26-26,28-28,30-30"
            + " | 40 | 0+1 2+1 4+1 6+1 8+1 10+1 12+1 14+1 16+1 18+1 20+1 22+1 24+1 26+1 28+1 30+1",
        "bytes=0-0,2-2,4-4,6-6,8-8,10-10,12-12,14-14,16-16,18-18,20-20,22-22,24-24,26-26,28-28,30-30,"
            + "32-32 | 40 | whole",
        "bytes=0-0, | 10 | 0+1",
        "bytes=,0-1 | 10 | 0+2",
        "bytes=, ,\t3-5 , | 10 | 3+3",
        "bytes=,0-0,,2-3 | 10 | 0+1 2+2",
        "bytes=, | 10 | whole",
        "bytes=,,- | 10 | whole",
        "bytes=- | 10 | whole",
        "bytes= | 10 | whole",
        "bytes | 10 | whole",
        "bytes=a-b | 10 | whole",
        "bytes=1-2x | 10 | whole",
        "bytes=1--2 | 10 | whole",
        "bytes=+1-2 | 10 | whole",
        "bytes=1 | 10 | whole",
        "bytes 1-2 | 10 | whole",
        "lines=1-2 | 10 | whole",
        "bytes=2147483648-4294967296 | 9000000000 | 2147483648+2147483649",
        "bytes=-4294967296 | 9000000000 | 4705032704+4294967296",
        "bytes=0-9223372036854775807 | 9000000000 | 0+9000000000",
        "bytes=5-99999999999999999999999 | 10 | 5+5",
        "bytes=-99999999999999999999999 | 10 | 0+10",
        "bytes=99999999999999999999999- | 10 | none"
      })
  void ranges(String field, long sizeBytes, String meaning) {
    String got =
        switch (ByteRange.parse(field, sizeBytes)) {
          case ByteRange.Whole whole -> "whole";
          case ByteRange.Unsatisfiable none -> "none";
          case ByteRange.Part(long first, long length) -> first + "+" + length;
          case ByteRange.Parts(List<ByteRange.Part> parts) ->
              parts.stream()
                  .map(part -> part.firstByte() + "+" + part.lengthBytes())
                  .collect(Collectors.joining(" "));
        };
    assertEquals(meaning, got);
  }

  /** However a field of digests looks, it is read or refused. */
  @Test
  void digestFieldsOfAnyText() {
    SplittableRandom random = new SplittableRandom(6);
    String[] words = {
      "sha-256", "sha-512", "md5", "=", "=:", ":", ",", " ", "AAAA", "A", "=", "10", "0", "*", ";",
      "a=b", "é", "x y", "\""
    };
    int read = 0;
    for (int round = 0; round < 100_000; round++) {
      StringBuilder field = new StringBuilder();
      for (int i = random.nextInt(8); i > 0; i--) {
        field.append(words[random.nextInt(words.length)]);
      }
      DefaultHttpHeaders headers = new DefaultHttpHeaders();
      headers.set("Repr-Digest", field.toString().strip()); // as the decoder gives it
      boolean broken = DigestFields.whatIsWrong(headers) != null;
      assertEquals(broken, DigestFields.of(headers) == null);
      read += broken ? 0 : 1;
      DigestFields.wants(field.toString());
    }
    assertTrue(read > 1000, "few were read");
  }

  @Test
  void whateverIsAskedTheBytesAreThoseOfTheFile() {
    SplittableRandom random = new SplittableRandom(5);
    String alphabet = "0123456789-,= bytes*";
    for (int round = 0; round < 200_000; round++) {
      StringBuilder field = new StringBuilder(random.nextInt(10) == 0 ? "" : "bytes=");
      int length = random.nextInt(12);
      for (int i = 0; i < length; i++) {
        boolean digits = random.nextInt(3) > 0;
        field.append(alphabet.charAt(random.nextInt(digits ? 11 : alphabet.length())));
      }
      long size = random.nextLong(1L << random.nextInt(1, 40));
      List<ByteRange.Part> parts =
          switch (ByteRange.parse(field.toString(), size)) {
            case ByteRange.Part part -> List.of(part);
            case ByteRange.Parts(List<ByteRange.Part> several) -> several;
            case ByteRange.Whole _, ByteRange.Unsatisfiable _ -> List.of();
          };
      long sum = 0;
      for (ByteRange.Part part : parts) {
        long first = part.firstByte();
        long n = part.lengthBytes();
        assertTrue(first >= 0 && n > 0 && first + n <= size, field + " of " + size);
        sum += n;
      }
      assertTrue(sum <= size, field + " of " + size);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "\"1-2\" | true | true",
        "W/\"1-2\" | true | false",
        "\"x\", \"1-2\" | true | true",
        "\"x\",\"y,z\" ,\t\"1-2\" | true | true",
        "W/\"1-2\", \"1-2\" | true | true",
        "* | true | true",
        "~ * ~ | true | true",
        "\"1-22\" | false | false",
        "\"\" | false | false",
        "1-2 | false | false",
        "\"1-2 | false | false",
        "x, \"1-2\" | false | false",
        "w/\"1-2\" | false | false",
        "W/ \"1-2\" | false | false",
        "\"x\", *, \"1-2\" | false | false",
        "~~ | false | false"
      })
  void entityTags(String list, boolean weakly, boolean strongly) {
    assertEquals(weakly, EntityTags.weaklyMatch(list, "1-2"));
    assertEquals(strongly, EntityTags.stronglyMatch(list, "1-2"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/json",
        "Application/JSON",
        "application/json, text/html;q=0.9",
        "text/html;q=0.5,application/json;q=0.501",
        "application/*",
        "application/json, text/plain, */*",
        "application/json;charset=utf-8, */*;q=0.8",
        "text/*;q=0.3, application/json;q=0.4",
        "*/*, text/html;q=0",
        "application/json ; q=1.000",
        "text/html;q=2, application/json;q=0.1"
      })
  void thoseWhoWantJson(String accept) {
    assertTrue(Acceptance.prefersJson(accept));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "*/*",
        "text/html",
        "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
        "text/html, application/json",
        "application/json;q=0",
        "application/json;q=0.0",
        "application/json;q=0.9, */*",
        "application/json;q=nonsense",
        "application/json;q=",
        "application/json;q=1.5",
        "image/png",
        "application/jsonp",
        "json",
        ",,;;,q=1",
        "application/*;q=1, application/json;q=0.1, text/*;q=0.2"
      })
  void thoseWhoGetHtml(String accept) {
    assertFalse(Acceptance.prefersJson(accept));
  }

  private static ListingQuery query(String target) {
    Request asked =
        new Request(
            null,
            false,
            true,
            true,
            RequestTarget.parse(target),
            Conditions.NONE,
            "text/html",
            null,
            false,
            null,
            null);
    return ListingQuery.of(asked, 1000);
  }

  @Test
  void pagesThatAreAskedFor() {
    ListingQuery plain = query("/d/");
    assertNotNull(plain);
    assertNull(plain.cursor());
    assertEquals(1000, plain.entries());
    assertEquals("./", plain.first());
    assertEquals("?after=a%20b%26", plain.next(new Place(0, "a b&")));
    ListingQuery limited = query("/d/?x&limit=7&after=%C3%A9+e&y&x=1&x=2");
    assertNotNull(limited);
    assertEquals(new ListingQuery.Cursor(false, new Place(0, "é e")), limited.cursor());
    assertEquals(7, limited.entries());
    assertEquals("?limit=7", limited.first());
    assertEquals("?after=%3C&limit=7", limited.next(new Place(0, "<")));
    assertEquals(10_000, query("/d/?limit=999999999").entries());
    assertNull(query("/d/?after=").cursor());
    assertEquals("?before=%3C&limit=7", limited.previous(new Place(0, "<")));
    assertEquals("?before=&limit=7", limited.last());
    ListingQuery sorted = query("/d/?limit=2000&before=-1%3Aa%3Ab&order=desc&sort=modified");
    assertNotNull(sorted);
    assertEquals(new ListingQuery.Cursor(true, new Place(-1, "a:b")), sorted.cursor());
    assertEquals(1000, sorted.entries());
    assertEquals(
        "?sort=modified&order=desc&after=7%3A%25&limit=1000", sorted.next(new Place(7, "%")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "after=%",
        "after=%zz",
        "after=%ff",
        "after=a%2Fb",
        "limit=",
        "limit=0",
        "limit=-1",
        "limit=1e3",
        "limit=9999999999",
        "limit=%",
        "limit=7&limit=9",
        "after=a&after=a",
        "after=a&before=b",
        "sort=Name",
        "order=down",
        "sort=size&after=name",
        "sort=size&after=1%3A"
      })
  void pagesThatNobodyCanMean(String query) {
    assertNull(query("/d/?" + query));
  }
}
