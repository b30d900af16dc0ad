/** Text, names, dollar-quoted text and comments, in which a `?` is no placeholder; and the `?`. */
const TOKENS = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[^]*?\$\1\$|--[^\n]*|\/\*[^]*?\*\/|\?/g;

/** Turns `?` into `$1`, `$2` and so on. */
export function numberPlaceholders(sql: string): string {
  let count = 0;
  return sql.replace(TOKENS, (token) => {
    if (token !== '?') return token;
    count++;
    return `$${count}`;
  });
}
