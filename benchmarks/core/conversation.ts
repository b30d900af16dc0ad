const WORDS =
  '認証 設定 予約 猫 席 テーブル 設計 検索 JWT セッション authMiddleware トークン 画面 テスト 章 主人公 雨 駅 手紙 海'.split(
    ' ',
  );

/** A conversation in the form of Claude's export: Japanese and English words, 0.6 kB a turn. */
export function conversation(name: string, turns: number): object {
  let seed = name.length * 7919 + turns;
  const word = (): string => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return WORDS[Math.floor((seed / 2_147_483_648) ** 2 * WORDS.length)] ?? '';
  };
  const sentence = (length: number): string => Array.from({ length }, word).join('の') + '。';
  const messages = Array.from({ length: turns * 2 }, (_, at) => ({
    uuid: `${name}/${at}`,
    sender: at % 2 ? 'assistant' : 'human',
    text:
      at % 2
        ? Array.from({ length: 6 }, () => sentence(9)).join('\n')
        : `${name} ${at}: ${sentence(5)}`,
    content: [],
    created_at: '2026-01-01T00:00:00.000000Z',
  }));
  return { uuid: name, name, chat_messages: messages };
}
