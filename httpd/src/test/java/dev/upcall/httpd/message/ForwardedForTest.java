package dev.upcall.httpd.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.httpd.TrustedProxies;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ForwardedForTest {
  private static final TrustedProxies TRUSTED =
      TrustedProxies.parse(List.of("10.0.0.0/8", "2001:db8:ffff::/48"));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "X-Forwarded-For: 192.0.2.1 | 192.0.2.1",
        "X-Forwarded-For: 198.51.100.9, 192.0.2.1 | 192.0.2.1",
        "X-Forwarded-For: 192.0.2.1, 10.1.2.3 | 192.0.2.1",
        "X-Forwarded-For: 198.51.100.9;X-Forwarded-For: 192.0.2.1 | 192.0.2.1",
        "X-Forwarded-For: 10.9.9.9, 10.1.2.3 | 10.9.9.9",
        "X-Forwarded-For: 192.0.2.1:4711 | 192.0.2.1",
        "X-Forwarded-For: [2001:db8::1]:4711 | 2001:db8:0:0:0:0:0:1",
        "X-Forwarded-For: 2001:db8::1, 2001:db8:ffff::2 | 2001:db8:0:0:0:0:0:1",
        "X-Forwarded-For: unknown | 10.0.0.1",
        "X-Forwarded-For: 192.0.2.1, unknown | 10.0.0.1",
        "X-Forwarded-For: 192.0.2.1, unknown, 10.5.5.5 | 10.5.5.5",
        "X-Forwarded-For: host.example | 10.0.0.1",
        "X-Forwarded-For: 192.0.2 | 10.0.0.1",
        "X-Forwarded-For: fe80::1%eth0 | 10.0.0.1",
        "X-Forwarded-For:  | 10.0.0.1",
        "Forwarded: for=192.0.2.1 | 192.0.2.1",
        "Forwarded: proto=https, For=\"[2001:db8::1]:80\" | 2001:db8:0:0:0:0:0:1",
        "Forwarded: for=192.0.2.1;proto=https | 192.0.2.1",
        "Forwarded: for=198.51.100.9, for=192.0.2.1 | 192.0.2.1",
        "Forwarded: for=192.0.2.1, proto=https | 10.0.0.1",
        "Forwarded: for=_hidden | 10.0.0.1",
        "Forwarded: for=192.0.2.1;X-Forwarded-For: 192.0.2.1 | 10.0.0.1",
        "Other: 192.0.2.1 | 10.0.0.1",
      })
  void theRightmostAddressThatIsNoProxys(String fields, String client) throws UnknownHostException {
    HttpHeaders headers = new DefaultHttpHeaders();
    for (String field : fields.split(";(?=X-)")) {
      String[] pair = field.split(":\\s*", 2);
      headers.add(pair[0], pair[1]);
    }
    InetAddress proxy = InetAddress.getByName("10.0.0.1");
    assertEquals(client, ForwardedFor.client(headers, proxy, TRUSTED).getHostAddress());
  }

  @Test
  void networksHaveTheirAddressesAndNoOthers() throws UnknownHostException {
    assertTrue(TRUSTED.has(InetAddress.getByName("10.255.0.1")));
    assertFalse(TRUSTED.has(InetAddress.getByName("11.0.0.1")));
    assertTrue(TRUSTED.has(InetAddress.getByName("2001:db8:ffff:1::")));
    assertFalse(TRUSTED.has(InetAddress.getByName("2001:db8:fffe::")));
    TrustedProxies one = TrustedProxies.parse(List.of("192.0.2.128/25", "::1"));
    assertTrue(one.has(InetAddress.getByName("192.0.2.255")));
    assertFalse(one.has(InetAddress.getByName("192.0.2.127")));
    assertTrue(one.has(InetAddress.getByName("::1")));
    assertFalse(one.has(InetAddress.getByName("::2")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"proxy", "10.0.0.0/33", "10.0.0.0/x", "10.0.0", "::1/129", "10.0.0.0/-1", ""})
  void whatIsNoNetworkIsRefused(String text) {
    assertThrows(IllegalArgumentException.class, () -> TrustedProxies.parse(List.of(text)));
  }
}
