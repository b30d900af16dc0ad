const SECRET_HEADER = /auth|key|token|cookie|secret/i;

/** The values of headers that must not be seen. */
export function secretsIn(headers: Readonly<Record<string, string>> = {}): string[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    SECRET_HEADER.test(name) ? [value, value.replace(/^\w+ /, '')] : [],
  );
}
