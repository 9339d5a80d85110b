package mesh.inference;

import java.net.URI;
import java.util.List;
import mesh.secret.Secret;
import org.jspecify.annotations.Nullable;

/**
 * Where models are asked, and with which key.
 *
 * @param name an operator's word for it
 * @param baseUrl checked when it was saved, and again whenever it is connected to
 * @param allowPrivate whether an operator said that this machine and private networks are meant;
 *     only then may it be http, and only there
 * @param key null for a service that wants none
 * @param prices for what of its models costs are counted
 */
public record Connection(
    String name,
    Wire wire,
    URI baseUrl,
    boolean allowPrivate,
    @Nullable Secret key,
    List<Price> prices) {

  public Connection {
    prices = List.copyOf(prices);
  }

  /** The protocol that is spoken there. */
  public enum Wire {
    /** Anthropic's Messages API. */
    ANTHROPIC,
    /** OpenAI's Chat Completions API, which many services speak. */
    OPENAI
  }

  /**
   * What a model costs, in millionths of any currency per million tokens.
   *
   * @param model the name that its service knows it by
   */
  public record Price(String model, long input, long cachedInput, long output) {}
}
