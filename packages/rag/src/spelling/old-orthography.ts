import { oldWords, type Rewriting } from './old-words.ts';

/**
 * Kanji of verbs that end in う, which was ふ before 1946: those of IPADIC with 五段・ワ行 and one kanji.
 */
const VERBS =
  '這縫抗飼拾遵乞伺歌遣憂冀恋願失請逢添贖弄競狙蔽逐糾商憩綯誘濯培揃笑言云希吸扱奪覆装違舞向構祝問使詠被繕拭遭誓' +
  '敬祓占貰喰救唱伝戦買従奮洗訪闘調漂集犒交煩給叶疑唄患狂庇賜謳合窺酔撓迷震償結掬沿慕嫌購養厭想食賄担雇' +
  '纏追習補思謂呪会負思匂争伴払整償謡適弔通憶';
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
  // After particles: 間に合はない and 顔を合はせる, but not 試合はない, 三合はない, 知り合はせまい.
  [/(?<=[にを似]合)は(?=[ずぬねれせ]|な[いかくけ]|し[てた])/gu, 'わ'],
  [/(?<=[とをもはに][言云謂])は(?=ば)/gu, 'わ'],
  [/(?<=[をに]教)は(?=[っら]|つ[てた]|る[。、」とのほ]|り[ま、])/gu, 'わ'],
  // 配給へ has the particle, and さいたまへ.
  [/(?<=[いきぎしちてでにびみり見来]給)へ(?!と)/gu, 'え'],
  [/(?<=\p{sc=Han}[きぎしちびみり]たま)へ(?=[。、」』）)！？!?よば]|$)/gu, 'え'],
  [/(?<=(?<!\p{sc=Han})考|[捕掴捉]ま)へ/gu, 'え'],
  // 子ども用ひな人形.
  [/(?<=を用)ひ(?=[るたてなよれず]|ま[すし])/gu, 'い'],
  [/(?<=願)は(?=く[はわ])/gu, 'わ'],
  [/(?<=[恥閉捩怖攀綴捻])ぢ/gu, 'じ'],
  [/(?<=恥)づ(?=か)|(?<=先)づ/gu, 'ず'],
  [/(?<=[疑煩厭慌])は(?=し[いくさかう])|(?<=(?<!\p{sc=Han})習)は(?=し(?!た|て|な))/gu, 'わ'],
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
  [new RegExp(`${ONLY_VERB}は(?=し[てた])`, 'gu'), 'わ'],
  [
    /(?<=(?<![\p{sc=Han}\p{Nd}何数])合)は(?=[ずぬねれ]|せ[るたてらず]|な[いかくけ]|し[てた])/gu,
    'わ',
  ],
  [/(?<=(?<!\p{sc=Han})[言云謂])は(?=ば)/gu, 'わ'],
  [/(?<=(?<![\p{sc=Han}\p{sc=Katakana}])教)は(?=っ|つ[てた]|る[。、」とのほ]|り[ま、])/gu, 'わ'],
  [/(?<=[いぎしちてでにびみり](?<!さい)たま)へ(?=[。、」』）)！？!?よば]|$)/gu, 'え'],
  [/(?<=(?<!\p{sc=Han})用)ひ(?=[るてず]|た[。、」りのも]|ま[すし])/gu, 'い'],
  [/(?<=[をてもはに][食遣洗会負問伴争払集])は(?=[ずぬねれせす]|な[いかくけ]|し[てた])/gu, 'わ'],
  [/(?<=手伝|気遣|り換)は(?=[ずぬねれせす]|な[いかくけ]|し[てた])/gu, 'わ'],
  [/(?<=と|とか|[かこさそどあ何斯]う)いふ/gu, 'いう'],
  [/(?<=(?<!\p{sc=Han})[拵誂堪捕訴与備揃貯]ら?)へ(?!と)/gu, 'え'],
  [/(?<=味)ひ(?=な[がく]|[をも、])/gu, 'い'],
  [/(?<=[\p{sc=Han}にでをがとはのしきりてもばるさけ])(?<![深長高広強重])さへ(?![ぎづ])/gu, 'さえ'],
  [/(?<=(?<!\p{sc=Han})答)へ(?=[がをはもよな。、」])/gu, 'え'],
  [/(?<=[もにはら唯ば、。「])かう(?=\p{sc=Han})/gu, 'こう'],
  [/(?<=[にとくうも]な|や)らう(?=[とかがな。、」ねぞさはに])/gu, 'ろう'],
  [/さう(?=[云言思考呼よ])/gu, 'そう'],
  // あつた alone is the name 熱田, かつて after a particle a word.
  [
    /(?<!(?:^|[、。「はがもを\s])か)(?<=[かなわまだやつえめけせれきぎちじみびべてねげりひおさとうもらただは]|\p{sc=Han}|[がくでにはもよ]あ)つ(?=て|た(?![えわへは]))/gu,
    'っ',
  ],
  // 立ち上がつて, 悪くつて, なすつた; not かつて and 何かつて, 三つてのひら, いくつた.
  [
    /(?<=[がくぐござしすずぜどのばふぶほぼむもゆよろを]|[\p{sc=Han}ぁ-ん]あ)(?<!ひと|ふた|いく|ここの)つ(?=て(?![のい])|た(?![えわへはぬ]))/gu,
    'っ',
  ],
  [/(?<=[\p{sc=Han}ぁ-ん])つ(?=ち(?:[やゃあ]|ま[いうえおっつはひふ]))/gu, 'っ'],
  [/(?<=[らやお])つ(?=し[やゃ])|(?<=[ただ])つ(?=け(?:[なかねよ、。」』？?]|$))/gu, 'っ'],
  [/(?<=[えきぎけしせちてねびみめれべげぜでり])つ(?=こな[いくか]|こは)|(?<=ご)つ(?=こ)/gu, 'っ'],
  [
    /(?<=\p{sc=Han})つ(?=ぽ[いくかさ])|(?<=く)つ(?=つ[いかきくけこ])|(?<=る)つ(?=て[ねよ云言、。」]|たつ)/gu,
    'っ',
  ],
  [/(?<=[ぐどむざずぢはさかくぴぽぱぬにほちふゆびわ])つ(?=と(?![めむ]))/gu, 'っ'],
  // Not 卒 before という.
  [/(?<=[そす])つ(?=と(?![めむう]|い[ふう]))/gu, 'っ'],
  // りつぱ, あつさり, 真つ直ぐ; not 一つぽつん, ひとつぽつん, ふたつきり, あいつきり, 打つ手.
  [/(?<=[ぁ-ん])(?<!ひと|ふた|いく|ここの|[あこそど]い|み)つ(?=[ぱぴぷぺぽ])/gu, 'っ'],
  [
    /(?<=[ぁ-ん])(?<!ひと|ふた|いく|ここの|[あこそど]い|[みよや](?=つきり))つ(?=[かきくこさしすそたちつ]り(?:[とのしさ、。…\p{sc=Han}]|$))/gu,
    'っ',
  ],
  [/(?<=[引酔取突追真切乗吹踏押振蹴掻差食割])つ(?=\p{sc=Han})/gu, 'っ'],
  [/(?<=(?:(?<![ぁ-ん])|[くたてとにのはもが])ま)つ(?=[黒青赤白暗直最先])/gu, 'っ'],
  [/(?<=[ちじ]ま)ふ/gu, 'う'],
  [/(?<=一し)よ(?=[にでだのか])/gu, 'ょ'],
  // 手紙じや, 砂じやり, おたまじやくし; not おやじや.
  [/(?<=(?<!お[や爺]|ひ)[じぢ])や/gu, 'ゃ'],
  [/(?<=[っつ]ち)や(?!う)/gu, 'ゃ'],
  [/(?<=[くれけせてめべねえげしい]ち)や(?=い[けか]|なら|だ[めろ]|[駄不困、。」あ])/gu, 'ゃ'],
  [/(?<=[っつ]し)や(?=[らりるれいっつ])|(?<=仰し)や/gu, 'ゃ'],
  [/(?<=(?:^|[「『（、。\s])[そこあ]り)や(?![うまとは])/gu, 'ゃ'],
  [
    /(?<=\p{sc=Han}り|あり|(?<!\p{sc=Han})[けなえげてせねれ]り)や(?=し[なねま]|[あい、。な]|$)/gu,
    'ゃ',
  ],
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

/** Spellings that texts of today have, too: 少しづつ, but not 竹づつ and the name いづつ. They are no signs. */
const ALLOWED: Rules = [
  [
    /(?<=[\p{Nd}一二三四五六七八九十百千万何数半両][\p{sc=Han}つ]{0,2}|[少こ]し|[とた]り|[くたっつと]つ|らい)づ(?=つ(?!み))/gu,
    'ず',
  ],
];

/** A text may have this many characters for each sign, so that words and rules count that today's texts may have, too. */
const SIGN_EVERY = 300;

/** All that is rewritten has one of these. */
export const REWRITTEN_KANA: RegExp = /[ぁ-んヰヱ]/u;

/**
 * Returns the pieces of a text in historical orthography that are written otherwise today, in order.
 *
 * @param isOld - True if the text is in that orthography. Default: as its signs say.
 */
export function rewriteOldOrthography(text: string, isOld?: boolean): readonly Rewriting[] {
  const found = QUICK_SIGNS.flatMap((rule) => matchesOf(text, rule));
  const words = oldWords(text, false);
  if (isOld ?? (found.length + words.length) * SIGN_EVERY > text.length) {
    found.push(...QUICK_RULES.flatMap((rule) => matchesOf(text, rule)), ...oldWords(text, true));
  } else {
    found.push(...words);
  }
  found.push(...QUICK_ALLOWED.flatMap((rule) => matchesOf(text, rule)));
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

/**
 * Joins rules that give the same for the same kana, and looks for the kana before what is before it: a lookbehind at each
 * character takes ten times as long, and one search for each rule twice as long as these.
 */
function joined(rules: Rules): Rules {
  const alone: Rules[number][] = [];
  const byKana = new Map<string, { replacement: string; sources: string[] }>();
  for (const [pattern, replacement] of rules) {
    const [, kana] = BEGINNING.exec(pattern.source) ?? [];
    if (kana === undefined) {
      alone.push([pattern, replacement]);
      continue;
    }
    const key = kana + replacement;
    const known = byKana.get(key) ?? { replacement, sources: [] };
    known.sources.push(pattern.source);
    byKana.set(key, known);
  }
  return [
    ...alone,
    ...Array.from(byKana, ([key, { replacement, sources }]): Rules[number] => [
      new RegExp(`(?=${key.charAt(0)})(?:${sources.join('|')})`, 'gu'),
      replacement,
    ]),
  ];
}

const QUICK_SIGNS = joined(SIGNS);
const QUICK_RULES = joined(RULES);
const QUICK_ALLOWED = joined(ALLOWED);

function matchesOf(text: string, [pattern, replacement]: Rules[number]): Rewriting[] {
  const found: Rewriting[] = [];
  for (const match of text.matchAll(pattern)) {
    const { 0: old, index } = match;
    const modern = replacement.replace(/\$(\d)/g, (_, group: string) => match[Number(group)] ?? '');
    if (modern !== old) found.push({ start: index, end: index + old.length, text: modern });
  }
  return found;
}
