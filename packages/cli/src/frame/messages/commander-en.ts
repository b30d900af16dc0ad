import { nearestName } from '@vizprompt/providers/config';

/** Returns a message of commander, without its `error: `, in the form of all other errors. */
export function usageErrorEn(message: string): string {
  const [, option, given = '', rule = ''] =
    /^option '(.*?)' argument '(.*)' is invalid\. ?(.*?)\.?$/s.exec(message) ?? [];
  if (option !== undefined) return wrongValue(option, given, rule);
  const [, word = '', argument, wanted = ''] =
    /^command-argument value '(.*)' is invalid for argument '(.*?)'\. ?(.*?)\.?$/s.exec(message) ??
    [];
  if (argument !== undefined) return wrongValue(argument, word, wanted);
  return message.replace(/^option '(.*?)' argument missing$/s, '$1: expected a value, got nothing');
}

/** @param rule - Words of commander, or those of the reader of the option. */
function wrongValue(what: string, given: string, rule: string): string {
  const choices = /^Allowed choices are (.*)$/s.exec(rule)?.[1];
  const must = /^It must be (.*)$/s.exec(rule)?.[1];
  const expected = choices === undefined ? must : `one of ${choices}`;
  if (expected === undefined) return `${what}: ${rule}`;
  const nearest = nearestName(given, choices?.split(', ') ?? []);
  const hint = nearest === undefined ? '' : `: is '${nearest}' meant?`;
  return `${what}: expected ${expected}, got '${given}'${hint}`;
}
