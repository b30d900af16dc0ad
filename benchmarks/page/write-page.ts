import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Figures } from '../figures.ts';
import { firstFigure, renderTable, type Table } from './table.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PAGE = 'docs/performance.md';
const FORMATTER = 'node_modules/oxfmt/bin/oxfmt';

/**
 * Looks whether there is a place for each table: a run that takes an hour should not fail at its end.
 *
 * @throws Error that names the first one for which there is none.
 */
export function checkPage(tables: readonly Table[]): void {
  const page = readFileSync(`${ROOT}${PAGE}`, 'utf8');
  for (const { name } of tables) replaceTable(page, name, '');
}

/**
 * Writes figures into the tables of `docs/performance.md`. A table whose first figure was not measured, as that
 * of a part that `--only` leaves out, stays as it is.
 *
 * @param run - A line about the run, which each of the tables gets.
 * @returns The names of the tables that were written.
 */
export function writePage(
  tables: readonly Table[],
  figures: Figures,
  run: string,
): readonly string[] {
  const path = `${ROOT}${PAGE}`;
  const written = tables.filter((table) => firstFigure(table) in figures);
  const page = written.reduce(
    (text, table) => replaceTable(text, table.name, `${renderTable(table, figures)}\n\n${run}`),
    readFileSync(path, 'utf8'),
  );
  writeFileSync(path, page);
  execFileSync(process.execPath, [`${ROOT}${FORMATTER}`, path], { cwd: ROOT, stdio: 'ignore' });
  return written.map(({ name }) => name);
}

/** @throws Error if there is no place for the table in the page. */
function replaceTable(page: string, name: string, content: string): string {
  const mark = `<!-- bench: ${name} -->`;
  const start = page.indexOf(mark);
  const end = page.indexOf('<!-- /bench -->', start);
  if (start < 0 || end < 0) throw new Error(`${PAGE} has no '${mark}' with '<!-- /bench -->'`);
  return `${page.slice(0, start + mark.length)}\n\n${content}\n\n${page.slice(end)}`;
}
