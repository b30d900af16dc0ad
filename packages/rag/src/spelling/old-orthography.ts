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

/** Signs of the old orthography; modern texts have none of them. */
const OLD = new RegExp(
  `[ゐゑヰヱ]|${VERB}(?:ふ(?![らりるれろくかきけ])|はう|ひ(?![とろら]))|${ONLY_VERB}へ[ばど]|(?<![一二三四五六七八九])\\p{sc=Han}つ[てた](?![いく])|けふ|きのふ|でせう|ませう|だらう|であらう|[のるいた]やう[なにだで]|さう(?:だ|で|な|し|い[ふう])|なつた|たつた|をり|をる|をか|いふ|いへ`,
  'u',
);

/** Old and modern spelling: historical kana by sound, and the large つ. */
const RULES: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [new RegExp(`${VERB}はう`, 'gu'), 'おう'],
  [new RegExp(`${VERB}は(?=[ずぬねれせむば])`, 'gu'), 'わ'],
  [new RegExp(`${VERB}は(?=なかつ)`, 'gu'), 'わ'],
  [new RegExp(`${ONLY_VERB}は(?=な[いかくけ])`, 'gu'), 'わ'],
  [new RegExp(`${VERB}ひ(?![とろら])`, 'gu'), 'い'],
  [new RegExp(`${VERB}ふ(?![らりるれろくかきけ])`, 'gu'), 'う'],
  [new RegExp(`${ONLY_VERB}へ(?=[ばどるてたなりずら、。])`, 'gu'), 'え'],
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
  [/([かなあわまだたらやつ\p{sc=Han}])つ(?=[てた])/gu, '$1っ'],
];

/** A piece of a text that is written otherwise today. */
export interface Rewriting {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Returns the pieces of a text in historical orthography that are written otherwise today, in order. */
export function rewriteOldOrthography(text: string): readonly Rewriting[] {
  if (!OLD.test(text)) return [];
  const found: Rewriting[] = [];
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
