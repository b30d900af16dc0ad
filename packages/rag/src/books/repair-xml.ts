/** An ampersand that begins no reference. */
const BARE_AMPERSAND = /&(?!(?:#\d{1,7}|#[xX][\dA-Fa-f]{1,6}|[A-Za-z_][\w.-]{0,31});)/g;
const TAG =
  /<(?<slash>\/?)(?<name>[A-Za-z_][^\s/<>"']*)(?<rest>[^<>"']*(?:(?:"[^"<]*"|'[^'<]*')[^<>"']*){0,1000})>/y;
/** Elements of HTML that never have content: pages leave out their end. */
const VOID = /^(?:br|hr|img|wbr)$/i;

/**
 * Returns an XML file as readers of books understand it: an ampersand or `<` that is text becomes a reference, an end tag
 * without a beginning is removed, and elements that overlap end together. A well-formed file means the same afterwards.
 *
 * @param deepest - Elements that may be within each other.
 * @returns Undefined if they are nested more deeply.
 */
export function repairXml(text: string, deepest: number): string | undefined {
  const pieces: string[] = [];
  const open: string[] = [];
  const names = new Map<string, number>();
  let at = 0;
  while (at < text.length) {
    const start = text.indexOf('<', at);
    pieces.push(withReferences(text.slice(at, start < 0 ? text.length : start)));
    if (start < 0) break;
    if (!/[A-Za-z_/!?]/.test(text.charAt(start + 1))) {
      pieces.push('&lt;');
      at = start + 1;
      continue;
    }
    at = endOfMarkup(text, start);
    if (at > start) {
      pieces.push(text.slice(start, at));
      continue;
    }
    TAG.lastIndex = start;
    const { slash, name = '', rest = '' } = TAG.exec(text)?.groups ?? {};
    if (name === '') {
      pieces.push('&lt;');
      at = start + 1;
      continue;
    }
    at = TAG.lastIndex;
    if (slash === '/') {
      pieces.push(...endTags(open, names, name.toLowerCase()));
      continue;
    }
    const isWhole = rest.endsWith('/');
    const isVoid = !isWhole && VOID.test(name);
    pieces.push(`<${name}${withReferences(rest)}${isVoid ? '/' : ''}>`);
    if (isWhole || isVoid) continue;
    open.push(name);
    count(names, name.toLowerCase(), 1);
    if (open.length > deepest) return undefined;
    // A program is no markup.
    if (name === 'script') at = endOf(text, '</script', at, 0);
  }
  return pieces.join('');
}

function withReferences(text: string): string {
  return text.includes('&') ? text.replaceAll(BARE_AMPERSAND, '&amp;') : text;
}

/** Returns the end of what is copied as it is: a comment, CDATA, an instruction; `start` for anything else. */
function endOfMarkup(text: string, start: number): number {
  if (text.startsWith('<!--', start)) return endOf(text, '-->', start + 4);
  if (text.startsWith('<![CDATA[', start)) return endOf(text, ']]>', start);
  if (text.startsWith('<?', start)) return endOf(text, '?>', start);
  if (!/^<!doctype/i.test(text.slice(start, start + 9))) return start;
  const end = endOf(text, '>', start);
  const subset = text.slice(start, end).includes('[');
  return subset ? endOf(text, '>', endOf(text, ']', start)) : end;
}

function endOf(text: string, mark: string, from: number, length = mark.length): number {
  const at = text.indexOf(mark, from);
  return at < 0 ? text.length : at + length;
}

/**
 * Returns the end tags of an element and of those within it; none for one that did not begin.
 *
 * @param names - The number of open elements by their names in small letters.
 */
function endTags(open: string[], names: Map<string, number>, wanted: string): string[] {
  const tags: string[] = [];
  while ((names.get(wanted) ?? 0) > 0) {
    const name = open.pop() ?? '';
    tags.push(`</${name}>`);
    const small = name.toLowerCase();
    count(names, small, -1);
    if (small === wanted) break;
  }
  return tags;
}

function count(names: Map<string, number>, name: string, by: number): void {
  names.set(name, (names.get(name) ?? 0) + by);
}
