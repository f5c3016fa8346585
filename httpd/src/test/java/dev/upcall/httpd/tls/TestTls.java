package dev.upcall.httpd.tls;

import dev.upcall.base.TestCertificates;
import dev.upcall.httpd.TlsConfig;

/** Settings of servers with a certificate of {@link TestCertificates}. */
public final class TestTls {
  private TestTls() {}

  /** One that asks its clients for nothing. */
  public static TlsConfig server(TlsConfig.Engine engine) {
    TestCertificates all = TestCertificates.shared();
    return TlsConfig.of(all.certificates("server"), all.key("server")).withEngine(engine);
  }
}
