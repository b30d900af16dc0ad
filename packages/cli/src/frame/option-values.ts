import { resolve } from 'node:path';
import { InvalidArgumentError } from '@commander-js/extra-typings';
import type { Cli } from './cli.ts';

/** Reads an option that is a whole number. */
export function wholeNumber<Messages>(
  cli: Cli<Messages>,
  { min = 0, max = Number.MAX_SAFE_INTEGER }: { readonly min?: number; readonly max?: number } = {},
): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (/^\d+$/.test(value) && number >= min && number <= max) return number;
    throw new InvalidArgumentError(cli.frame.wholeNumber(min, max));
  };
}

/** Reads an option that is a list: `--tags "a, b"`, and again `--tags c`. */
export function commaList(value: string, before: readonly string[] | undefined): readonly string[] {
  const items = value.split(/[,、，]/u).map((item) => item.trim());
  return [...(before ?? []), ...items.filter((item) => item !== '')];
}

/** Reads an option that is a time, as it was written. */
export function timeValue<Messages>(cli: Cli<Messages>): (value: string) => string {
  return (value) => {
    if (/^\d{4}-\d{2}-\d{2}/.test(value) && !Number.isNaN(Date.parse(value))) return value;
    throw new InvalidArgumentError(cli.frame.time);
  };
}

/** Reads an option that is a path of the current folder. An empty one is not a path, and stays as it is. */
export function pathValue<Messages>({ cwd }: Cli<Messages>): (value: string) => string {
  return (value) => (value === '' ? value : resolve(cwd, value));
}
