/** Keys and values: texts, lists, `null`; those of any YAML, also mappings. */
export type Mapping = ReadonlyMap<unknown, unknown>;

/** All that ASCII does not have, but for controls, blanks of any width and ends of lines. */
const OTHERS = String.raw`\u00a1-\u1fff\u2010-\u2027\u2030-\ufefe\uff00-\ufffd`;
/** Signs of ASCII that mean something are in none. */
const WORD = String.raw`[0-9A-Za-z${OTHERS}][\-./0-9A-Z_a-z${OTHERS}]*`;
const WORDS = `${WORD}(?: +${WORD})*`;
const QUOTED = String.raw`"[ !#-[\]-~${OTHERS}]*"|'[ -&(-~${OTHERS}]*'`;
const SCALAR = `(?:${WORDS}|${QUOTED})`;
const LIST = String.raw`\[ *(?:${SCALAR}(?: *, *${SCALAR})*)? *\]`;
const ITEM = `- +${SCALAR} *\\n+`;
const ENTRY = new RegExp(
  `(?<key>${WORDS}):(?: +(?:(?<scalar>${SCALAR})|(?<list>${LIST})))? *\\n+` +
    String.raw`(?<items>(?<indent> *)${ITEM}(?:\k<indent>${ITEM})*)?`,
  'gy',
);
const SCALARS = new RegExp(SCALAR, 'g');
/** A parser refuses keys of more than 1024 letters. */
const LONGEST_KEY = 1000;

/**
 * Reads the YAML that nearly all front matter is, as a parser reads it, and in next to no time: keys with
 * words, texts in quotes without escapes, lists in brackets or of lines.
 *
 * @returns `undefined` for all else, whether it is YAML or not.
 */
export function readPlainMapping(yaml: string): Mapping | undefined {
  const found = new Map<string, unknown>();
  let end = 0;
  for (const { 0: entry, groups = {} } of yaml.matchAll(ENTRY)) {
    const { key, scalar, list, items } = groups;
    if (key === undefined || key.length > LONGEST_KEY || valueOf(key) === null) return undefined;
    if (items !== undefined && (scalar ?? list) !== undefined) return undefined;
    const several = list ?? items;
    if (several === undefined) found.set(key, scalar === undefined ? null : valueOf(scalar));
    else
      found.set(
        key,
        Array.from(several.matchAll(SCALARS), ([each]) => valueOf(each)),
      );
    end += entry.length;
  }
  return end > 0 && end === yaml.length ? found : undefined;
}

function valueOf(scalar: string): string | null {
  if (/^["']/.test(scalar)) return scalar.slice(1, -1);
  return /^(?:[Nn]ull|NULL)$/.test(scalar) ? null : scalar;
}
