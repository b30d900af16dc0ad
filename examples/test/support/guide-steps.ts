/** The steps of a guide, in their order. */
export type GuideStep =
  /** Writes a file that the guide shows. */
  | { readonly type: 'file'; readonly name: string; readonly text: string }
  /** Runs a program, of which the guide says what it prints. */
  | { readonly type: 'program'; readonly file: string; readonly printed?: string }
  /** Types a command into a terminal. */
  | { readonly type: 'command'; readonly words: string; readonly printed: string };

const BLOCK =
  /^(?:<!-- (?<kind>snippet|file): (?<name>\S+) -->\n\n)?```(?<language>\w*)\n(?<text>[^]*?)^```$/gm;

/**
 * Reads the steps of a guide:
 *
 * - `<!-- file: NAME -->` above a block: a file of this name holds it
 * - `<!-- snippet: FILE#REGION -->`: the program FILE is run, if it is one of `examples/snippets`
 * - a block of `text` after a program: its output, where `…` matches anything on a line; a second one:
 * its output when it is run again
 * - a block of `console`: commands after `$ `, and what they print
 *
 * Other blocks are not for running.
 */
export function readGuide(markdown: string): readonly GuideStep[] {
  const steps: GuideStep[] = [];
  for (const { groups = {} } of markdown.matchAll(BLOCK)) {
    const { kind, name = '', language, text = '' } = groups;
    const last = steps.at(-1);
    if (kind === 'file') steps.push({ type: 'file', name, text });
    else if (kind === 'snippet') {
      const [file = ''] = name.split('#', 1);
      if (file.startsWith('examples/snippets/')) steps.push({ type: 'program', file });
    } else if (language === 'console') steps.push(...readSession(text));
    else if (language === 'text' && last?.type === 'program') {
      const { file, printed } = last;
      if (printed === undefined) steps.pop();
      steps.push({ type: 'program', file, printed: text });
    }
  }
  return steps;
}

function readSession(text: string): GuideStep[] {
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((one) => {
      const [words = ''] = one.split('\n', 1);
      return { type: 'command', words, printed: one.slice(words.length + 1) };
    });
}

/** Returns a pattern of the output: `…` matches anything on a line. */
export function printedPattern(printed: string): RegExp {
  const escaped = printed.trimEnd().replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('…', '[^\\n]*')}\\s*$`);
}
