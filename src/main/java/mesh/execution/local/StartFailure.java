package mesh.execution.local;

import java.io.IOException;
import java.util.regex.Pattern;

/** Why the operating system did not start a program that was there a moment ago. */
enum StartFailure {
  MISSING,
  NOT_EXECUTABLE,
  BUSY,
  OTHER;

  /** Java has the number in the message alone. */
  private static final Pattern ERROR = Pattern.compile("error[=:] ?(\\d+)(.*)");

  static StartFailure of(IOException failure) {
    var error = ERROR.matcher(String.valueOf(failure.getMessage()));
    if (!error.find()) {
      return OTHER;
    }
    return switch (error.group(1)) {
      // ENOENT: a script's interpreter is missing.
      case "2" -> MISSING;
      // EACCES and ENOEXEC.
      case "13", "8" -> NOT_EXECUTABLE;
      // ETXTBSY.
      case "26" -> BUSY;
      default -> OTHER;
    };
  }

  /** The system's words without the program's name. */
  static String words(IOException failure) {
    var error = ERROR.matcher(String.valueOf(failure.getMessage()));
    return error.find() ? error.group() : "the system gave no reason";
  }
}
