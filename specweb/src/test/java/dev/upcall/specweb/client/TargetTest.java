package dev.upcall.specweb.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** URLs of servers. */
class TargetTest {
  @Test
  void partsAreFound() {
    Target target = Target.of("http://127.0.0.1:8097/a/b/");
    assertEquals(8097, target.address().getPort());
    assertEquals("/a/b", target.base());
    assertEquals("127.0.0.1:8097", target.authority());
    assertEquals("http://127.0.0.1:8097/a/b/", target.url());
    assertTrue(target.isLoopback());
    assertEquals(80, Target.of("http://127.0.0.1").address().getPort());
    assertEquals("", Target.of("http://127.0.0.1").base());
    assertTrue(Target.of("http://[::1]:80/").isLoopback());
    assertFalse(Target.of("http://192.0.2.7/").isLoopback());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://127.0.0.1/",
        "127.0.0.1:80",
        "http:///path",
        "http://127.0.0.1/?a=b",
        "http://me@127.0.0.1/",
        "http://a b/",
        "",
      })
  void otherUrlsAreRefused(String url) {
    assertThrows(IllegalArgumentException.class, () -> Target.of(url));
  }
}
