/** What a benchmark found, by names that end in their unit; or in words, what was measured. */
export type Figures = Readonly<Record<string, number | string>>;

/** What a benchmark is told. */
export interface BenchOptions {
  /** How many nodes a project has, where that matters. */
  readonly nodes?: number;
  /** A folder with inputs of one's own. */
  readonly data?: string;
  /** A file with texts, instead of that in the folder. */
  readonly corpus?: string;
  /** A file with paragraphs and questions, instead of that in the folder. */
  readonly questions?: string;
  /** How large an index is, in chunks, where that matters. */
  readonly chunks?: number;
  /** The same beside peers that are slow. */
  readonly peerChunks?: number;
  /** A file of conversations with questions about them, as LoCoMo has them. */
  readonly locomo?: string;
  /** How many events a memory holds, where that matters. */
  readonly events?: number;
  /** A memory is measured on a PostgreSQL server instead of a file. */
  readonly postgres?: boolean;
  /** Which parts of the benchmark are run. Default: all. */
  readonly only?: readonly string[];
  /** Tells how it goes. */
  log(line: string): void;
}

/** Measures something, and its peer in the same run. */
export type Benchmark = (options: BenchOptions) => Promise<Figures>;

/** Refuses parts that a benchmark does not have: it would measure nothing, and say so nowhere. */
export function assertParts(only: readonly string[] = [], parts: readonly string[]): void {
  const unknown = only.filter((name) => !parts.includes(name));
  if (unknown.length === 0) return;
  throw new Error(`--only: expected some of ${parts.join(', ')}, got '${unknown.join("', '")}'`);
}

/** The value below which a share of the values lies. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** The value in the middle. */
export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** A figure with three digits that count. */
export function round(value: number): number {
  return Number(value.toPrecision(3));
}

/** How far the values are apart: the spread of the middle half, as a share of the median. */
export function noise(values: readonly number[]): number {
  return round((percentile(values, 0.75) - percentile(values, 0.25)) / median(values));
}
