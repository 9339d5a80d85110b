package mesh.settings;

import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.authentication;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.csrf;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.request;

import java.util.List;
import java.util.UUID;
import mesh.access.Operator;
import mesh.access.Role;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.test.web.servlet.MockMvc;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Calls as an operator. */
public final class Api {

  /** Mesh's own actor, whose row is always there. */
  private static final Operator OPERATOR = new Operator(new UUID(0, 1), "tester", Role.ADMIN);

  private static final JsonMapper json = new JsonMapper();

  private final MockMvc mvc;

  public Api(MockMvc mvc) {
    this.mvc = mvc;
  }

  public Answer get(String path) throws Exception {
    return call(HttpMethod.GET, path, "");
  }

  public Answer post(String path, String body) throws Exception {
    return call(HttpMethod.POST, path, body);
  }

  public Answer put(String path, String body) throws Exception {
    return call(HttpMethod.PUT, path, body);
  }

  public Answer patch(String path, String body) throws Exception {
    return call(HttpMethod.PATCH, path, body);
  }

  public Answer delete(String path) throws Exception {
    return call(HttpMethod.DELETE, path, "");
  }

  private Answer call(HttpMethod method, String path, String body) throws Exception {
    MockHttpServletResponse response =
        mvc.perform(
                request(method, path)
                    .contentType(MediaType.APPLICATION_JSON)
                    .content(body)
                    .with(
                        authentication(
                            UsernamePasswordAuthenticationToken.authenticated(
                                OPERATOR, "", List.of())))
                    .with(csrf()))
            .andReturn()
            .getResponse();
    return new Answer(response.getStatus(), response.getContentAsString());
  }

  public record Answer(int status, String body) {

    public JsonNode json() {
      return json.readTree(body);
    }

    /** Of a problem. */
    public String code() {
      return json().path("code").stringValue("");
    }
  }
}
