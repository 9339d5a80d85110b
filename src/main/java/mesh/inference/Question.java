package mesh.inference;

import org.jspecify.annotations.Nullable;

/**
 * What a client asks its service.
 *
 * @param temperature null leaves it to the service
 */
record Question(String model, int replyTokens, @Nullable Double temperature, Prompt prompt) {}
