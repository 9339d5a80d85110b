package mesh.simulator.http;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import java.util.HexFormat;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * A server's identity that nobody vouches for but itself, for {@code 127.0.0.1} and {@code
 * localhost}. The JDK makes none, so its encoding (RFC 5280) is spelt out.
 */
public final class SelfSigned {

  private static final String ECDSA_WITH_SHA256 = "300a06082a8648ce3d040302";

  /** One attribute: the common name "simulated". */
  private static final String NAME = "3014311230100603550403" + "0c0973696d756c61746564";

  /** Until the end of 2049. */
  private static final String VALIDITY =
      "301e170d3235303130313030303030305a170d3439313233313233353935395a";

  /** That it may vouch, and the names. */
  private static final String EXTENSIONS =
      "300f0603551d130101ff040530030101ff"
          + "301a0603551d110413301182096c6f63616c686f7374"
          + "87047f000001";

  private final KeyPair keys;
  private final Certificate certificate;

  private SelfSigned(KeyPair keys, Certificate certificate) {
    this.keys = keys;
    this.certificate = certificate;
  }

  public static SelfSigned create() {
    try {
      var generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(256);
      var keys = generator.generateKeyPair();
      var body = body(keys);
      var signature = Signature.getInstance("SHA256withECDSA");
      signature.initSign(keys.getPrivate());
      signature.update(body);
      var bits = element(0x03, join(new byte[] {0}, signature.sign()));
      var encoded = element(0x30, join(body, hex(ECDSA_WITH_SHA256), bits));
      var factory = CertificateFactory.getInstance("X.509");
      return new SelfSigned(keys, factory.generateCertificate(new ByteArrayInputStream(encoded)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] body(KeyPair keys) {
    var serial = BigInteger.valueOf(System.nanoTime() | 1).abs().toByteArray();
    return element(
        0x30,
        join(
            element(0xa0, hex("020102")),
            element(0x02, serial),
            hex(ECDSA_WITH_SHA256),
            hex(NAME),
            hex(VALIDITY),
            hex(NAME),
            keys.getPublic().getEncoded(),
            element(0xa3, element(0x30, hex(EXTENSIONS)))));
  }

  private static byte[] element(int tag, byte[] content) {
    var length = content.length;
    var head =
        length < 0x80
            ? new byte[] {(byte) tag, (byte) length}
            : length < 0x100
                ? new byte[] {(byte) tag, (byte) 0x81, (byte) length}
                : new byte[] {(byte) tag, (byte) 0x82, (byte) (length >> 8), (byte) length};
    return join(head, content);
  }

  private static byte[] join(byte[]... parts) {
    var joined = new ByteArrayOutputStream();
    for (var part : parts) {
      joined.writeBytes(part);
    }
    return joined.toByteArray();
  }

  private static byte[] hex(String digits) {
    return HexFormat.of().parseHex(digits);
  }

  /** What a client is to trust. */
  public String pem() {
    try {
      return "-----BEGIN CERTIFICATE-----\n"
          + Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII))
              .encodeToString(certificate.getEncoded())
          + "\n-----END CERTIFICATE-----\n";
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  SSLContext context() throws IOException {
    try {
      var store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      var password = new char[0];
      store.setKeyEntry("own", keys.getPrivate(), password, new Certificate[] {certificate});
      var managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      managers.init(store, password);
      var context = SSLContext.getInstance("TLS");
      context.init(managers.getKeyManagers(), null, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
