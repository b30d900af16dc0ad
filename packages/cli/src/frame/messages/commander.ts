import { nearestName } from '@vizprompt/providers/config';

// The messages of commander about wrong usage, in Japanese. All others stay in English.
const ERRORS: readonly (readonly [RegExp, string])[] = [
  [/^missing required argument '(.*)'$/s, "引数 '$1' がありません"],
  [/^option '(.*?)' argument missing$/s, "オプション '$1' に値がありません"],
  [/^required option '(.*?)' not specified$/s, "必須のオプション '$1' がありません"],
  [/^option '(.*?)' cannot be used with option '(.*?)'$/s, "'$1' と '$2' は同時に指定できません"],
  [
    /^option '(.*?)' argument '(.*)' is invalid\. Allowed choices are (.*)\.$/s,
    "オプション '$1' の値 '$2' は無効です。選択肢: $3",
  ],
  [
    /^option '(.*?)' argument '(.*)' is invalid\. ?(.*)$/s,
    "オプション '$1' の値 '$2' は無効です。$3",
  ],
  [
    /^command-argument value '(.*)' is invalid for argument '(.*?)'\. Allowed choices are (.*)\.$/s,
    "引数 '$2' の値 '$1' は無効です。選択肢: $3",
  ],
  [
    /^command-argument value '(.*)' is invalid for argument '(.*?)'\. ?(.*)$/s,
    "引数 '$2' の値 '$1' は無効です。$3",
  ],
  [/^unknown option '(.*?)'(\n.*)?$/s, "不明なオプションです: '$1'$2"],
  [/^unknown command '(.*?)'(\n.*)?$/s, "不明なコマンドです: '$1'$2"],
  [
    /^too many arguments(?: for '(.*?)')?\. Expected (\d+) arguments? but got (\d+)\.$/s,
    '引数が多すぎます（$2 個のところ $3 個）',
  ],
];

const SUGGESTIONS: readonly (readonly [RegExp, string])[] = [
  [/\n\(Did you mean one of (.*)\?\)$/s, '\n（もしかして: $1）'],
  [/\n\(Did you mean (.*)\?\)$/s, '\n（もしかして: $1）'],
];

const TITLES: Readonly<Record<string, string>> = {
  'Usage:': '使い方:',
  'Arguments:': '引数:',
  'Options:': 'オプション:',
  'Global Options:': '共通オプション:',
  'Commands:': 'コマンド:',
};

/** Returns a message of commander, without its `error: `. */
export function usageErrorJa(message: string): string {
  let text = message;
  const found = ERRORS.find(([pattern]) => pattern.test(text));
  if (found) text = text.replace(...found);
  const suggestion = SUGGESTIONS.find(([pattern]) => pattern.test(text));
  return suggestion ? text.replace(...suggestion) : text;
}

/** Returns a heading of the help. */
export function helpTitleJa(title: string): string {
  return TITLES[title] ?? title;
}

/** Translates the details that commander puts after a description: `(default: 10)`, `(choices: "a", "b")`. */
export function helpDetailsJa(details: string): string {
  return details.replace(/\bdefault: /, '既定: ').replace(/\bchoices: /, '選択肢: ');
}

/** Returns the placeholders of a usage line. */
export function usageLineJa(usage: string): string {
  return usage.replace('[options]', '[オプション]').replace('[command]', '[コマンド]');
}

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
