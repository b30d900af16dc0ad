import type { Language } from '@vizprompt/providers/internal';

/** The words of a page, in the language of the flow. */
export interface PageWords {
  readonly search: string;
  readonly searchHint: string;
  readonly fold: string;
  readonly unfold: string;
  readonly graph: string;
  readonly chosen: string;
  readonly noScript: string;
  readonly prompt: string;
  readonly response: string;
  readonly source: string;
  readonly from: string;
  readonly into: string;
  readonly below: string;
  readonly missing: string;
  /** With `{n}` for a number, and `{all}` for the number of all nodes. */
  readonly nodes: string;
  readonly found: string;
  readonly shown: string;
}

/** The words of pages. */
export const PAGE_WORDS: Readonly<Record<Language, PageWords>> = {
  en: {
    search: 'Search in all texts',
    searchHint: 'Search ( / )',
    fold: 'Fold branches',
    unfold: 'Unfold all',
    graph: 'Graph',
    chosen: 'The chosen node',
    noScript: 'Prompts and responses are shown by a script.',
    prompt: 'Prompt',
    response: 'Response',
    source: 'As it was written',
    from: 'Continues from {n}',
    into: 'Continues in {n}',
    below: 'Continuations of {n}',
    missing: '(missing)',
    nodes: '{all} nodes',
    found: '{n} of {all} nodes found',
    shown: '{n} of {all} nodes shown',
  },
  ja: {
    search: 'すべての文を検索',
    searchHint: '検索 ( / )',
    fold: '枝をたたむ',
    unfold: 'すべて開く',
    graph: 'グラフ',
    chosen: '選んだノード',
    noScript: 'プロンプトと回答はスクリプトが表示します。',
    prompt: 'プロンプト',
    response: '回答',
    source: '原文',
    from: '{n}からの続き',
    into: '{n}に続く',
    below: '{n}の続き',
    missing: '（ファイルがありません）',
    nodes: '{all}ノード',
    found: '{all}ノード中{n}件',
    shown: '{all}ノード中{n}件を表示',
  },
};
