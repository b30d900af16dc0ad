/** White space and marks that may be around a name: those of `**A**:`, `【A】：`, `Aさん：`. */
const BEFORE = /^[\s#*_[［【（(「『<]*/;
const COLON = /^[\]］】）)」』>*_\s]*(?:(?:さん|氏)[\]］】）)」』>*_\s]*)?[:：]/;
const LINE_ENDS = /(?<=[\n\r\u2028\u2029])/;

/**
 * Returns a text in which no line but the first begins as the words of another speaker do. Models like to
 * write the lines of others, too, and their readers would take those for said. Such a line
 * becomes a quote (`> A: ...`); no word is left out.
 */
export function withForgedLinesQuoted(text: string, names: readonly string[]): string {
  // Most turns are shown many times and have one line.
  if (!/[\n\r\u2028\u2029]/.test(text)) return text;
  const [first = '', ...rest] = text.split(LINE_ENDS);
  const folded = names.map((name) => name.toLowerCase());
  const quoted = rest.map((line) => (isForged(line, folded) ? `> ${line}` : line));
  return [first, ...quoted].join('');
}

function isForged(line: string, names: readonly string[]): boolean {
  const start = line.replace(BEFORE, '').toLowerCase();
  return names.some((name) => start.startsWith(name) && COLON.test(start.slice(name.length)));
}
