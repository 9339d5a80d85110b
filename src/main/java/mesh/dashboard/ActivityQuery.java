package mesh.dashboard;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import mesh.activity.ActivityFilter;
import mesh.dashboard.view.FieldError;
import mesh.web.Cursor;
import org.springframework.web.util.UriComponentsBuilder;

/** What part of the activity is asked for, as typed; empty texts ask for all. */
record ActivityQuery(
    String agent, String run, String actor, String action, String since, Optional<Cursor> cursor) {

  private static final Pattern ID =
      Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

  List<FieldError> errors() {
    List<FieldError> errors = new ArrayList<>();
    if (!run.isEmpty() && !ID.matcher(run).matches()) {
      errors.add(
          new FieldError("run", "Enter the whole id of a run: copy it from the run's page."));
    }
    if (!since.isEmpty() && moment().isEmpty()) {
      errors.add(
          new FieldError("since", "Enter a date and time such as 2026-03-01T14:00, in UTC."));
    }
    return errors;
  }

  boolean filters() {
    return !parameters().isEmpty();
  }

  /** Of a query without errors. */
  ActivityFilter filter() {
    return new ActivityFilter(
        agent.isEmpty() ? null : agent,
        run.isEmpty() ? null : UUID.fromString(run),
        actor.isEmpty() ? null : actor,
        action.isEmpty() ? null : action,
        moment().orElse(null),
        cursor.orElse(null));
  }

  /** The list's address from its start. */
  String address() {
    return address("/activity", parameters());
  }

  String from(Cursor start) {
    Map<String, String> parameters = parameters();
    parameters.put("cursor", start.toString());
    return address("/activity", parameters);
  }

  String export(String format) {
    Map<String, String> parameters = new LinkedHashMap<>();
    parameters.put("format", format);
    parameters.putAll(parameters());
    moment().ifPresent(it -> parameters.put("since", it.toString()));
    return address("/api/activity/export", parameters);
  }

  private Map<String, String> parameters() {
    Map<String, String> parameters = new LinkedHashMap<>();
    parameters.put("agent", agent);
    parameters.put("run", run);
    parameters.put("actor", actor);
    parameters.put("action", action);
    parameters.put("since", since);
    parameters.values().removeIf(String::isEmpty);
    return parameters;
  }

  private static String address(String path, Map<String, String> parameters) {
    UriComponentsBuilder address = UriComponentsBuilder.fromPath(path);
    parameters.keySet().forEach(it -> address.queryParam(it, "{" + it + "}"));
    return address.encode().buildAndExpand(parameters).toUriString();
  }

  /** A browser's own field gives no zone; whoever writes the address by hand may. */
  private Optional<Instant> moment() {
    try {
      if (since.length() <= 10) {
        return Optional.of(LocalDate.parse(since).atStartOfDay(ZoneOffset.UTC).toInstant());
      }
      return Optional.of(
          since.endsWith("Z")
              ? Instant.parse(since)
              : LocalDateTime.parse(since).toInstant(ZoneOffset.UTC));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
