/**
 * Words in kanji that IPADIC has only with others: 小供 and 子供, 喰べる and 食べる. Both have as many characters. None is a
 * name, 桑畠, which has one spelling.
 *
 * Source: spellings that have one normalized form in SudachiDict (Apache-2.0) and are in works of the public domain.
 */
const NOUNS =
  '小供/子供 子共/子供 無暗/無闇 無智/無知 利巧/利口 悧巧/利口 悧口/利口 指環/指輪 弥次馬/野次馬 ' +
  '眼玉/目玉 蒸汽/蒸気 沙金/砂金 麦畠/麦畑 眼鼻/目鼻 綽名/渾名 諢名/渾名 賞讃/賞賛 ' +
  '称讃/称賛 讃辞/賛辞 相図/合図 仕末/始末 必竟/畢竟 場処/場所 階子段/梯子段 寝衣/寝巻 日附/日付 ' +
  '受附/受付 心附/心付 紋附/紋付 自働/自動 頸筋/首筋 頸飾/首飾 手頸/手首 片眼/片目 黒眼/黒目 ' +
  '上眼/上目 横眼/横目 薄眼/薄目 人眼/人目 眼尻/目尻 眼元/目元 眼顔/目顔 眼付/目付 眼隠/目隠 ' +
  '眼障/目障 眼醒/目覚 酔興/酔狂 脊中/背中 肴屋/魚屋 急劇/急激 物蔭/物陰 葉蔭/葉陰 樹蔭/木陰 ' +
  '蔭口/陰口 辛棒/辛抱 油画/油絵 低脳/低能 冥想/瞑想 道傍/道端 恰度/丁度 惨酷/残酷 惨忍/残忍 ' +
  '痲痺/麻痺 懴悔/懺悔 紀念/記念 合槌/相槌 知慧/知恵 撰択/選択 尨大/膨大 卒直/率直 応待/応対 ' +
  '鉄鎚/鉄槌 疵口/傷口 深傷/深手 険呑/剣呑 摺鉢/擂鉢 女夫/夫婦 屈托/屈託 案配/塩梅 水瓜/西瓜 ' +
  '黄瓜/胡瓜 感違/勘違 慓悍/剽悍 布衍/敷衍 落著/落着 到著/到着 不埓/不埒 放埓/放埒 譫語/譫言 ' +
  '簡短/簡単 菓物/果物 種属/種族 偽瞞/欺瞞 難義/難儀 乾分/子分 物盗/物取 緩漫/緩慢 相異/相違 ' +
  '勘忍/堪忍 悽惨/凄惨 演舌/演説 談議/談義 臆劫/億劫 楽書/落書 試錬/試練 洗錬/洗練 後篇/後編 ' +
  '恋仇/恋敵 老令/老齢 窮窟/窮屈 口鬚/口髭 口髯/口髭 蹂躪/蹂躙 吊鐘/釣鐘 俯目/伏目 ' +
  '逢曳/逢引 巡廻/巡回 迂廻/迂回 廻診/回診 焼点/焦点 仔猫/子猫 水蓮/睡蓮 昔噺/昔話 委托/委託 ' +
  '愛翫/愛玩 醜体/醜態 鑵詰/缶詰 薬鑵/薬缶 出板/出版 板画/版画 斑白/半白 闇中/暗中 闇黒/暗黒 ' +
  '糢糊/模糊 画巻/絵巻 画本/絵本 路幅/道幅 縹緻/器量 卒堵婆/卒塔婆 人蔘/人参 狼籍/狼藉 曹子/曹司 ' +
  '腕環/腕輪 記臆/記憶 琉璃/瑠璃 肉迫/肉薄 技倆/伎倆 無躾/不躾 墻壁/牆壁 不覊/不羈 爼板/俎板 ' +
  '棕梠/棕櫚 木兎/木菟 傍道/脇道 戯談/冗談 巫子/巫女 俥夫/車夫 何所/何処';

/** Beginnings of words with their kana. */
const STEMS =
  '怖ろし/恐ろし 怖れ/恐れ 惧れ/恐れ 懼れ/恐れ 喰べ/食べ 喰い物/食い物 喰い入/食い入 顫え/震え ' +
  '顫わ/震わ 慄え/震え 劇し/激し 駈けつけ/駆けつけ 嶮し/険し 賤し/卑し 碧い/青い 碧く/青く ' +
  '蒼黒/青黒 睡い/眠い 睡く/眠く 睡た/眠た 賞め/褒め 泌み/沁み 浸み/染み 佗し/侘し 憫れ/憐れ ' +
  '愉し/楽し 娯し/楽し 灼け/焼け 享け/受け 憶い出/思い出 憶い/思い 羞じ/恥じ 羞し/恥し 頽れ/崩れ ' +
  '検べ/調べ 巨きな/大きな 巨きい/大きい 巨きく/大きく 凝視め/見詰め 視つめ/見つめ 扶け/助け ' +
  '援け/助け 咆え/吠え 抛り込/放り込 遁げ/逃げ 呶鳴/怒鳴 暁け方/明け方 眼付き/目付き 眼つき/目つき ' +
  '眼の前/目の前 眼まい/目まい 眼ざめ/目ざめ 起ちあが/立ちあが 起ち上/立ち上 歩き廻/歩き回 ' +
  '透き徹/透き通 片附け/片付け 云い訳/言い訳 云い切/言い切 居睡り/居眠り 啼き声/鳴き声 愁え/憂え ' +
  '癒り/治り 癒ら/治ら 可怪し/可笑し 匍い/這い 焼き棄て/焼き捨て ' +
  '悪んだ/憎んだ 悪んで/憎んで 悪む/憎む 悪むべ/憎むべ 悪みます/憎みます 悪みまし/憎みまし 悪みませ/憎みませ ' +
  '悪まな/憎まな 悪まれ/憎まれ';

/**
 * Verbs of one kanji with the kana that can follow it, and the kanji of the dictionary. Kana with which the dictionary has
 * another word are not among them: 唱え is read となえ, and 悪も is 悪 with a particle.
 */
const VERBS =
  '掩わいうえおっ/蔽 欺さしすせそ/騙 瞞さしすせそ/騙 偸まみむめもん/盗 識らりるれろっ/知 ' +
  '渉らりるれろっ/渡 恃まみむめもん/頼 歎かきくけこい/嘆 斃さしすせそ/倒 仆さしすせそ/倒 ' +
  '繞らりるれろっ/巡 嗤わいうえおっ/笑 泛ばびぶべぼん/浮 匍わいうえおっ/這 駭かきくけこい/驚 ' +
  '愕かきくけこい/驚 撲たちつてと/打 癒らりるれろっ/治 趁わいうえおっ/追 ' +
  '攫まみむめもん/掴 俟たちつてとっ/待 唱わいうおっ/歌 搏たちつてとっ/打 遺さしすせそ/残 ' +
  '喚ばびぶべぼん/呼 聆かきくけこい/聞';

interface Spelling {
  readonly written: string;
  readonly known: string;
  readonly isNoun: boolean;
}

/** Kanji that follow any noun: 紀念日. */
const SUFFIX = /[日的者品中性家心達等様]/u;
const HAN = /\p{sc=Han}/u;
/**
 * Nouns and names with a particle, a suffix, or a word that begins as the end of a verb or an adjective: 劇しか見ない, 碧くん,
 * 渉らしい, 悪むしろ.
 */
const SUFFIX_IN_KANA =
  /(?<=劇)しか(?![っらりるれろ])|(?<=[碧睡き])く(?:ん|らい)|(?<=[渉識癒])らし[いかくさげ]|(?<=悪)む[\u3041-\u3096ー]/y;
let byFirst: ReadonlyMap<number, readonly Spelling[]> | undefined;

function spellings(): ReadonlyMap<number, readonly Spelling[]> {
  const found = new Map<number, Spelling[]>();
  const add = (written: string, known: string, isNoun: boolean): void => {
    const key = written.charCodeAt(0);
    found.set(key, [...(found.get(key) ?? []), { written, known, isNoun }]);
  };
  for (const [list, isNoun] of [[NOUNS, true] as const, [STEMS, false] as const]) {
    for (const pair of list.split(' ')) {
      const [written = '', known = ''] = pair.split('/');
      add(written, known, isNoun);
    }
  }
  for (const verb of VERBS.split(' ')) {
    const [all = '', kanji = ''] = verb.split('/');
    for (const kana of all.slice(1)) add(all.charAt(0) + kana, kanji + kana, false);
  }
  for (const each of found.values()) each.sort((a, b) => b.written.length - a.written.length);
  return found;
}

/** Returns a text in normal form with the kanji that the dictionary has for its words; offsets stay the same. */
export function toKnownKanji(text: string): string {
  byFirst ??= spellings();
  let known = '';
  let reached = 0;
  for (let at = 0; at < text.length; at++) {
    const spelling = byFirst
      .get(text.charCodeAt(at))
      ?.find(
        ({ written, isNoun }) => text.startsWith(written, at) && isWord(text, at, written, isNoun),
      );
    if (!spelling) continue;
    known += text.slice(reached, at) + spelling.known;
    at += spelling.written.length - 1;
    reached = at + 1;
  }
  return reached === 0 ? text : known + text.slice(reached);
}

/** 場処 is no word in 市場処分. */
function isWord(text: string, at: number, written: string, isNoun: boolean): boolean {
  if (HAN.test(text.charAt(at - 1))) return false;
  const end = at + written.length;
  if (isNoun) return !HAN.test(text.charAt(end)) || SUFFIX.test(text.charAt(end));
  SUFFIX_IN_KANA.lastIndex = end - 1;
  return !SUFFIX_IN_KANA.test(text);
}
