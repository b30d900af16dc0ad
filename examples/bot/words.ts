/** The bot's own messages, in each language. */
export interface Words {
  readonly greeting: string;
  readonly instructions: string;
  readonly noAnswer: (reason: string) => string;
  readonly empty: string;
  readonly tooMany: string;
  readonly forgotten: string;
  readonly nothing: string;
  readonly source: (day: string) => string;
  /** Names of the speakers besides the bot, and of the flows in which their answers are recorded. */
  readonly chair: string;
  readonly panel: string;
  readonly host: string;
  readonly debate: string;
  /** Matches questions for the panel. A model could decide, but a rule is free and predictable. */
  readonly hard: RegExp;
  readonly commands: Readonly<Record<'again' | 'instead' | 'map' | 'debate' | 'forget', string>>;
}

const en: Words = {
  greeting: 'Talk to me. /again /instead TEXT /map /debate TOPIC /forget (Ctrl+D ends)',
  instructions: `You are the house bot. Answer briefly.
End a sentence that uses a reference with its mark, such as [A]. If you do not know something, say so.`,
  noAnswer: (reason) => `I could not answer: ${reason}`,
  empty: 'I have no answer to that.',
  tooMany: 'One after the other, please: your last messages are not answered yet.',
  forgotten: 'Your messages are erased.',
  nothing: 'There is nothing to answer again. A command may need a text after it.',
  source: (day) => `said on ${day}`,
  chair: 'Chair',
  panel: 'Panel',
  host: 'Host',
  debate: 'Debate',
  hard: /\bshould\b|\bbetter\b|\bcompare\b/i,
  commands: {
    again: 'again',
    instead: 'instead',
    map: 'map',
    debate: 'debate',
    forget: 'forget',
  },
};

const ja: Words = {
  greeting: '話しかけてください。 /やり直し /言い直し 文 /地図 /討論 題 /忘れて (Ctrl+D で終わり)',
  instructions: `あなたは家のボットです。短く答えてください。
参照情報を使った文の終わりには、その記号を [A] のように付けてください。知らないことは、知らないと答えてください。`,
  noAnswer: (reason) => `答えられませんでした: ${reason}`,
  empty: '答えが浮かびませんでした。',
  tooMany: '前の質問に答えるまで、少し待ってください。',
  forgotten: 'あなたの発言を消しました。',
  nothing: 'やり直すものがありません。コマンドの後に文が要るものもあります。',
  source: (day) => `${day} の会話`,
  chair: 'まとめ役',
  panel: '会議',
  host: '司会',
  debate: '討論',
  hard: /べき|どちら|どっち|比べ/,
  commands: {
    again: 'やり直し',
    instead: '言い直し',
    map: '地図',
    debate: '討論',
    forget: '忘れて',
  },
};

export const WORDS: Readonly<Record<'en' | 'ja', Words>> = { en, ja };

/** Splits a message into its command and the rest. Slack takes `/` for itself, so `!` is one, too; both may be full-width. */
export function commandOf(text: string): { readonly command: string; readonly rest: string } {
  const [, name = '', rest = ''] = /^[/／!！](\S+)\s*(.*)$/s.exec(text.trim()) ?? [];
  return { command: name.normalize('NFKC').toLowerCase(), rest: rest.trim() };
}
