package mesh.inference;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import mesh.inference.Connection.Wire;
import mesh.simulator.model.ModelReply;
import tools.jackson.databind.node.JsonNodeFactory;

/** Conversations of a given length with a simulated service, for measurements. */
public final class ModelRounds implements AutoCloseable {

  private final SimulatedService service;

  /**
   * @param wire the name of one
   */
  public ModelRounds(String wire) throws IOException {
    service = new SimulatedService(Wire.valueOf(wire));
    service.simulator.script(
        _ -> ModelReply.says("A reply of some forty characters, as is usual."));
  }

  /** Asks for the next reply after so many calls with results of 1,000 characters. */
  public void ask(int calls) throws InterruptedException {
    var nothing = JsonNodeFactory.instance.objectNode();
    var messages = new ArrayList<Message>();
    messages.add(new Message.Asked("Count the files."));
    for (int i = 0; i < calls; i++) {
      var id = "call_number_" + i;
      var call = List.of(new Reply.Call(id, "read", nothing));
      messages.add(
          new Message.Replied(Reply.of("I look.", call, Reply.Stop.CALLS, Reply.Usage.NONE)));
      messages.add(
          new Message.Results(
              List.of(new Message.Result(id, "read", false, nothing, "x".repeat(1_000)))));
    }
    service.ask(messages.toArray(Message[]::new));
  }

  @Override
  public void close() {
    service.close();
  }
}
