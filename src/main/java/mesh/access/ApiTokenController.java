package mesh.access;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.net.URI;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import mesh.web.Cursor;
import mesh.web.Limit;
import mesh.web.Problem;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** API tokens for admins. The text of one is in the answer that made it and nowhere else. */
@RestController
@RequestMapping("/api/access/tokens")
final class ApiTokenController {

  record Wanted(@Nullable String name, @Nullable String role, @Nullable Instant expiresAt) {}

  record Answer(
      UUID id,
      String name,
      String role,
      @Nullable String createdBy,
      Instant createdAt,
      @Nullable Instant lastUsedAt,
      @Nullable Instant expiresAt,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String token) {

    static Answer of(ApiToken row) {
      return of(row, null);
    }

    static Answer of(ApiToken row, @Nullable String token) {
      return new Answer(
          row.id(),
          row.name(),
          Roles.word(row.role()),
          row.createdBy(),
          row.createdAt(),
          row.lastUsedAt(),
          row.expiresAt(),
          token);
    }
  }

  private final ApiTokens tokens;

  ApiTokenController(ApiTokens tokens) {
    this.tokens = tokens;
  }

  @GetMapping
  Map<String, @Nullable Object> list(
      @RequestParam(required = false) @Nullable Cursor cursor,
      @RequestParam(defaultValue = Limit.DEFAULT) Limit limit) {
    return tokens.newest(cursor, limit).map(Answer::of).json("tokens");
  }

  @PostMapping
  ResponseEntity<Answer> make(
      @AuthenticationPrincipal Operator operator, @RequestBody Wanted wanted) {
    ApiTokens.Made made =
        tokens.make(
            operator,
            wanted.name() == null ? "" : wanted.name(),
            role(wanted.role()),
            wanted.expiresAt());
    return ResponseEntity.created(URI.create("/api/access/tokens/" + made.row().id()))
        .body(Answer.of(made.row(), made.text().reveal()));
  }

  @DeleteMapping("/{id}")
  ResponseEntity<Void> revoke(@AuthenticationPrincipal Operator operator, @PathVariable UUID id) {
    if (!tokens.revoke(operator, id)) {
      throw Problem.notFound("token_unknown", "There is no token %s that is in use.".formatted(id));
    }
    return ResponseEntity.noContent().build();
  }

  private static Role role(@Nullable String word) {
    for (Role role : Role.values()) {
      if (role.name().toLowerCase(Locale.ROOT).equals(word)) {
        return role;
      }
    }
    throw Problem.badRequest("arguments_invalid", "/role must be viewer, operator or admin.")
        .with("pointer", "/role");
  }
}
