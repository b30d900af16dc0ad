/** The characters that texts write by their names in HTML, `&nbsp;`; further names stay as they are written. */
export const NAMED_CHARACTERS: Readonly<Record<string, string>> = {
  nbsp: '\u00a0',
  ensp: '\u2002',
  emsp: '\u2003',
  thinsp: '\u2009',
  zwnj: '\u200c',
  zwj: '\u200d',
  shy: '\u00ad',
  ndash: '–',
  mdash: '—',
  horbar: '―',
  lsquo: '‘',
  rsquo: '’',
  sbquo: '‚',
  ldquo: '“',
  rdquo: '”',
  bdquo: '„',
  laquo: '«',
  raquo: '»',
  hellip: '…',
  bull: '•',
  middot: '·',
  times: '×',
  divide: '÷',
  copy: '©',
  reg: '®',
  trade: '™',
  deg: '°',
  sect: '§',
  para: '¶',
  dagger: '†',
  larr: '←',
  uarr: '↑',
  rarr: '→',
  darr: '↓',
  iexcl: '¡',
  iquest: '¿',
  yen: '¥',
  euro: '€',
  pound: '£',
  agrave: 'à',
  aacute: 'á',
  acirc: 'â',
  auml: 'ä',
  ccedil: 'ç',
  egrave: 'è',
  eacute: 'é',
  ecirc: 'ê',
  euml: 'ë',
  iacute: 'í',
  icirc: 'î',
  ntilde: 'ñ',
  oacute: 'ó',
  ocirc: 'ô',
  ouml: 'ö',
  oslash: 'ø',
  uacute: 'ú',
  uuml: 'ü',
  szlig: 'ß',
};

/** Those that XML has itself. */
const OF_XML: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

/** Returns the character of a reference without its `&` and `;`, such as `nbsp`, `#28023` or `#x6d77`. */
export function referredCharacter(reference: string): string | undefined {
  if (!reference.startsWith('#')) return OF_XML[reference] ?? NAMED_CHARACTERS[reference];
  const isHexadecimal = /^#x/i.test(reference);
  const code = Number.parseInt(reference.slice(isHexadecimal ? 2 : 1), isHexadecimal ? 16 : 10);
  const isCharacter = code > 31 && code <= 0x10_ff_ff && !(code >= 0xd8_00 && code <= 0xdf_ff);
  return isCharacter ? String.fromCodePoint(code) : undefined;
}
