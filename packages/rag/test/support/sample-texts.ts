/** Texts of our own making, in the manner of Japanese novels and notes. */

const WHO = ['美咲', '老人', '少年', '船長', '先生', '姉', '灯台守', '旅人', 'リナ', '門番'];
const WHERE = ['港', '坂の上', '古い駅', '図書室', '屋根裏', '川べり', '市場', '塔の下', '北の森'];
const WHAT = [
  '手紙',
  '銀の鍵',
  '地図',
  '壊れた時計',
  '赤い傘',
  '一枚の写真',
  'ランプ',
  '笛',
  '小箱',
];
const DID = [
  'を見つけた',
  'をそっと隠した',
  'を黙って差し出した',
  'のことを思い出していた',
  'を落としてしまった',
  'について長いあいだ考えていた',
];
const HOW = [
  'ゆっくりと',
  '急いで',
  '何も言わずに',
  '笑いながら',
  '雨の中で',
  '夜明け前に',
  'ふいに',
];
const SAID = ['行こう', 'まだ早い', 'それは違う', '覚えているかい', 'もう戻れない', '聞こえた？'];

/** Returns a small generator of numbers, so that every run has the same texts. */
export function numbers(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

export function sentence(next: (below: number) => number): string {
  const pick = (list: readonly string[]) => list[next(list.length)] ?? '';
  const main = `${pick(WHO)}は${pick(HOW)}、${pick(WHERE)}で${pick(WHAT)}${pick(DID)}。`;
  if (next(4) === 0) return `「${pick(SAID)}」と${pick(WHO)}が言い、${main}`;
  return next(5) === 0
    ? `${pick(WHO)}の${pick(WHAT)}は${next(900) + 100}年前の物だった！　${main}`
    : main;
}

export function paragraph(next: (below: number) => number): string {
  if (next(3) === 0) return `「${sentence(next).replace(/。$/u, '')}」`;
  return `　${Array.from({ length: 1 + next(4) }, () => sentence(next)).join('')}`;
}

/** Returns the paragraphs of a chapter of about this many characters. */
export function chapter(characters: number, seed: number): string[] {
  const next = numbers(seed);
  const paragraphs: string[] = [];
  for (let length = 0; length < characters; length += paragraphs.at(-1)?.length ?? 0) {
    paragraphs.push(paragraph(next));
  }
  return paragraphs;
}

export const NOTES = `---
title: 灯台の島
tags: [設定, "人物"]
---

# 登場人物

## 美咲

- **年齢**: 十七歳
- **外見**: 短い黒髪。左の頬に小さな傷がある。
  - 傷は七歳の夏にできた
  - 本人は気にしていない
- **口調**: 「〜だよ」「〜かな」

灯台守の孫。祖父の日記を探している。

## 船長

無口な男
========

かつて軍艦に乗っていた。

### 持ち物

| 品 | いつから | 備考 |
| --- | --- | --- |
| 羅針盤 | 二十年前 | 北を指さない |
| 銀の鍵 | 三年前 | 何の鍵かは不明 |

\`\`\`json
# 見出しではない
{ "name": "船長", "age": 58 }
\`\`\`

<!-- 第三章で死なせるかどうか未定 -->

***

> 「海は覚えている」
> と彼は言う。

[^1]: 注は本文のまま。
`;

export const AOZORA = `灯台の島
試作太郎

-------------------------------------------------------
【テキスト中に現れる記号について】

《》：ルビ
（例）灯台《とうだい》

｜：ルビの付く文字列の始まりを特定する記号
（例）北｜岬《みさき》

［＃］：入力者注　主に外字の説明や、傍点の位置の指定
（例）［＃３字下げ］
-------------------------------------------------------

［＃３字下げ］第一部　霧［＃「第一部　霧」は大見出し］

［＃５字下げ］一［＃「一」は中見出し］

　美咲は灯台《とうだい》の窓から海を見ていた。霧が深い。［＃「深い」に傍点］
「船は来るかしら。」と姉がきいた。

［＃中見出し］二　古《ふる》い手紙［＃中見出し終わり］

　手紙は三通あった。
［＃改ページ］
［＃ここから大見出し］
第二部
夜
［＃ここで大見出し終わり］

　その夜、門番《もんばん》は眠らなかった。

［＃小見出し］鍵［＃小見出し終わり］
　鍵は箱の中にあった。


底本：「灯台の島」試作文庫
　　　2020（令和2）年1月1日発行
入力：試作太郎
青空文庫作成ファイル：
このファイルは試験のために作られました。
`;
