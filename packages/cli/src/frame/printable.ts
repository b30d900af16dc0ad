// Everything that moves the cursor, hides text, sets titles, clears the screen or shows text in another order than it is
// written in; but not the styles of `styled`, and not the marks (LRM, RLM, ALM) that texts of both directions have.
const CONTROL =
  // oxlint-disable-next-line no-control-regex -- these are what is looked for
  /\u001B\[(?:[12]|22|3[1-6]|39)m|[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g;

/**
 * Text as it may be written to a terminal: what others said must not move its cursor or set its title.
 * Control characters become visible ones: `␛`.
 */
export function printable(text: string): string {
  return text.replace(CONTROL, (found) => {
    if (found.length > 1) return found;
    const code = found.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return code === 0x7f ? '\u2421' : '\uFFFD';
  });
}
