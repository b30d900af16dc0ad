import { PROMPTS_EN } from './prompts-en.ts';
import { PROMPTS_JA } from './prompts-ja.ts';

/** What the system message says of a talk and its speaker. */
interface Scene {
  readonly name: string;
  readonly persona: string;
  readonly topic: string;
  readonly others: readonly string[];
  readonly moderator: string | undefined;
  readonly isModerator: boolean;
  /** Named where it is not that of the prompts. */
  readonly language: string | undefined;
}

/** The sentences around a talk, in one language. */
export interface Prompts {
  scene(scene: Scene): string;
  topic(topic: string): string;
  knowledge(passages: readonly string[]): string;
  readonly opening: string;
  summary(round: number): string;
  readonly closing: string;
  turn(name: string): string;
  again(name: string): string;
  choice(candidates: readonly string[]): string;
  readonly verdict: string;
  /** What stands in place of the middle of a text that is too long. */
  readonly cut: string;
}

/** The prompts for a language, and the name of the language where the prompts are in another one. */
export function promptsFor(language: string): {
  readonly prompts: Prompts;
  readonly language: string | undefined;
} {
  if (/^(?:ja\b|japanese|日本語)/i.test(language))
    return { prompts: PROMPTS_JA, language: undefined };
  const isEnglish = /^(?:en\b|english|英語)/i.test(language);
  return { prompts: PROMPTS_EN, language: isEnglish ? undefined : language };
}
