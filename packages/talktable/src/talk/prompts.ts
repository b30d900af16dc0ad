/** The parts of the system message about a talk and its speaker. */
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
  /** Replaces the middle of a text that is too long. */
  readonly cut: string;
}

/** Returns the prompts for a language, and the name of the language where the prompts are in another one. */
export function promptsFor(language: string): {
  readonly prompts: Prompts;
  readonly language: string | undefined;
} {
  if (/^(?:ja\b|japanese|日本語)/i.test(language))
    return { prompts: PROMPTS_JA, language: undefined };
  const isEnglish = /^(?:en\b|english|英語)/i.test(language);
  return { prompts: PROMPTS_EN, language: isEnglish ? undefined : language };
}

/** The sentences in English, also for talks in languages that have none of their own. */
const PROMPTS_EN: Prompts = {
  scene({ name, persona, topic, others, moderator, isModerator, language }) {
    const role = isModerator
      ? `You are ${name}, the moderator. The participants are ${others.join(', ')}.`
      : `You are ${name}. With you are ${others.join(', ')}${moderator ? `, and the moderator ${moderator}` : ''}.`;
    return [
      role,
      persona,
      `The topic: "${topic}"`,
      ...(language === undefined ? [] : [`Speak in this language: ${language}.`]),
      'Say only what you yourself say: do not begin with a name, and do not write the lines of others.',
    ]
      .filter((line) => line !== '')
      .join('\n');
  },
  topic: (topic) => `The topic is "${topic}".`,
  knowledge: (passages) => `For reference (use what helps):\n${passages.join('\n\n')}`,
  opening: 'Introduce topic and participants in a few words, and open the talk.',
  summary: (round) =>
    `Sum up the talk so far (up to round ${round}): keep the points of earlier summaries, and say in a few words what is agreed, what is disputed, and what to speak about next.`,
  closing: 'Close the talk: say in a few words what came out, and which questions remain.',
  turn: (name) => `${name}, please continue.`,
  again: (name) => `${name}, your answer was empty. Please speak.`,
  choice: (candidates) =>
    `Choose who speaks next. Answer with JSON of the form {"next": "NAME"} and nothing else. One of: ${candidates.join(', ')}`,
  verdict:
    'Has the talk come to a conclusion, or does nothing new come up? Answer with JSON of the form {"finished": true or false, "reason": "WHY"} and nothing else.',
  cut: '... (cut) ...',
};

/** 日本語の指示文。 */
const PROMPTS_JA: Prompts = {
  scene({ name, persona, topic, others, moderator, isModerator }) {
    const role = isModerator
      ? `あなたは司会の「${name}」です。参加者は${others.join('、')}です。`
      : `あなたは「${name}」です。同席者は${others.join('、')}${moderator ? `、司会は${moderator}` : ''}です。`;
    return [
      role,
      persona,
      `話題:「${topic}」`,
      '日本語で話してください。自分の発言だけを述べ、先頭に名前を付けず、他の人の発言を代わりに書かないでください。',
    ]
      .filter((line) => line !== '')
      .join('\n');
  },
  topic: (topic) => `話題は「${topic}」です。`,
  knowledge: (passages) => `参考資料（必要なところだけ使ってください）:\n${passages.join('\n\n')}`,
  opening: '話題と参加者を短く紹介し、会話を始めてください。',
  summary: (round) =>
    `ここまで（第${round}ラウンドまで）を要約してください。これまでの要約の要点も残し、一致した点、対立する点、次に話すべき点を短くまとめてください。`,
  closing: '会話を締めくくってください。結論と残った問いを短くまとめてください。',
  turn: (name) => `${name}さん、続けて発言してください。`,
  again: (name) => `${name}さんの返答は空でした。発言してください。`,
  choice: (candidates) =>
    `次に話す人を一人選び、{"next": "名前"} の形のJSONだけで答えてください。選べるのは: ${candidates.join('、')}`,
  verdict:
    '会話は結論に達したか、もう新しいことが出てこない状態ですか。{"finished": true または false, "reason": "理由"} の形のJSONだけで答えてください。',
  cut: '……（中略）……',
};
