package mesh.access;

import jakarta.servlet.DispatcherType;
import java.time.Clock;
import java.util.concurrent.TimeUnit;
import mesh.web.Problem;
import mesh.web.Problems;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.security.authentication.LockedException;
import org.springframework.security.authentication.ProviderManager;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.intercept.AuthorizationFilter;
import org.springframework.security.web.context.RequestAttributeSecurityContextRepository;
import org.springframework.security.web.csrf.CsrfFilter;
import org.springframework.security.web.csrf.CsrfTokenRepository;
import org.springframework.security.web.csrf.HttpSessionCsrfTokenRepository;
import org.springframework.security.web.firewall.RequestRejectedHandler;
import org.springframework.security.web.savedrequest.NullRequestCache;
import org.springframework.session.web.http.CookieSerializer;
import org.springframework.session.web.http.DefaultCookieSerializer;

/**
 * How callers prove who they are: agents by their run's token, operators' programs by an API token
 * or a dashboard's session, people by a session. What they may then do is in {@link AccessRules}.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(AccessSettings.class)
class SecurityChains {

  private final AccessRules rules = new AccessRules();
  private final Problems problems;
  private final Refusals refusals;

  // No bean: Spring Boot would put a filter that is one into every request's way.
  private final OriginFilter origin;

  SecurityChains(Problems problems, Refusals refusals, AccessSettings settings) {
    this.problems = problems;
    this.refusals = refusals;
    this.origin = new OriginFilter(settings, problems);
  }

  @Bean
  @Order(1)
  SecurityFilterChain agentsChain(HttpSecurity http, RunTokens tokens, FailedCalls failures) {
    return common(http.securityMatcher("/api/agent/**", "/mcp/**"))
        .securityContext(context ->
            context.securityContextRepository(new RequestAttributeSecurityContextRepository()))
        .csrf(AbstractHttpConfigurer::disable)
        .sessionManagement(AbstractHttpConfigurer::disable)
        .logout(AbstractHttpConfigurer::disable)
        .addFilterBefore(new BearerFilter(tokens::caller, failures, problems), CsrfFilter.class)
        .addFilterBefore(origin, BearerFilter.class)
        .build();
  }

  @Bean
  @Order(2)
  SecurityFilterChain probesChain(HttpSecurity http, ApiTokens tokens, FailedCalls failures) {
    return common(http.securityMatcher("/actuator/health/**"))
        .addFilterBefore(
            BearerFilter.optional(tokens::holder, failures, problems), AuthorizationFilter.class)
        .csrf(AbstractHttpConfigurer::disable)
        .sessionManagement(AbstractHttpConfigurer::disable)
        .logout(AbstractHttpConfigurer::disable)
        .build();
  }

  @Bean
  @Order(3)
  SecurityFilterChain programsChain(
      HttpSecurity http,
      ApiTokens tokens,
      FailedCalls failures,
      Sessions sessions,
      CsrfTokenRepository csrfTokens) {
    return common(http.securityMatcher("/api/**", "/v3/**", "/actuator/**"))
        .securityContext(context -> context.securityContextRepository(sessions))
        .csrf(csrf ->
            csrf.csrfTokenRepository(csrfTokens).ignoringRequestMatchers(BearerFilter::hasToken))
        .sessionManagement(AbstractHttpConfigurer::disable)
        .logout(AbstractHttpConfigurer::disable)
        .addFilterBefore(new BearerFilter(tokens::holder, failures, problems), CsrfFilter.class)
        .addFilterBefore(origin, BearerFilter.class)
        .build();
  }

  @Bean
  @Order(4)
  SecurityFilterChain peopleChain(
      HttpSecurity http,
      PasswordSignIn passwords,
      Sessions sessions,
      CsrfTokenRepository csrfTokens,
      SetupState setup) {
    return common(http)
        .securityContext(context -> context.securityContextRepository(sessions))
        .csrf(csrf -> csrf.csrfTokenRepository(csrfTokens))
        // Spring's own manager would ask it a second time when the first was a no.
        .authenticationManager(new ProviderManager(passwords))
        .formLogin(form ->
            form.loginPage("/sign-in")
                .successHandler((_, response, _) -> response.sendRedirect("/"))
                .failureHandler((_, response, thrown) ->
                    response.sendRedirect(
                        thrown instanceof LockedException
                            ? "/sign-in?error=wait"
                            : "/sign-in?error")))
        .logout(logout -> logout.logoutUrl("/sign-out").logoutSuccessUrl("/sign-in?signed-out"))
        .addFilterBefore(new SetupGate(setup, problems), CsrfFilter.class)
        .addFilterBefore(origin, SetupGate.class)
        .build();
  }

  private HttpSecurity common(HttpSecurity http) {
    return http
        // All answers have them already, those that no chain saw included.
        .headers(AbstractHttpConfigurer::disable)
        .httpBasic(AbstractHttpConfigurer::disable)
        // A session for each visitor's first address is not worth a row.
        .requestCache(cache -> cache.requestCache(new NullRequestCache()))
        .exceptionHandling(
            handling -> handling.authenticationEntryPoint(refusals).accessDeniedHandler(refusals))
        .authorizeHttpRequests(requests ->
            requests
                // What a request that was let in leads to.
                .dispatcherTypeMatchers(
                    DispatcherType.ASYNC, DispatcherType.ERROR, DispatcherType.FORWARD)
                .permitAll()
                .anyRequest()
                .access(rules));
  }

  /** Odd addresses, such as those with {@code //} or {@code ..} in them. */
  @Bean
  RequestRejectedHandler rejected() {
    return (request, response, _) ->
        problems.answer(
            Problem.badRequest("request_rejected", "The address or a header is not acceptable."),
            request,
            response);
  }

  @Configuration(proxyBeanMethods = false)
  static class Parts {

    @Bean
    CsrfTokenRepository csrfTokens() {
      return new HttpSessionCsrfTokenRepository();
    }

    @Bean
    Users users(UserRepository rows) {
      return new Users(rows, System::nanoTime);
    }

    @Bean
    Sessions sessions(Users users, Clock clock) {
      return new Sessions(users, clock);
    }

    @Bean
    FailedCalls failedCalls(Clock clock) {
      return new FailedCalls(() -> TimeUnit.MILLISECONDS.toNanos(clock.millis()));
    }

    @Bean
    SignInDelays signInDelays() {
      return new SignInDelays(System::nanoTime);
    }

    @Bean
    Bootstrap bootstrap(FirstToken token, Setup setup, PublicUrl url) {
      return new Bootstrap(token, setup, url, System.out);
    }

    /**
     * {@code __Host-} binds the cookie to this host and to HTTPS. Over plain HTTP on this machine,
     * which browsers do not all take as secure, it has another name.
     */
    @Bean
    CookieSerializer sessionCookie(AccessSettings settings, ServerProperties server) {
      DefaultCookieSerializer cookie = new DefaultCookieSerializer();
      boolean https = settings.https() || (server.getSsl() != null && server.getSsl().isEnabled());
      cookie.setCookieName(https ? "__Host-mesh" : "mesh");
      if (https) {
        cookie.setUseSecureCookie(true);
      }
      cookie.setUseHttpOnlyCookie(true);
      cookie.setSameSite("Lax");
      cookie.setCookiePath("/");
      return cookie;
    }
  }
}
