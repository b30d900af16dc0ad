import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Scene } from './scene.ts';

const PAGE = fileURLToPath(new URL('../../../../docs/agents-tested.md', import.meta.url));
const BEGIN = '<!-- agents -->';
const END = '<!-- /agents -->';
const WAYS = ['import', 'hooks', 'both'] as const;

/** Writes the results of all scenes into the page about tested agents, between its two marks. */
export async function writeDocs(
  rows: ReadonlyMap<string, ReadonlyMap<string, string>>,
  scenes: readonly Scene[],
): Promise<void> {
  const titles = [...rows.keys()];
  const rowsOfCells = [
    ['scene', ...titles],
    ...scenes.map(({ name }) => [name, ...titles.map((title) => cellOf(rows.get(title), name))]),
  ];
  // As the formatter of the repository writes it.
  const widths = ['scene', ...titles].map((_, at) =>
    Math.max(...rowsOfCells.map((cells) => cells[at]?.length ?? 0)),
  );
  const lineOf = (cells: readonly string[]): string =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  const [head = [], ...others] = rowsOfCells;
  const rule = widths.map((width) => '-'.repeat(width));
  const table = [head, rule, ...others].map(lineOf).join('\n');
  const page = await readFile(PAGE, 'utf8');
  const [before = '', rest = ''] = page.split(BEGIN);
  const [, after = ''] = rest.split(END);
  await writeFile(PAGE, `${before}${BEGIN}\n\n${table}\n\n${END}${after}`);
}

/** `ok` if all ways of a scene are right; `-` where an agent has no means for it. */
function cellOf(row: ReadonlyMap<string, string> | undefined, scene: string): string {
  const cells = WAYS.map((way) => [way, row?.get(`${scene} ${way}`)] as const);
  const wrong = cells.filter(([, cell]) => cell !== undefined && cell !== 'ok');
  if (cells.every(([, cell]) => cell === undefined)) return '-';
  return wrong.length === 0 ? 'ok' : wrong.map(([way, cell]) => `${way}: ${cell}`).join(', ');
}
