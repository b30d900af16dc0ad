import { InvalidArgumentError } from '@commander-js/extra-typings';
import type { Cli } from '../../frame/cli.ts';
import type { VizpromptMessages } from '../messages/vizprompt-messages.ts';

/** Reads an option that may be given again: `--file a --file b`. */
export function several(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}

/** Reads an option `NAME=VALUE` that may be given again. */
export function pairs(
  cli: Cli<VizpromptMessages>,
  what: string,
): (
  value: string,
  before: readonly (readonly [string, string])[] | undefined,
) => readonly (readonly [string, string])[] {
  return (value, before) => {
    const at = value.indexOf('=');
    if (at < 1) throw new InvalidArgumentError(cli.text.workflow.notPair(value, what));
    return [...(before ?? []), [value.slice(0, at), value.slice(at + 1)]];
  };
}

/** Reads an option that is a number above 0. */
export function amount(cli: Cli<VizpromptMessages>): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (value.trim() !== '' && Number.isFinite(number) && number > 0) return number;
    throw new InvalidArgumentError(cli.text.workflow.notAmount);
  };
}
