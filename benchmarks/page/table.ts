import type { Figures } from '../figures.ts';

/** What is wanted of a figure, in its unit. */
type Wanted = { readonly atMost: number } | { readonly atLeast: number };

/** A row of a table: a figure, or one figure of each column. */
export interface Row {
  /** The name of the figure; with columns, what stands for `*` in their names. */
  readonly name: string;
  /** What it is, in a few words; Markdown. */
  readonly what: string;
  /** Such as `ms` or `MB`; nothing for ratios, shares and numbers of things. */
  readonly unit?: string;
  /** With columns, it is that of the first one. */
  readonly wanted?: Wanted;
}

/** A column: its head, and the names of its figures, where `*` is the name of the row. */
export interface Column {
  readonly head: string;
  readonly figures: string;
}

/** A table of `docs/performance.md`, between `<!-- bench: NAME -->` and `<!-- /bench -->`. */
export interface Table {
  readonly name: string;
  readonly rows: readonly Row[];
  /** Default: one column, `value`, of the figures that rows are named after. */
  readonly columns?: readonly Column[];
}

const VALUE: readonly Column[] = [{ head: 'value', figures: '*' }];

/** The name of the first figure of a table. */
export function firstFigure({ rows: [row], columns: [column] = VALUE }: Table): string {
  return row && column ? nameOf(row, column) : '';
}

/** A table in Markdown. Rows and columns without a figure are left out, as those of peers that are not installed. */
export function renderTable(table: Table, figures: Figures): string {
  const { columns: all = VALUE } = table;
  const valueOf = (row: Row, column: Column): string =>
    formatValue(figures[nameOf(row, column)], row.unit);
  const rows = table.rows.filter((row) => all.some((column) => valueOf(row, column) !== ''));
  const columns = all.filter((column) => rows.some((row) => valueOf(row, column) !== ''));
  const heads = ['figure', 'what', ...columns.map(({ head }) => head), 'wanted'];
  const marks = heads.map((_, at) => (at < 2 ? '---' : '--:'));
  const lines = rows.map((row) => [
    `\`${row.name}\``,
    row.what,
    ...columns.map((column) => valueOf(row, column)),
    formatWanted(row),
  ]);
  const hasTargets = rows.some(({ wanted }) => wanted);
  return [heads, marks, ...lines]
    .map((cells) => `| ${(hasTargets ? cells : cells.slice(0, -1)).join(' | ')} |`)
    .join('\n');
}

/** What is wanted of a figure of some tables, and whether its value is that. */
export function verdictOf(tables: readonly Table[], name: string, value: number | string): string {
  for (const { rows, columns: [first] = VALUE } of tables) {
    const row = rows.find((one) => first && nameOf(one, first) === name);
    if (!row?.wanted || typeof value === 'string') continue;
    const { wanted } = row;
    const isMet = 'atMost' in wanted ? value <= wanted.atMost : value >= wanted.atLeast;
    return `${isMet ? 'as wanted' : 'MISSED'}: ${formatWanted(row)}`;
  }
  return '';
}

function nameOf({ name }: Row, { figures }: Column): string {
  return figures.replace('*', name);
}

function formatValue(value: number | string | undefined, unit: string | undefined): string {
  if (value === undefined || Number.isNaN(value)) return '';
  if (typeof value === 'string') return value;
  const digits = value.toLocaleString('en-US', { maximumFractionDigits: 6 });
  return unit === undefined ? digits : `${digits} ${unit}`;
}

function formatWanted({ wanted, unit }: Row): string {
  if (!wanted) return '';
  const [sign, value] = 'atMost' in wanted ? ['≤', wanted.atMost] : ['≥', wanted.atLeast];
  return `${sign} ${formatValue(value, unit)}`;
}
