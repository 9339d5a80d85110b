/**
 * Models' services on this machine, which say what a test tells them: Anthropic's Messages and
 * OpenAI's Chat Completions, streaming, as the vendors' own libraries read them.
 */
@NullMarked
package mesh.simulator.model;

import org.jspecify.annotations.NullMarked;
