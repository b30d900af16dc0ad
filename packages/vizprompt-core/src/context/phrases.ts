import type { Language } from '../build/language.ts';

/** The words of a context. */
export interface Phrases {
  readonly intro: string;
  readonly current: string;
  readonly history: string;
  readonly references: string;
  readonly hint: string;
  readonly user: string;
  readonly assistant: string;
  /** Stands where characters were left out. */
  cut(characters: number): string;
}

/** The words around a context, in Japanese and English. */
export const PHRASES: Readonly<Record<Language, Phrases>> = {
  ja: {
    intro: '以下の情報を参照して回答してください：',
    current: '現在のフロー:',
    history: '会話の流れ:',
    references: '参照情報:',
    hint: '詳細情報が必要な場合は「[番号]の詳細を知りたい」と指示できます。',
    user: 'ユーザー: ',
    assistant: 'アシスタント: ',
    cut: (characters) => `\n[… ${characters}文字を省略 …]\n`,
  },
  en: {
    intro: 'Answer with regard to the following information:',
    current: 'Current prompt:',
    history: 'Conversation so far:',
    references: 'References:',
    hint: 'If you need the details of a turn, say: show me [number].',
    user: 'User: ',
    assistant: 'Assistant: ',
    cut: (characters) => `\n[… ${characters} characters left out …]\n`,
  },
};
