import { closedElements } from '@vizprompt/providers/internal';

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&nbsp;': ' ',
  '&amp;': '&',
};

/** Replaces the entities that programs write into HTML. */
export function unescapeHtml(text: string): string {
  return text.replaceAll(
    /&(?:lt|gt|quot|apos|nbsp|amp|#(\d{1,7})|#x([\da-f]{1,6}));/gi,
    (entity, decimal: string | undefined, hexadecimal: string | undefined) => {
      const point = Number.parseInt(decimal ?? hexadecimal ?? '', decimal === undefined ? 16 : 10);
      if (Number.isNaN(point)) return ENTITIES[entity.toLowerCase()] ?? entity;
      return point > 0x10_ff_ff ? entity : String.fromCodePoint(point);
    },
  );
}

/** Returns the text of simple HTML, with its paragraphs, lists and code. */
export function plainOf(html: string): string {
  // The white space of code is a part of it.
  const pieces: string[] = [];
  let done = 0;
  for (const { start, end, inner } of closedElements(html, (name) => name === 'pre')) {
    const code = unescapeHtml(
      inner.replaceAll(/<br\s{0,9}\/?>/gi, '\n').replaceAll(/<[^<>]*>/g, ''),
    );
    const fenced = `\n\n\`\`\`\n${code.replace(/\n\n*$/, '')}\n\`\`\`\n\n`;
    pieces.push(proseOf(html.slice(done, start)), fenced);
    done = end;
  }
  return [...pieces, proseOf(html.slice(done))]
    .join('')
    .replaceAll(/\n{3}\n*/g, '\n\n')
    .trim();
}

function proseOf(html: string): string {
  const text = html
    .replaceAll(/(?<!\s)\s\s*/g, (space) => (space.includes('\n') ? '\n' : space))
    .replaceAll(/<li[^<>]*>/gi, '- ')
    .replaceAll(/<h([1-6])[^<>]*>/gi, (_, level: string) => `\n\n${'#'.repeat(Number(level))} `)
    .replaceAll(/<br\s{0,9}\/?>|<\/(?:li|tr)>/gi, '\n')
    .replaceAll(/<\/(?:p|div|h[1-6]|ul|ol|table)>/gi, '\n\n')
    .replaceAll(/<[^<>]*>/g, '');
  return unescapeHtml(text);
}
