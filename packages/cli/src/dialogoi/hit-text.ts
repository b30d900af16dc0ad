import type { SearchHit } from '@vizprompt/rag';
import type { Output } from '../frame/output.ts';

/** Returns a hit for people: its place, and its text with the found words. */
export function hitText(out: Output, hit: SearchHit): string {
  const { payload, headingPath, score, context, explanation = [] } = hit;
  const place = out.style(
    'cyan',
    `${payload.file}:${context ? linesOf(context) : placeIn(payload)}`,
  );
  const head = [place, headingPath.join(' › '), out.style('dim', score.toFixed(3))];
  const parts = explanation.map(({ name, value }) =>
    out.style('dim', `${value.toFixed(3)}  ${name}`),
  );
  const text = context ? context.text : highlighted(out, hit);
  const body = [...text.trimEnd().split(/\r\n?|\n/), ...parts];
  return [
    head.filter((part) => part !== '').join('  '),
    ...body.map((line) => (line === '' ? '' : `  ${line}`)),
  ].join('\n');
}

function linesOf({ start, end }: { readonly start: number; readonly end: number }): string {
  return `${start}-${end}`;
}

/** The lines; of a part of one line, as in a file of a single line, its columns. */
function placeIn({ start, end, startColumn = 1, endColumn }: SearchHit['payload']): string {
  const isPart = start === end && startColumn > 1 && endColumn !== undefined;
  return isPart ? `${start}:${startColumn}-${endColumn}` : linesOf({ start, end });
}

function highlighted(out: Output, { match: { text, highlights } }: SearchHit): string {
  let marked = '';
  let at = 0;
  for (const [start, end] of highlights) {
    marked += text.slice(at, start) + out.style('bold', text.slice(start, end));
    at = end;
  }
  return marked + text.slice(at);
}
