/** A piece of a text that is written otherwise today. */
export interface Rewriting {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const FIRST = 0x3041;
const LAST = 0x3096;
/** Before these no word begins: kana and kanji. */
const LETTER = /[ぁ-んァ-ヶー\p{sc=Han}]/u;
const WO = 0x3092;
/** Before these を begins a word; after others, such as brackets, letters and digits, it is a particle. */
const BEFORE_WO = /(?:^|[\n、。「『（(！？!?…―—])\s?$/u;
/** Particles, after which a word may begin in a text with signs. */
const PARTICLES = 'のはがをにでともてへや';

/** Returns the words of a text that are written otherwise today. */
export function oldWords(text: string, isOld: boolean): Rewriting[] {
  const found: Rewriting[] = [];
  for (let at = 0; at + 1 < text.length; at++) {
    const [first, second] = [text.charCodeAt(at), text.charCodeAt(at + 1)];
    if (first < FIRST || first > LAST || second < FIRST || second > LAST) continue;
    const before = text.charAt(at - 1);
    const mayBegin =
      first === WO
        ? BEFORE_WO.test(text.slice(Math.max(0, at - 2), at))
        : !LETTER.test(before) || (isOld && PARTICLES.includes(before));
    const word = oldWordAt(text, at, mayBegin, isOld);
    if (!word) continue;
    const { old, today } = word;
    found.push({ start: at, end: at + old.length, text: today });
    at += old.length - 1;
  }
  return found;
}

/**
 * Words in hiragana as they were written before 1946, with what they are today.
 *
 * Source: 現代仮名遣い (Cabinet notice 1 of 1986), the examples of its appendix, and the words that works of the public
 * domain in that orthography have most. Each form was looked for in 21 million characters of works in today's
 * orthography.
 */
type Words = readonly (readonly [old: string, today: string])[];

function pairsOf(list: string): Words {
  return list.split(' ').map((pair) => {
    const [old = '', today = old] = pair.split('/');
    return [old, today] as const;
  });
}

/** Stems with the endings that they take. */
const STEMS: readonly (readonly [stems: Words, endings: Words])[] = [
  [
    pairsOf(
      'おも しま もら ちが わら つか うた ねが まよ むか そろ きら さそ うしな したが たたか かま くる てつだ ととの はら ひろ うたが うば かな ' +
        'さまよ ただよ つくろ とむら ともな ふるま あつか あら あらそ いは/いわ うやま おそ からか やしな にほ/にお おほ/おお ' +
        'うるほ/うるお よそほ/よそお まと やと うかが あぢは/あじわ にぎは/にぎわ きそ さから ためら たゆた つど とまど ぬぐ ねら のろ ' +
        'はぢら/はじら へつら まかな やすら さへぎ/さえぎ きづか うつろ つぐな おぎな せば まぎら かたら みはから いこ ほほゑ/ほほえ',
    ),
    pairsOf(
      'ふ/う ひ/い はず/わず はな/わな はれ/われ はせ/わせ はん/わん はぬ/わぬ はね/わね はう/おう へば/えば へる/える へど/えど へな/えな つた/った つて/って',
    ),
  ],
  [
    pairsOf(
      'かんが こた むか をし/おし くは/くわ そな たと つか つた とら とな うつた/うった かま こしら ささ たくは/たくわ つかま ふる ひか まじ ' +
        'をさ/おさ おさ あた うれ おとろ きた ととの なぞら とりか ひきか かぞ わきま さか あつら か',
    ),
    pairsOf(
      'へる/える へた/えた へて/えて へば/えば へら/えら へな/えな へま/えま へれ/えれ へず/えず へよ/えよ',
    ),
  ],
  [
    pairsOf(
      'まは/まわ かは/かわ さは/さわ をは/おわ つたは/つたわ ことは/ことわ うけたまは/うけたまわ いたは/いたわ かかは/かかわ ' +
        'たづさは/たずさわ まじは/まじわ よこたは/よこたわ そなは/そなわ くはは/くわわ こだは/こだわ かへ/かえ をど/おど かを/かお ' +
        'とどこほ/とどこお いきどほ/いきどお',
    ),
    pairsOf('る り ら れ ろ つた/った つて/って った って'),
  ],
  [
    pairsOf(
      'な あが さが わか つく かか なさ ゐらし/いらし やが ござ わた もど のこ しか とま あま しま なく よ こま つな ひろが つなが ' +
        'あたたま ちかよ いらし おつしや/おっしゃ い と も たか よか なか だ',
    ),
    pairsOf('つた/った つて/って'),
  ],
  [
    pairsOf(
      'あを/あお ちひさ/ちいさ おほき/おおき とほ/とお こは/こわ いとほし/いとおし むづかし/むずかし はづかし/はずかし ' +
        'めづらし/めずらし たふと/とうと やはらか/やわらか をさな/おさな うるはし/うるわし わづらはし/わずらわし うたがはし/うたがわし ' +
        'あわただし けはし/けわし くはし/くわし かうばし/こうばし をかし/おかし おほ/おお',
    ),
    pairsOf('い く かつ/かっ さ'),
  ],
];

/** Words at the beginnings of words: they are in no text of today there. */
const IN_ANY_TEXT =
  'いへ/いえ まへ/まえ かへる/かえる かへり/かえり かへつ/かえっ こたへ/こたえ をしへ/おしえ かんがへ/かんがえ ' +
  'むかへ/むかえ ほのほ/ほのお こほり/こおり とほい/とおい とほく/とおく とほり/とおり とほる/とおる ' +
  'とほつ/とおっ おほき/おおき おほい/おおい おほく/おおく おほぜい/おおぜい をとこ/おとこ をんな/おんな ' +
  'をとめ/おとめ をさな/おさな をどり/おどり をどる/おどる をはり/おわり をはる/おわる をぢ/おじ をば/おば ' +
  'をかし/おかし をり/おり をる/おる まはり/まわり まはる/まわる かはり/かわり かはる/かわる かはいい/かわいい ' +
  'かはい/かわい やはらか/やわらか さはる/さわる さはり/さわり あはれ/あわれ あはせ/あわせ くはし/くわし ' +
  'あぢ/あじ はぢ/はじ ぢいさん/じいさん ぢぢ/じじ もみぢ/もみじ すぢ/すじ まづ/まず いづれ/いずれ ' +
  'いづこ/いずこ いづみ/いずみ めづらし/めずらし しづか/しずか しづむ/しずむ はづかし/はずかし ちひさ/ちいさ ' +
  'ちがふ/ちがう ちがひ/ちがい いふ/いう おもふ/おもう おもひ/おもい わらふ/わらう わらひ/わらい つかふ/つかう ' +
  'うたふ/うたう てふてふ/ちょうちょう けふ/きょう きのふ/きのう たふとい/とうとい あるひは/あるいは ' +
  'たとひ/たとい つひに/ついに ゆふべ/ゆうべ ゆふがた/ゆうがた';

/**
 * Other words with as many kana as these count at the beginnings of sentences and quotations of any text: 21 million
 * characters of works in today's orthography have none of them there.
 */
const TELLING = 4;
const SHORT_AND_TELLING = new Set(
  (
    'きつと やうに やうな やうだ だつて だつた だらう でせう こつち そつち どつち ぢつと わづか しやべ くぢら めうに くづれ うづま たづね はづれ はづす さづけ ' +
    'あづけ ねづみ わらぢ とぢる いぢめ うなづ つまづ まうす たふす たふれ かをり みさを しをれ みみづ むぢな すはる すはり すはつ こはれ ならふ まよふ しまふ ' +
    'むかふ'
  ).split(' '),
);
const TWO_WORDS = /は[ずなんぬね]$|^(?:くる|まと|いこ)[はへ]/;
/** 鎌はない, 来るはず, 的外れ, 木はまだ, 島ひとつ, いつ逮捕, 歌伝え, 奴かい, 歯ひりひり, たかつ and other names. */
const NOT_TELLING = new RegExp(
  `${TWO_WORDS.source}|^(?:いつたい|やつかい|さつき|うたつた|たかつ[たて]|かまつた|あらつた|にはか|きはま|こはかつ|うへ|しまひ|つかひ|かなひ|はひ)`,
);
/** After these a word begins, and no particle. */
const BEFORE_TELLING = /^[\s「『（(“"、。，．！？!?…‥―—・：:]?$/;
/** Between two signs any word counts but those that are names, cries, or one or two words of today. */
const IS_LETTER = /^[\p{L}\p{N}ー々]/u;
const NAMES = new Set(
  (
    'さつき やつと まつか いひ ゆふ こは をか をど をら はひ いつて いつた ' +
    'かほ なほ しほ みづ あを うへ かは みさを かをり かをる あふひ かづ ふぢ あつた ' +
    'ゆづる ゆづり しづく よろづ あをい うづ かぢ くづ さう ゆふひ にほひ さはら をはら いはせ たひら にやあ'
  ).split(' '),
);

/** Words that are names, exclamations or two words of today, too. They count where a word may begin in an old text. */
const AT_BEGINNINGS =
  'をしむ/おしむ をしい/おしい をはら/おわら をはつ/おわっ かへて/かえて いひ/いい いはず/いわず いはな/いわな ' +
  'いはせ/いわせ いはん/いわん いはう/いおう いへば/いえば いへる/いえる いへど/いえど いはく/いわく ' +
  'しまひ/しまい つかひ/つかい そろひ/そろい くるひ/くるい はらひ/はらい かなひ/かない あつかひ/あつかい ' +
  'いはひ/いわい いはふ/いわう にほひ/におい にほふ/におう ならひ/ならい ならふ/ならう たまふ/たまう ' +
  'たまひ/たまい こはい/こわい こはさ/こわさ わづか/わずか をばさん/おばさん さへ/さえ かたはら/かたわら ' +
  'にはか/にわか きはま/きわま たひら/たいら はひる/はいる こひし/こいし たがひ/たがい あふひ/あおい ' +
  'たふれ/たおれ まうし/もうし まうけ/もうけ ずつと/ずっと もつと/もっと やつと/やっと はつと/はっと ' +
  'ふつと/ふっと まつか/まっか みづから/みずから あづか/あずか うづ/うず かづ/かず くづ/くず よろづ/よろず ' +
  'なんぢ/なんじ いたづら/いたずら かげろふ/かげろう もつとも/もっとも すなはち/すなわち ゆふ/ゆう とほす/とおす ' +
  'をら/おら をど/おど いうれい/ゆうれい さう/そう みづ/みず なほ/なお うへ/うえ かほ/かお しほ/しお ' +
  'あつち/あっち こつち/こっち そつち/そっち どつち/どっち うを/うお かは/かわ とをか/とおか ゑがほ/えがお あを/あお かぢ/かじ やうす/ようす さやう/さよう ぢや/じゃ ひとへに/ひとえに ぢき/じき かつぱ/かっぱ きよとん/きょとん ' +
  'ふぢ/ふじ あつた/あった あつて/あって にやあにやあ/にゃあにゃあ ひたひ/ひたい よひ/よい いつそ/いっそ をか/おか にやあ/にゃあ';

/** Words and beginnings of words that no other word of an old text has. Today they are the ends of two words: こは of ここは. */
const ANYWHERE =
  'うつはもの/うつわもの なまへ/なまえ さはやか/さわやか こほろぎ/こおろぎ たをやか/たおやか おほよそ/おおよそ おほぜい/おおぜい おほかた/おおかた おほかみ/おおかみ おほやけ/おおやけ ' +
  'おほげさ/おおげさ おほむね/おおむね まつたく/まったく をととひ/おととい をととし/おととし をさな/おさな ゆくへ/ゆくえ たはむれ/たわむれ ' +
  'なりはひ/なりわい いはゆる/いわゆる きはめて/きわめて くはだて/くわだて たまはる/たまわる しあはせ/しあわせ あはてて/あわてて ' +
  'わらはべ/わらわべ わざはひ/わざわい さいはひ/さいわい あひだ/あいだ あるひは/あるいは つひに/ついに ちひさ/ちいさ はひつ/はいっ はひり/はいり いぢめ/いじめ いぢわる/いじわる もぢもぢ/もじもじ おづおづ/おずおず ' +
  'もちひ/もちい やまひ/やまい こひびと/こいびと いきほひ/いきおい よそほひ/よそおい おもひで/おもいで ほのほ/ほのお もよほす/もよおす もよほし/もよおし ゆふべ/ゆうべ ' +
  'ゆふがた/ゆうがた ゆふひ/ゆうひ ゆふやけ/ゆうやけ あふぎ/おうぎ あふむ/おうむ たふす/たおす てふてふ/ちょうちょう まうす/もうす かうむ/こうむ ' +
  'はうむ/ほうむ かうして/こうして かうした/こうした かういふ/こういう かういつた/こういった さうして/そうして さうした/そうした さういふ/そういう ' +
  'さうです/そうです さうでせう/そうでしょう さうなる/そうなる やうやく/ようやく やうに/ように やうな/ような やうだ/ようだ やうです/ようです ' +
  'さやうなら/さようなら おはやう/おはよう ありがたう/ありがとう おめでたう/おめでとう ほんたう/ほんとう たうとう/とうとう めうに/みょうに ' +
  'ちやうど/ちょうど ちやうだい/ちょうだい じやうだん/じょうだん じやうず/じょうず じやうぶ/じょうぶ ぢやうぶ/じょうぶ きやうだい/きょうだい ' +
  'しやうがな/しょうがな いつしやうけんめい/いっしょうけんめい はつきり/はっきり すつかり/すっかり ゆつくり/ゆっくり びつくり/びっくり ' +
  'そつくり/そっくり しつかり/しっかり うつかり/うっかり がつかり/がっかり ばつたり/ばったり ぴつたり/ぴったり ひよつと/ひょっと ちよつと/ちょっと ' +
  'しやうじき/しょうじき きふに/きゅうに いつさい/いっさい やつかい/やっかい せつけん/せっけん さつそく/さっそく けつきよく/けっきょく ひよつこり/ひょっこり ' +
  'しよんぼり/しょんぼり ちよいと/ちょいと じつと/じっと ぢつと/じっと きつと/きっと ぎよつと/ぎょっと ぱつと/ぱっと やつぱり/やっぱり さつぱり/さっぱり いつぱい/いっぱい ' +
  'さつさと/さっさと さつき/さっき せつせと/せっせと ちつとも/ちっとも ひつそり/ひっそり いつしよ/いっしょ いつたい/いったい まつすぐ/まっすぐ ' +
  'まつくら/まっくら まつしろ/まっしろ せつかく/せっかく けつして/けっして うつとり/うっとり によつて/によって によつた/によった くださつ/くださっ ' +
  'つしやる/っしゃる いらつしや/いらっしゃ おつしや/おっしゃ しやべ/しゃべ ちやん/ちゃん じやあ/じゃあ ぢやあ/じゃあ ぢやな/じゃな んぢや/んじゃ ' +
  'みづうみ/みずうみ おのづから/おのずから はづれ/はずれ はづす/はずす たづね/たずね おとづれ/おとずれ あづけ/あずけ うづくま/うずくま ' +
  'うづま/うずま うなづ/うなず つまづ/つまず かうべ/こうべ くづれ/くずれ しづむ/しずむ しづく/しずく さづけ/さずけ ひざまづ/ひざまず わづら/わずら ' +
  'ゆづる/ゆずる ゆづり/ゆずり ねづみ/ねずみ あぢさゐ/あじさい あぢ/あじ くぢら/くじら なめくぢ/なめくじ とぢる/とじる ぢいさん/じいさん ' +
  'ぢぢい/じじい わらぢ/わらじ だらう/だろう であらう/であろう でせう/でしょう ませう/ましょう ' +
  'おまへ/おまえ こらへ/こらえ うろたへ/うろたえ くりかへ/くりかえ かかへ/かかえ たとへ/たとえ どほり/どおり どほし/どおし すきとほ/すきとお ' +
  'ぐづぐづ/ぐずぐず づうづうし/ずうずうし こはごは/こわごわ とらはれ/とらわれ やはらか/やわらか みつともな/みっともな ひよろ/ひょろ ちよき/ちょき しよげ/しょげ ちよん/ちょん ちよこ/ちょこ こんにやく/こんにゃく おもちや/おもちゃ しやがむ/しゃがむ しやがん/しゃがん しやがみ/しゃがみ はしやぐ/はしゃぐ はしやい/はしゃい ' +
  'つひぞ/ついぞ たぐひ/たぐい ぐらひ/ぐらい おひおひ/おいおい はひれ/はいれ はひら/はいら むづむづ/むずむず むづかし/むずかし はづみ/はずみ はづむ/はずむ ' +
  'だつて/だって だつた/だった かをり/かおり みさを/みさお しをれ/しおれ みみづ/みみず むぢな/むじな すはる/すわる すはり/すわり すはつ/すわっ こはれ/こわれ まよふ/まよう しまふ/しまう むかふ/むかう';

/** Words by their first two characters, the longest first; made by the first text that is read. */
let byStart: ReadonlyMap<number, readonly OldWord[]> | undefined;

function wordsByStart(): ReadonlyMap<number, readonly OldWord[]> {
  const atBeginnings = new Map([...pairsOf(AT_BEGINNINGS), ...pairsOf(IN_ANY_TEXT)]);
  const inAnyText = new Set(pairsOf(IN_ANY_TEXT).map(([old]) => old));
  const anywhere = new Map([
    ...STEMS.flatMap(([stems, endings]) =>
      stems.flatMap(([stem, today]) =>
        endings.map(([ending, now]) => [stem + ending, today + now] as const),
      ),
    ),
    ...pairsOf(ANYWHERE),
  ]);
  for (const [old] of pairsOf(AT_BEGINNINGS)) anywhere.delete(old);
  const found = new Map<number, OldWord[]>();
  for (const [old, today] of new Map([...anywhere, ...atBeginnings])) {
    if (old === today) continue;
    const key = keyAt(old, 0);
    const words = found.get(key) ?? [];
    const isAnywhere = anywhere.has(old);
    const isTelling =
      !NAMES.has(old) &&
      (SHORT_AND_TELLING.has(old) || (old.length >= TELLING && !NOT_TELLING.test(old)));
    words.push({ old, today, isInAnyText: inAnyText.has(old), isTelling, isAnywhere });
    found.set(key, words);
  }
  for (const words of found.values()) words.sort((a, b) => b.old.length - a.old.length);
  return found;
}

/** A word in the old orthography, and in that of today. */
interface OldWord {
  readonly old: string;
  readonly today: string;
  /** True if it counts in a text without other signs of that orthography. */
  readonly isInAnyText: boolean;
  /** True if it counts there after a sign before which no particle is. */
  readonly isTelling: boolean;
  /** True if it counts inside of a run of kana in an old text. */
  readonly isAnywhere: boolean;
}

/**
 * Returns the longest word in the old orthography at an offset.
 *
 * @param mayBegin - True if a word may begin there.
 * @param isOld - True if the text has signs of that orthography.
 */
function oldWordAt(
  text: string,
  at: number,
  mayBegin: boolean,
  isOld: boolean,
): OldWord | undefined {
  byStart ??= wordsByStart();
  return byStart
    .get(keyAt(text, at))
    ?.find(
      ({ old, isInAnyText, isTelling, isAnywhere }) =>
        (mayBegin
          ? isOld ||
            isInAnyText ||
            ((isTelling || isAlone(text, at + old.length, old)) &&
              BEFORE_TELLING.test(text.charAt(at - 1)))
          : isOld && isAnywhere) && text.startsWith(old, at),
    );
}

/** A whole text is none: a query may be a name. */
function isAlone(text: string, end: number, word: string): boolean {
  if (text.length === word.length) return false;
  return !IS_LETTER.test(text.slice(end, end + 1)) && !NAMES.has(word) && !TWO_WORDS.test(word);
}

function keyAt(text: string, at: number): number {
  return text.charCodeAt(at) * 0x10000 + text.charCodeAt(at + 1);
}

/** Kana with which a word of today is written that had others. */
const KANA_OF_TODAY = new Map([
  ['は', 'わ'],
  ['ひ', 'い'],
  ['ふ', 'う'],
  ['へ', 'え'],
  ['ほ', 'お'],
  ['ぢ', 'じ'],
  ['づ', 'ず'],
  ['を', 'お'],
]);
/** Not in readings of kanji, めいはく and いほう, nor in names with ひろ and ひこ, nor in laughs: あはは. */
const OLD_KANA =
  /(?<=.)(?:は(?![いくつん])|ひ(?![きことよろんゃゅょ])|ふ(?![くん])|へ(?![いん])|ほ(?![うん]))|[ぢづを]/gu;
const LAUGH = /([はひふへほ])\1/u;
const HIRAGANA = /^[\u3041-\u3096]{3,8}$/u;

/**
 * Returns what a word is today that the dictionary has in today's orthography only. It may be a name as well, and is to be
 * found as it is written.
 *
 * @param isWord - Checks whether the dictionary has a word.
 */
export function wordOfToday(word: string, isWord: (word: string) => boolean): string | undefined {
  if (!HIRAGANA.test(word) || LAUGH.test(word) || NAMES.has(word)) return undefined;
  const today = word.replaceAll(OLD_KANA, (kana) => KANA_OF_TODAY.get(kana) ?? kana);
  return today !== word && !isWord(word) && isWord(today) ? today : undefined;
}
