/** Returns the name in a `Host` header, in lower case and without its port. */
export function hostName(host: string): string {
  return host.replace(/:\d*$/, '').toLowerCase();
}

/**
 * Checks whether a page comes from the host and port that it asks. Schemes are not compared: a proxy in front
 * may speak another.
 *
 * @param origin - The `Origin` header.
 * @param host - The `Host` header.
 */
export function isSameHost(origin: string, host: string): boolean {
  const asked = `http://${host}`;
  if (!URL.canParse(origin) || !URL.canParse(asked)) return false;
  return new URL(origin).host === new URL(asked).host;
}
