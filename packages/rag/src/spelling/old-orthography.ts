/**
 * Kanji of verbs that end in う, which was ふ before 1946: those of IPADIC with 五段・ワ行 and one kanji.
 */
const VERBS =
  '這縫抗飼拾遵乞伺歌遣憂冀恋願失請逢添贖弄競狙蔽逐糾商憩綯誘濯培揃笑言云希吸扱奪覆装違舞向構祝問使詠被繕拭遭誓' +
  '敬祓占貰喰救唱伝戦買従奮洗訪闘調漂集犒交煩給叶疑唄患狂庇賜謳合窺酔撓迷震償結掬沿慕嫌購養厭想食賄担雇' +
  '纏追習補思謂呪会負思匂';
/** Some of these are nouns too, after which は and へ are particles. */
const NOUNS = new Set('歌恋願匂商舞祝問戦給唄合結想食会負洗集調交伝');
const VERB = `(?<=[${VERBS}])`;
const ONLY_VERB = `(?<=[${Array.from(VERBS)
  .filter((kanji) => !NOUNS.has(kanji))
  .join('')}])`;

/** 考へる and 教へて, but not 学校へるす番で, 家へてくてく: へ is a particle there. */
const ONE_STEP = String.raw`(?<=\p{sc=Han})へ(?:(?=られ)|(?=る(?![すん]))|(?=て(?!くて|いねい|んで|んや|っ)))`;
/** The same in a text with other signs, but not in 東京へまず, 学校へようこそ, 町へなど. */
const ONE_STEP_MORE = String.raw`(?<=\p{sc=Han})へ(?=た[。、」]|ない|なかつ|まし[てた]|ます)`;

/** Signs of the old orthography; modern texts have none of them. */
const OLD = new RegExp(
  `[ゐゑヰヱ]|${VERB}(?:ふ(?![らりるれろくかきけ])|はう|ひ(?![とろら]))|${ONLY_VERB}は[ずぬねむ]|${ONLY_VERB}は(?=な[いかくけ])|${ONLY_VERB}へ[ばど]|(?<![一二三四五六七八九])\\p{sc=Han}つ[てた](?![いく])|けふ|きのふ|でせう|ませう|だらう|であらう|[のるいた]やう[なにだで]|さう(?:だ|で|な|し|い[ふう])|なつた|たつた|だつた|(?<=[がくでにはもよ])あつた(?!か)|${ONE_STEP}|をり|をる|をか|いふ|いへ`,
  'u',
);

/** Old and modern spelling: historical kana by sound, and the large つ. */
const RULES: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [new RegExp(`${VERB}はう`, 'gu'), 'おう'],
  [new RegExp(`${ONLY_VERB}は(?=[ずぬねれせむば])`, 'gu'), 'わ'],
  // 歌はず、 but not 歌はずっと.
  [new RegExp(`${VERB}は(?=ず(?:[、。」にば]|$)|[れせ][るてたま])`, 'gu'), 'わ'],
  [new RegExp(`${VERB}は(?=なかつ)`, 'gu'), 'わ'],
  [new RegExp(`${ONLY_VERB}は(?=な[いかくけ])`, 'gu'), 'わ'],
  [new RegExp(`${VERB}ひ(?![とろら])`, 'gu'), 'い'],
  [new RegExp(`${VERB}ふ(?![らりるれろくかきけ])`, 'gu'), 'う'],
  [new RegExp(`${ONLY_VERB}へ(?=[ばどるてたなりずら、。])`, 'gu'), 'え'],
  [new RegExp(`${ONE_STEP}|${ONE_STEP_MORE}`, 'gu'), 'え'],
  [/(?<![ぁ-ん])[いゆ]は(?=ゆる|[なれずば])/gu, 'いわ'],
  [/い[ふう](?=[のことも人物事]|やう)/gu, 'いう'],
  [/いへ(?=[ばどる])/gu, 'いえ'],
  [/(?<![ぁ-ん])けふ(?![ぁ-ゖ])|(?<![ぁ-ん])けふ(?=[はものをにが])/gu, 'きょう'],
  [/きのふ/gu, 'きのう'],
  [/て[ふう](?=てふ|[がはのを])/gu, 'ちょう'],
  [/せう(?=[。、がけかねよと」]|$)/gu, 'しょう'],
  [/だらう/gu, 'だろう'],
  [/あらう/gu, 'あろう'],
  [/やう(?=[なにだで。、]|$)/gu, 'よう'],
  [/さう(?=[だでなしい。、]|$)/gu, 'そう'],
  [/かう(?=[しいなす])/gu, 'こう'],
  [/ゐ/gu, 'い'],
  [/ゑ/gu, 'え'],
  [/ヰ/gu, 'イ'],
  [/ヱ/gu, 'エ'],
  [/(?<=[てでしがもには、])を(?=[りるれらろ])/gu, 'お'],
  [/を(?=か[しく]|とこ|んな|さな|ぢ|ば[さあ])/gu, 'お'],
  [/ぢ/gu, 'じ'],
  [/づ(?=つ|[いうえお])/gu, 'ず'],
  [/くわ(?=[いんう])/gu, 'か'],
  // あつた alone is the name 熱田.
  [/([かなわまだたらやつ\p{sc=Han}]|(?<=[がくでにはもよ])あ)つ(?=[てた])/gu, '$1っ'],
];

/**
 * Words in hiragana that no modern text has, from where one may begin, with what they are today. かほ, しほ, なほ, ふぢ and みづ
 * are names today, and うへ is an exclamation.
 *
 * Source: 現代仮名遣い (Cabinet notice 1 of 1986), the examples of its appendix.
 */
const WORDS: ReadonlyMap<string, string> = new Map(
  (
    'いへ/いえ まへ/まえ かへる/かえる かへり/かえり かへつ/かえっ こたへ/こたえ をしへ/おしえ かんがへ/かんがえ むかへ/むかえ ' +
    'ほのほ/ほのお こほり/こおり とほい/とおい とほく/とおく とほり/とおり とほる/とおる とほつ/とおっ おほき/おおき おほい/おおい おほく/おおく おほぜい/おおぜい ' +
    'をとこ/おとこ をんな/おんな をとめ/おとめ をさな/おさな をどり/おどり をどる/おどる をはり/おわり をはる/おわる をぢ/おじ をば/おば をかし/おかし をり/おり をる/おる ' +
    'まはり/まわり まはる/まわる かはり/かわり かはる/かわる かはいい/かわいい かはい/かわい やはらか/やわらか さはる/さわる さはり/さわり あはれ/あわれ あはせ/あわせ くはし/くわし ' +
    'あぢ/あじ はぢ/はじ ぢいさん/じいさん ぢぢ/じじ もみぢ/もみじ すぢ/すじ ' +
    'まづ/まず いづれ/いずれ いづこ/いずこ いづみ/いずみ めづらし/めずらし しづか/しずか しづむ/しずむ はづかし/はずかし ' +
    'ちひさ/ちいさ ちがふ/ちがう ちがひ/ちがい いふ/いう おもふ/おもう おもひ/おもい わらふ/わらう わらひ/わらい つかふ/つかう うたふ/うたう ' +
    'てふてふ/ちょうちょう けふ/きょう きのふ/きのう たふとい/とうとい ' +
    'あるひは/あるいは たとひ/たとい つひに/ついに ゆふべ/ゆうべ ゆふがた/ゆうがた'
  )
    .split(' ')
    .map((pair) => {
      const [old = '', today = ''] = pair.split('/');
      return [old, today];
    }),
);
/** Longer ones first; not after kana or kanji, of which they may be the ending and a particle: 向うへ. */
const OLD_WORDS = new RegExp(
  `(?<![ぁ-んァ-ヶー\\p{sc=Han}])(?:${[...WORDS.keys()].toSorted((a, b) => b.length - a.length).join('|')})`,
  'gu',
);

/** A piece of a text that is written otherwise today. */
export interface Rewriting {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Returns the pieces of a text in historical orthography that are written otherwise today, in order. */
export function rewriteOldOrthography(text: string): readonly Rewriting[] {
  const found = Array.from(text.matchAll(OLD_WORDS), ({ 0: old, index }): Rewriting => {
    return { start: index, end: index + old.length, text: WORDS.get(old) ?? old };
  });
  if (!OLD.test(text)) return found;
  for (const [pattern, replacement] of RULES) {
    for (const match of text.matchAll(pattern)) {
      const { 0: old, index } = match;
      const modern = replacement.replace(
        /\$(\d)/g,
        (_, group: string) => match[Number(group)] ?? '',
      );
      if (modern !== old) found.push({ start: index, end: index + old.length, text: modern });
    }
  }
  const sorted = found.toSorted((a, b) => a.start - b.start || b.end - a.end);
  let reached = 0;
  return sorted.filter(({ start, end }) => {
    if (start < reached) return false;
    reached = end;
    return true;
  });
}
