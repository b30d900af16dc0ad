import { byKind, type Expected, type Form } from './form.ts';

const HEAD = `# Answers of servers, and how adapters read them

Servers that speak the protocols of OpenAI (Chat Completions and Responses), Anthropic, Gemini and Ollama differ in what they
send when something is odd or goes wrong.
Each row of these tables is a test: a fake server sends the form over HTTP, and the adapter gives what is in the last
column. The tables are written by that test.
`;

const WIRE_NAMES: Readonly<Record<Form['wire'], string>> = {
  openai: 'Chat Completions',
  responses: 'Responses',
  gemini: 'Gemini',
  ollama: 'Ollama',
  anthropic: 'Messages',
};

/** Returns the forms as tables in Markdown, a table for each kind of fault. */
export function formsDocument(forms: readonly Form[]): string {
  const sections = byKind(forms).map(([kind, rows]) => section(kind, rows));
  return `${HEAD}\n${forms.length} forms are tried.\n\n${sections.join('\n')}`;
}

function section(kind: string, forms: readonly Form[]): string {
  const title = `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
  const rows = forms.map(({ wire, name, expected }) => [
    WIRE_NAMES[wire],
    escape(name),
    escape(given(expected)),
  ]);
  const table = [['protocol', 'form', 'what you get'], ...rows];
  const widths = [0, 1, 2].map((column) =>
    Math.max(...table.map((row) => widthOf(row[column] ?? ''))),
  );
  const write = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => padded(cell, widths[column] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = table;
  const line = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return `## ${title}\n\n${[write(head), line, ...body.map(write)].join('\n')}\n`;
}

function escape(text: string): string {
  return text.replaceAll('|', '\\|');
}

/** Describes the expectation in words. */
function given(expected: Expected): string {
  const { code, partial, retryAfterMs, isRetryable, finish, text, reasoning, parts, left, sent } =
    expected;
  const words: string[] = [];
  if (code !== undefined) words.push(`error \`${code}\``);
  if (partial !== undefined && partial !== '') words.push('with the partial answer');
  if (retryAfterMs) words.push(`wait ${retryAfterMs / 1000} s`);
  if (isRetryable) words.push('retried');
  if (code !== undefined) return words.join(', ');
  if (left) words.push(`asked again without ${left.map((path) => `\`${path}\``).join(', ')}`);
  if (sent) words.push(`asked again with \`${JSON.stringify(sent)}\``);
  if (reasoning !== undefined && reasoning !== '') words.push('reasoning');
  if (parts) {
    const types = parts.flatMap((part) => ('type' in part ? [String(part.type)] : []));
    words.push(`parts: ${[...new Set(types)].join(', ')}`);
  } else if (text !== undefined && !left && !sent) words.push('the text');
  if (finish !== undefined) words.push(`finish \`${finish}\``);
  return words.join(', ') || 'the answer';
}

function padded(cell: string, width: number): string {
  return cell + ' '.repeat(width - widthOf(cell));
}

/** Characters of Chinese and Japanese take two columns, as for the formatter. */
function widthOf(cell: string): number {
  return cell.length + (cell.match(/[\u3000-\u30ff\u3400-\u9fff\uff01-\uff60]/g)?.length ?? 0);
}
