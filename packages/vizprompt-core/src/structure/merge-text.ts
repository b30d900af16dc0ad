import type { Language } from '../build/language.ts';
import type { MergeConflict, MergeSide, MergeTurn } from './merge-proposal.ts';

/** What is merged, before anybody proposes how. */
export interface MergeMaterial {
  readonly language: Language;
  readonly base: readonly MergeTurn[];
  readonly left: MergeSide;
  readonly right: MergeSide;
  readonly conflicts: readonly MergeConflict[];
}

/** Turns of a side that are shown; of longer ones, the last. */
const MAX_TURNS = 60;

const WORDS: Readonly<
  Record<Language, Readonly<Record<'base' | 'first' | 'second' | 'conflicts' | 'none', string>>>
> = {
  ja: {
    base: '共通の出発点',
    first: '一つ目の枝',
    second: '二つ目の枝',
    conflicts: '食い違いの候補',
    none: 'なし',
  },
  en: {
    base: 'Where they part',
    first: 'First branch',
    second: 'Second branch',
    conflicts: 'Possible conflicts',
    none: 'None',
  },
};

/** The prompt of a merge: which branches are merged. */
export function mergePrompt({ language, left, right }: MergeMaterial): string {
  const title = ({ turns, tip }: MergeSide): string => turns.at(-1)?.title ?? tip;
  return language === 'ja'
    ? `二つの枝を統合する：「${title(left)}」と「${title(right)}」`
    : `Merge two branches: "${title(left)}" and "${title(right)}"`;
}

/** The material as text: it is the answer where no model gives one, and what a model is shown. */
export function mergeText({ language, base, left, right, conflicts }: MergeMaterial): string {
  const words = WORDS[language];
  const section = (title: string, lines: readonly string[]): string =>
    `## ${title}\n${(lines.length > 0 ? lines : [words.none]).map((line) => `- ${line}`).join('\n')}`;
  const turns = (list: readonly MergeTurn[]): string[] => {
    const shown = list.slice(-MAX_TURNS).map(({ summary, title }) => oneLine(summary || title));
    const more = list.length - shown.length;
    return more > 0 ? [`… (${more})`, ...shown] : shown;
  };
  return [
    section(words.base, turns(base)),
    section(words.first, turns(left.turns)),
    section(words.second, turns(right.turns)),
    section(
      words.conflicts,
      conflicts.map(({ text }) => oneLine(text)),
    ),
  ].join('\n\n');
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
