import type { Prompts } from './prompts.ts';

/** 日本語の指示文。 */
export const PROMPTS_JA: Prompts = {
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
