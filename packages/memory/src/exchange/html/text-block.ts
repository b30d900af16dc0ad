import { visibleHtml } from '@vizprompt/providers/internal';

/** A block in which spaces and line breaks stay; a parser drops the first line break. */
export function block(text: string, className = ''): string {
  const name = className === '' ? '' : ` class="${className}"`;
  return `<pre dir="auto"${name}>\n${visibleHtml(text)}</pre>`;
}
