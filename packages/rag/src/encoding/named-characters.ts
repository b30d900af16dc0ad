/** The names of HTML 4, each for the characters from a code point on. Source: XHTML 1.0, appendix A.2. */
const NAMES: readonly (readonly [first: number, names: string])[] = [
  [
    0xa0,
    'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml',
  ],
  [0x152, 'OElig oelig'],
  [0x160, 'Scaron scaron'],
  [0x178, 'Yuml'],
  [0x192, 'fnof'],
  [0x2c6, 'circ'],
  [0x2dc, 'tilde'],
  [
    0x391,
    'Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho',
  ],
  [0x3a3, 'Sigma Tau Upsilon Phi Chi Psi Omega'],
  [
    0x3b1,
    'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma tau upsilon phi chi psi omega',
  ],
  [0x3d1, 'thetasym upsih'],
  [0x3d6, 'piv'],
  [0x2002, 'ensp emsp'],
  [0x2009, 'thinsp'],
  [0x200c, 'zwnj zwj lrm rlm'],
  [0x2013, 'ndash mdash horbar'],
  [0x2018, 'lsquo rsquo sbquo'],
  [0x201c, 'ldquo rdquo bdquo'],
  [0x2020, 'dagger Dagger bull'],
  [0x2026, 'hellip'],
  [0x2030, 'permil'],
  [0x2032, 'prime Prime'],
  [0x2039, 'lsaquo rsaquo'],
  [0x203e, 'oline'],
  [0x2044, 'frasl'],
  [0x20ac, 'euro'],
  [0x2111, 'image'],
  [0x2118, 'weierp'],
  [0x211c, 'real'],
  [0x2122, 'trade'],
  [0x2135, 'alefsym'],
  [0x2190, 'larr uarr rarr darr harr'],
  [0x21b5, 'crarr'],
  [0x21d0, 'lArr uArr rArr dArr hArr'],
  [0x2200, 'forall'],
  [0x2202, 'part exist'],
  [0x2205, 'empty'],
  [0x2207, 'nabla isin notin'],
  [0x220b, 'ni'],
  [0x220f, 'prod'],
  [0x2211, 'sum minus'],
  [0x2217, 'lowast'],
  [0x221a, 'radic'],
  [0x221d, 'prop infin'],
  [0x2220, 'ang'],
  [0x2227, 'and or cap cup int'],
  [0x2234, 'there4'],
  [0x223c, 'sim'],
  [0x2245, 'cong'],
  [0x2248, 'asymp'],
  [0x2260, 'ne equiv'],
  [0x2264, 'le ge'],
  [0x2282, 'sub sup nsub'],
  [0x2286, 'sube supe'],
  [0x2295, 'oplus'],
  [0x2297, 'otimes'],
  [0x22a5, 'perp'],
  [0x22c5, 'sdot'],
  [0x2308, 'lceil rceil lfloor rfloor'],
  [0x2329, 'lang rang'],
  [0x25ca, 'loz'],
  [0x2660, 'spades'],
  [0x2663, 'clubs'],
  [0x2665, 'hearts diams'],
];

/** The characters that texts write by their names in HTML, `&nbsp;`; further names stay as they are written. */
export const NAMED_CHARACTERS: Readonly<Record<string, string>> = Object.fromEntries(
  NAMES.flatMap(([first, names]) =>
    names.split(' ').map((name, at) => [name, String.fromCodePoint(first + at)] as const),
  ),
);

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
  if (!reference.startsWith('#')) {
    const table = [OF_XML, NAMED_CHARACTERS].find((each) => Object.hasOwn(each, reference));
    return table?.[reference];
  }
  const isHexadecimal = /^#x/i.test(reference);
  const code = Number.parseInt(reference.slice(isHexadecimal ? 2 : 1), isHexadecimal ? 16 : 10);
  const isCharacter = code > 31 && code <= 0x10_ff_ff && !(code >= 0xd8_00 && code <= 0xdf_ff);
  return isCharacter ? String.fromCodePoint(code) : undefined;
}
