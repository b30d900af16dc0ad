/** The languages of messages. */
export type Language = 'en' | 'ja';

/** All languages, the default first. */
export const LANGUAGES: readonly Language[] = ['en', 'ja'];

/**
 * Returns the language of a run: `--lang` before `LC_ALL`, `LC_MESSAGES` and `LANG`, as locales are looked up.
 *
 * @param args - The words after the name of the command; those after `--` are not looked at.
 */
export function languageOf(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Language {
  const named = LANGUAGES.find((language) => language === lastValueOf('--lang', args));
  if (named) return named;
  const locale = [env['LC_ALL'], env['LC_MESSAGES'], env['LANG']].find((value) => value);
  return locale !== undefined && /^ja(?:[_.@-]|$)/i.test(locale) ? 'ja' : 'en';
}

/** Options are needed before commander has read them, which wants its texts in a language first. */
function lastValueOf(flag: string, args: readonly string[]): string | undefined {
  const words = ownWords(args);
  const values = words.flatMap((word, at) => {
    if (word.startsWith(`${flag}=`)) return [word.slice(flag.length + 1)];
    return word === flag ? [words[at + 1]] : [];
  });
  return values.at(-1);
}

/** Returns the words before `--`. */
export function ownWords(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--');
  return end === -1 ? args : args.slice(0, end);
}
