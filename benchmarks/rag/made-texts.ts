import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { randomNumbers } from './metrics.ts';

const split = (words: string): readonly string[] => words.split(' ');

/** Frequent words, and pieces that names are made of, so that there are rare words too. */
const WORDS = {
  things: split(
    '灯台 港 船 嵐 海岸 島 村 町 峠 川 橋 街道 森 畑 庭 屋敷 部屋 窓 扉 机 椅子 手紙 新聞 写真 時計 鏡 鍵 傘 帽子 着物 ' +
      '財布 刀 鈴 笛 太鼓 茶碗 酒 魚 鳥 猫 犬 馬 狐 蝶 桜 梅 松 雪 雨 風 雲 月 星 祭 市場 学校 病院 寺 神社 役所 停車場 ' +
      '汽車 工場 銀行 旅館 芝居 音楽 歌 声 目 手 足 顔 髪 夢 涙 約束 秘密 噂 事件 仕事 商売 借金 病気 薬 戦争 裁判 法律 ' +
      '議会 選挙 税金 地震 火事 洪水 農業 漁業 貿易 航海 地図 望遠鏡 顕微鏡 実験 発明 論文 辞書 詩集 小説 日記 遺言',
  ),
  people: split(
    '医者 先生 生徒 兵隊 商人 百姓 漁師 大工 役人 坊主 娘 息子 母 父 祖父 祖母 兄 弟 姉 妹 妻 夫 友人 隣人 旅人 客 ' +
      '船長 灯台守 記者 巡査 職人 画家 詩人 学者 老人 少年 少女 主人 番頭 下女',
  ),
  qualities: split(
    '古い 新しい 白い 黒い 赤い 青い 暗い 明るい 遠い 近い 重い 軽い 冷たい 暖かい 静かな 立派な 奇妙な 貧しい 美しい',
  ),
  acts: split(
    '見つけた 聞いた 書いた 読んだ 売った 買った 忘れた 探した 拾った 隠した 壊した 直した 待った 思い出した 恐れた 愛した ' +
      '憎んだ 語った 信じた 疑った 盗んだ 返した 送った 受け取った 調べた 見守った',
  ),
  moves: split(
    '歩いた 走った 眠った 笑った 泣いた 黙っていた 立ち上がった 去った 帰った 急いだ 倒れた 祈った',
  ),
  starts: split('山 川 田 村 石 木 小 大 中 西 東 北 南 上 下 高 松 竹 梅 藤 佐 伊 水 火 金 土'),
  ends: split('田 山 川 本 野 原 島 崎 沢 谷 井 口 木 森 村 岡 塚 橋 浦 瀬 津 江 波 坂'),
  places: split('町 村 島 岬 峠 山 川 寺 橋 浜'),
};

type Kind = keyof typeof WORDS;

const SHORTEST = 3000;
const LONGEST = 40_000;

/**
 * Writes works of made Japanese, a line `{text}` each, until they have so many characters; the same in every run.
 * Sentences are whole and words are real, but fewer than in books, and nothing is told.
 */
export async function writeMadeTexts(file: string, characters: number): Promise<void> {
  await pipeline(Readable.from(madeLines(characters)), createWriteStream(file));
}

function* madeLines(characters: number): Generator<string> {
  for (let seed = 1, written = 0; written < characters; seed++) {
    const random = randomNumbers(seed * 7919);
    const text = madeText(random, SHORTEST + random() ** 3 * (LONGEST - SHORTEST));
    written += text.length;
    yield `${JSON.stringify({ text })}\n`;
  }
}

function madeText(random: () => number, characters: number): string {
  // Early words of a list come more often, and each work has an order of its own.
  const turn = random();
  const pick = (kind: Kind): string => {
    const list = WORDS[kind];
    return list[Math.floor((turn + random() ** 2) * list.length) % list.length] ?? '';
  };
  const name = (): string => pick('starts') + pick('ends');
  const place = (): string => name() + pick('places');
  const someone = (): string => (random() < 0.5 ? name() : `${place()}の${pick('people')}`);
  const thing = (): string =>
    random() < 0.3 ? pick('qualities') + pick('things') : `${pick('things')}の${pick('things')}`;
  const sentences = [
    () => `${someone()}は${thing()}を${pick('acts')}。`,
    () => `${place()}では、${thing()}を${pick('acts')}者は${pick('moves')}。`,
    () => `${someone()}と${someone()}は${place()}へ${pick('moves')}。`,
    () => `「${thing()}は${place()}にある」と${someone()}が言った。`,
    () =>
      `${Math.floor(random() * 900) + 100}年の${pick('things')}のことを、${name()}は${pick('acts')}。`,
    () => `${pick('qualities')}${pick('people')}は、${thing()}のために${pick('moves')}。`,
  ];
  let text = '';
  while (text.length < characters) {
    for (let rest = 2 + Math.floor(random() * 6); rest > 0; rest--) {
      text += sentences[Math.floor(random() * sentences.length)]?.() ?? '';
    }
    text += '\n';
  }
  return text;
}
