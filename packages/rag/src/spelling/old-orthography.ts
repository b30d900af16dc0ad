/**
 * Kanji of verbs that end in う, which was ふ before 1946: those of IPADIC with 五段・ワ行 and one kanji.
 */
const VERBS =
  '這縫抗飼拾遵乞伺歌遣憂冀恋願失請逢添贖弄競狙蔽逐糾商憩綯誘濯培揃笑言云希吸扱奪覆装違舞向構祝問使詠被繕拭遭誓' +
  '敬祓占貰喰救唱伝戦買従奮洗訪闘調漂集犒交煩給叶疑唄患狂庇賜謳合窺酔撓迷震償結掬沿慕嫌購養厭想食賄担雇' +
  '纏追習補思謂呪会負思匂争伴払整償謡適弔通';
/** Some of these are nouns too, after which は and へ are particles. */
const NOUNS = new Set('歌恋願匂商舞祝問戦給唄合結想食会負洗集調交伝遣違争伴払整償謡適弔通');
const VERB = `(?<=[${VERBS}])`;
const NO_NOUNS = Array.from(VERBS)
  .filter((kanji) => !NOUNS.has(kanji))
  .join('');
const ONLY_VERB = `(?<=[${NO_NOUNS}])`;
/** Not after other kanji, with which they may be a noun: 大使はない. */
const VERB_ALONE = `(?<=(?<!\\p{sc=Han})[${NO_NOUNS}])`;

/** Kanji of verbs with え that was へ. After other kanji they are nouns before the particle: 準備へ, 新関数へ. */
const E_VERBS =
  '答伝迎数変換易仕押考教与加抑啣銜唱換拵顫震携称湛従揃違替鍛衰調叶適擬憂愁堪耐応誂弁捕捉掴讃喩譬例貯蓄抱控訴構支添備整鎧';
/** Kanji before わ that was は: 変はる, 現はす, 味はふ; and those of nouns with ひ: 幸ひ. */
const WA_RU = '変終代替伝加備関拘係携交横障';
const WA_SU = '現表顕露';
const WA_U = '(?<=(?<![意興趣気嫌正地一風後三悪美妙新])味|賑)';
/** Verbs with kana before their ending: 向かふ. */
const LONG_STEM = '(?<=向か|住ま|損な|計ら|語ら|[食喰]ら|逆ら|[担荷]な|行な|伴な|[安休]ら)';
const I_NOUNS = '幸互勢或類境災患報強';

/** 考へる and 教へて, but not 学校へるす番で, 家へてくてく: へ is a particle there. */
const ONE_STEP = String.raw`(?<=\p{sc=Han})へ(?:(?=られ)|(?=る(?![すん]))|(?=て(?!くて|いねい|んで|んや|っ)))`;
/** The same in a text with other signs, but not in 東京へまず, 学校へようこそ, 町へなど. */
const ONE_STEP_MORE = String.raw`(?<=\p{sc=Han})へ(?=た[。、」]|ない|なかつ|まし[てた]|ます)`;

type Rules = readonly (readonly [pattern: RegExp, replacement: string])[];

/** Spellings that no text of today has: each is a sign of the old orthography, too. */
const SIGNS: Rules = [
  // Not 恋はうれしい, 歌はうまい.
  [new RegExp(`${VERB}はう(?![れつまごすちたえん])`, 'gu'), 'おう'],
  [new RegExp(`${VERB_ALONE}は(?=[ずぬねれせむ]|な[いかくけ])`, 'gu'), 'わ'],
  // 歌はず、 but not 歌はずっと.
  [
    new RegExp(
      `${VERB}は(?=ず(?:[、。」にば]|$)|れ[るてたまなずば]|せ(?:[るてずよ]|た(?!い)|ら[れる])|なかつ)`,
      'gu',
    ),
    'わ',
  ],
  // Not 結構ひどい, 結構ひまだ.
  [new RegExp(`${VERB}ひ(?![とろらげそっびどねく]|ま(?![すしせ]))`, 'gu'), 'い'],
  [new RegExp(`${VERB}ふ(?![らりるれろくきけた]|か[くさい]|つう|ざけ)`, 'gu'), 'う'],
  [new RegExp(`${VERB_ALONE}へ(?=[ばどるてずり])`, 'gu'), 'え'],
  [new RegExp(ONE_STEP, 'gu'), 'え'],
  // Not 例へまとめる, 数へたどり着く, 例へずっと.
  [
    new RegExp(
      `(?<=(?<!\\p{sc=Han})[${E_VERBS}])へ(?=[てるれち]|た(?!ど)|な[いかくけが]|ず(?!っ)|ば(?!か)|ま[すしせ]|よ(?![うくり]))`,
      'gu',
    ),
    'え',
  ],
  [new RegExp(`(?<=[${WA_RU}])は(?=[るりられろっ]|つ[てた])`, 'gu'), 'わ'],
  [new RegExp(`(?<=[${WA_SU}])は(?=[すしさせ])`, 'gu'), 'わ'],
  [new RegExp(`(?<=[${WA_SU}行襲])は(?=れ)`, 'gu'), 'わ'],
  // Not 意味はひとつ.
  [new RegExp(`${WA_U}はふ`, 'gu'), 'わう'],
  [new RegExp(`${WA_U}はひ`, 'gu'), 'わい'],
  [new RegExp(`${WA_U}は(?=つ[てた])`, 'gu'), 'わ'],
  [new RegExp(`${LONG_STEM}ふ`, 'gu'), 'う'],
  [new RegExp(`${LONG_STEM}ひ`, 'gu'), 'い'],
  [new RegExp(`${LONG_STEM}は(?=[なずせれ])`, 'gu'), 'わ'],
  [new RegExp(`${LONG_STEM}へ(?=[るてばたど])`, 'gu'), 'え'],
  [/(?<=危)ふ/gu, 'う'],
  [/(?<=願)は(?=く[はわ])/gu, 'わ'],
  [/(?<=[恥閉捩怖攀綴捻])ぢ/gu, 'じ'],
  [/(?<=恥)づ(?=か)|(?<=先)づ/gu, 'ず'],
  [/(?<=[疑煩厭慌])は(?=し[いくさかう])|(?<=習)は(?=し(?!た|て|な))/gu, 'わ'],
  [new RegExp(`(?<=[${I_NOUNS}])ひ(?!と)`, 'gu'), 'い'],
  [/ゐ/gu, 'い'],
  [/ゑ/gu, 'え'],
  [/ヰ/gu, 'イ'],
  [/ヱ/gu, 'エ'],
  [/せう(?=[。、がけかねよと」]|$)/gu, 'しょう'],
  [/(?<=[がくでにはもよ]あ)つ(?=た(?!か))/gu, 'っ'],
  [/(?<=[だあ])らう(?!ら)/gu, 'ろう'],
  [/(?<=[のるいた])やう(?=[にだで]|な(?!ぎ))/gu, 'よう'],
  [/さう(?=だ|で[すせあは]|い[ふう]|し[たて]|な[いつ])/gu, 'そう'],
  // Not たつた揚げ, なつたび.
  [/(?<=[なだた])つ(?=た(?![びいんえわなぬ揚川姫]|あげ|がわ|ひめ))/gu, 'っ'],
  [
    /(?<![一二三四五六七八九十])(?<=\p{sc=Han})つ(?=て(?![いく])|た(?:[。、」』）)!?のがらりか]|$))/gu,
    'っ',
  ],
];

/** Spellings that a text of today may have otherwise: 行かう, but 向かう. They count in a text with signs. */
const RULES: Rules = [
  // Not 銀行ふたつ, 次の行ふいに, 残り3行ひま.
  [
    /(?<=(?<!\p{sc=Han}|\p{Nd}|次の|[こそあど]の)[行襲])ふ(?![らりるれろくきけたいせさぶみち]|か[くさい]|つう|ざけ|も(?!の))/gu,
    'う',
  ],
  [/(?<=(?<!\p{sc=Han}|\p{Nd}|次の|[こそあど]の)[行襲])ひ(?=[はをにのが、。]|ま[すしせ])/gu, 'い'],
  [new RegExp(ONE_STEP_MORE, 'gu'), 'え'],
  [new RegExp(`${ONLY_VERB}は(?=[ずぬねれせむ]|な[いかくけ])`, 'gu'), 'わ'],
  [new RegExp(`${ONLY_VERB}へ(?=[ばどるてずりたなら、。])`, 'gu'), 'え'],
  [new RegExp(`(?<=[${E_VERBS}])へ(?=[たてるなずばれまよち、。]|$)`, 'gu'), 'え'],
  [/(?<![ぁ-ん])[いゆ]は(?=ゆる|[なれずば])/gu, 'いわ'],
  [/い[ふう](?=[のことも人物事名意]|やう|[。、」])/gu, 'いう'],
  [/いへ(?=[ばどる])/gu, 'いえ'],
  [
    /(?<![もさくなはねきあへいりみぬすこしつぎ計語食拐攫習])らう(?=[。、かとがねよぜぞに」]|$)/gu,
    'ろう',
  ],
  [/(?<![ちじぢみひりぎび])やう(?!ち)/gu, 'よう'],
  [/さう(?=[だでなにかしいともがぢじ。、」]|$)/gu, 'そう'],
  [/(?<![ちつむうおま向違疑叶扱戦])かう(?=[といかしだでよが。、」云言思為]|$)/gu, 'こう'],
  [/(?<=[待立打勝持放保育])たう(?=[とかよ。、」]|$)/gu, 'とう'],
  [/(?<=[遊飛呼結運選並学喜転叫忍])ばう/gu, 'ぼう'],
  [/(?<=[飲読住休頼組望踏噛編包込積進])まう/gu, 'もう'],
  [/(?<=[泳急脱注防騒])がう/gu, 'ごう'],
  [/(?<=死)なう/gu, 'のう'],
  [/(?<=[のたいるなう])はう(?=[がをはにでへもか、。」])/gu, 'ほう'],
  [/(?<=[てでしがもには、])を(?=[りるれらろ])/gu, 'お'],
  [/(?<=[てでしがもには、。「]|^)を(?=か[しく]|とこ|んな|さな|ぢ|ば[さあ])/gu, 'お'],
  [/ぢ(?=[やゆよゃゅょ])/gu, 'じ'],
  [/くわ(?=[いんう])/gu, 'か'],
  // あつた alone is the name 熱田.
  [
    /(?<=[かなわまだやつえめけせれきぎちじみびべてねげりひおさとうもらただは]|\p{sc=Han}|[がくでにはもよ]あ)つ(?=て|た(?![えわへは]))/gu,
    'っ',
  ],
  [/(?<=[ぐどむざずぢはさかくぴぽぱぬにほ])つ(?=と(?![めむ]))/gu, 'っ'],
  // Not 卒 before という.
  [/(?<=[そす])つ(?=と(?![めむう]|い[ふう]))/gu, 'っ'],
  // りつぱ, あつさり, 真つ直ぐ; not 一つぽつん, ひとつぽつん, ふたつきり, あいつきり, 打つ手.
  [/(?<=[ぁ-ん])(?<!ひと|ふた|いく|ここの|[あこそど]い|み)つ(?=[ぱぴぷぺぽ])/gu, 'っ'],
  [
    /(?<=[ぁ-ん])(?<!ひと|ふた|いく|ここの|[あこそど]い|[みよや](?=つきり))つ(?=[さすたきく]り(?:[とのしさ、。]|$))/gu,
    'っ',
  ],
  [/(?<=[引酔取突追真切乗吹踏押振蹴掻差食割])つ(?=\p{sc=Han})/gu, 'っ'],
  [/(?<=(?<![ぁ-ん])ま)つ(?=[黒青赤白暗直最先])/gu, 'っ'],
  [/(?<=[ちじみひりぎび])や(?=う)/gu, 'ょ'],
  [/(?<=[みひび])よ(?=う)/gu, 'ょ'],
  [/(?<=[しちじぎひ])ゆ(?=[うつん])/gu, 'ゅ'],
  [/(?<=[しちじぎきひぴ])や(?=[んつあ])/gu, 'ゃ'],
  [/(?<=[ちぎひぴ])よ(?=[つい])|(?<=[しき])よ(?=つ)/gu, 'ょ'],
  // Said twice: むしやむしや, きよろきよろ; not ひやひや, ひよひよ.
  ...['や/ゃ', 'ゆ/ゅ', 'よ/ょ'].flatMap((pair): Rules => {
    const [large = '', small = ''] = pair.split('/');
    const before = large === 'や' ? '[きぎしじちびぴ]' : '[きぎしじちにひびぴみり]';
    return [
      [new RegExp(`([ぁ-ん]${before})${large}\\1${large}`, 'gu'), `$1${small}$1${small}`],
      [new RegExp(`(${before})${large}([ぁ-ん])\\1${large}\\2`, 'gu'), `$1${small}$2$1${small}$2`],
    ];
  }),
];

/** A text may have this many characters for each sign, so that words and rules count that today's texts may have, too. */
const SIGN_EVERY = 300;
const FIRST = 0x3041;
const LAST = 0x3096;
/** Before these no word begins: kana and kanji. */
const LETTER = /[ぁ-んァ-ヶー\p{sc=Han}]/u;
const WO = 0x3092;
/** Before these を begins a word; after others, such as brackets, letters and digits, it is a particle. */
const BEFORE_WO = /(?:^|[\n、。「『（(！？!?…―—])\s?$/u;
/** Particles, after which a word may begin in a text with signs. */
const PARTICLES = 'のはがをにでともてへや';

/** A piece of a text that is written otherwise today. */
export interface Rewriting {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Returns the pieces of a text in historical orthography that are written otherwise today, in order.
 *
 * @param isOld - True if the text is in that orthography. Default: as its signs say.
 */
export function rewriteOldOrthography(text: string, isOld?: boolean): readonly Rewriting[] {
  const found = QUICK_SIGNS.flatMap((rule) => matchesOf(text, rule));
  const words = wordsOf(text, false);
  if (isOld ?? (found.length + words.length) * SIGN_EVERY > text.length) {
    found.push(...QUICK_RULES.flatMap((rule) => matchesOf(text, rule)), ...wordsOf(text, true));
  } else {
    found.push(...words);
  }
  const sorted = found.toSorted((a, b) => a.start - b.start || b.end - a.end);
  let reached = 0;
  return sorted.filter(({ start, end }) => {
    if (start < reached) return false;
    reached = end;
    return true;
  });
}

/** The lookbehinds that a pattern begins with, and the kana that it finds: ひ of `(?<=思)ひ`. */
const BEGINNING = /^(?:\(\?<[=!](?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))+([ぁ-ヾ])/u;

/** Looks for the kana before what is before it: a lookbehind at each character takes ten times as long. */
function kanaFirst([pattern, replacement]: Rules[number]): Rules[number] {
  const [, kana] = BEGINNING.exec(pattern.source) ?? [];
  if (kana === undefined) return [pattern, replacement];
  return [new RegExp(`(?=${kana})${pattern.source}`, pattern.flags), replacement];
}

const QUICK_SIGNS = SIGNS.map(kanaFirst);
const QUICK_RULES = RULES.map(kanaFirst);

function matchesOf(text: string, [pattern, replacement]: Rules[number]): Rewriting[] {
  const found: Rewriting[] = [];
  for (const match of text.matchAll(pattern)) {
    const { 0: old, index } = match;
    const modern = replacement.replace(/\$(\d)/g, (_, group: string) => match[Number(group)] ?? '');
    if (modern !== old) found.push({ start: index, end: index + old.length, text: modern });
  }
  return found;
}

/** Returns the words of a text that are written otherwise today. */
function wordsOf(text: string, isOld: boolean): Rewriting[] {
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
      'ふ/う ひ/い はず/わず はな/わな はれ/われ はせ/わせ はう/おう へば/えば へる/える へど/えど へな/えな つた/った つて/って',
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
const TWO_WORDS = /は[ずな]$|^(?:くる|まと|いこ)[はへ]/;
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
    'さつき かつて やつと まつか いひ ゆふ こは をか をど をら はひ いつて いつた ' +
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
  'ふぢ/ふじ あつた/あった あつて/あって かつて/かって にやあにやあ/にゃあにゃあ ひたひ/ひたい よひ/よい いつそ/いっそ をか/おか にやあ/にゃあ';

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
