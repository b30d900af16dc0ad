/**
 * Words in hiragana as they were written before 1946, with what they are today.
 *
 * Source: 現代仮名遣い (Cabinet notice 1 of 1986), the examples of its appendix, and the words that works of the public
 * domain in that orthography have most. Each form was looked for in 21 million characters of works in today's
 * orthography.
 */
type Words = readonly (readonly [old: string, today: string])[];

function wordsOf(list: string): Words {
  return list.split(' ').map((pair) => {
    const [old = '', today = old] = pair.split('/');
    return [old, today] as const;
  });
}

/** Stems with the endings that they take. */
const STEMS: readonly (readonly [stems: Words, endings: Words])[] = [
  [
    wordsOf(
      'おも しま もら ちが わら つか うた ねが まよ むか そろ きら さそ うしな したが たたか かま くる てつだ ととの はら ひろ うたが うば かな ' +
        'さまよ ただよ つくろ とむら ともな ふるま あつか あら あらそ いは/いわ うやま おそ からか やしな にほ/にお おほ/おお ' +
        'うるほ/うるお よそほ/よそお まと やと うかが あぢは/あじわ にぎは/にぎわ きそ さから ためら たゆた つど とまど ぬぐ ねら のろ ' +
        'はぢら/はじら へつら まかな やすら さへぎ/さえぎ きづか うつろ つぐな おぎな せば まぎら かたら みはから いこ ほほゑ/ほほえ',
    ),
    wordsOf(
      'ふ/う ひ/い はず/わず はな/わな はれ/われ はせ/わせ はう/おう へば/えば へる/える へど/えど へな/えな つた/った つて/って',
    ),
  ],
  [
    wordsOf(
      'かんが こた むか をし/おし くは/くわ そな たと つか つた とら とな うつた/うった かま こしら ささ たくは/たくわ つかま ふる ひか まじ ' +
        'をさ/おさ おさ あた うれ おとろ きた ととの なぞら とりか ひきか かぞ わきま さか あつら か',
    ),
    wordsOf(
      'へる/える へた/えた へて/えて へば/えば へら/えら へな/えな へま/えま へれ/えれ へず/えず へよ/えよ',
    ),
  ],
  [
    wordsOf(
      'まは/まわ かは/かわ さは/さわ をは/おわ つたは/つたわ ことは/ことわ うけたまは/うけたまわ いたは/いたわ かかは/かかわ ' +
        'たづさは/たずさわ まじは/まじわ よこたは/よこたわ そなは/そなわ くはは/くわわ こだは/こだわ かへ/かえ をど/おど かを/かお ' +
        'とどこほ/とどこお いきどほ/いきどお',
    ),
    wordsOf('る り ら れ ろ つた/った つて/って った って'),
  ],
  [
    wordsOf(
      'な あが さが わか つく かか なさ ゐらし/いらし やが ござ わた もど のこ しか とま あま しま なく よ こま つな ひろが つなが ' +
        'あたたま ちかよ いらし おつしや/おっしゃ い と も たか よか なか だ',
    ),
    wordsOf('つた/った つて/って'),
  ],
  [
    wordsOf(
      'あを/あお ちひさ/ちいさ おほき/おおき とほ/とお こは/こわ いとほし/いとおし むづかし/むずかし はづかし/はずかし ' +
        'めづらし/めずらし たふと/とうと やはらか/やわらか をさな/おさな うるはし/うるわし わづらはし/わずらわし うたがはし/うたがわし ' +
        'あわただし けはし/けわし くはし/くわし かうばし/こうばし をかし/おかし おほ/おお',
    ),
    wordsOf('い く かつ/かっ さ'),
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
  'ふぢ/ふじ あつた/あった あつて/あって かつて/かって ひたひ/ひたい よひ/よい いつそ/いっそ をか/おか';

/** Words and beginnings of words that no other word of an old text has. Today they are the ends of two words: こは of ここは. */
const ANYWHERE =
  'さはやか/さわやか こほろぎ/こおろぎ たをやか/たおやか おほよそ/おおよそ おほぜい/おおぜい おほかた/おおかた おほかみ/おおかみ おほやけ/おおやけ ' +
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
  'ちよいと/ちょいと じつと/じっと ぢつと/じっと きつと/きっと ぎよつと/ぎょっと ぱつと/ぱっと やつぱり/やっぱり さつぱり/さっぱり いつぱい/いっぱい ' +
  'さつさと/さっさと さつき/さっき せつせと/せっせと ちつとも/ちっとも ひつそり/ひっそり いつしよ/いっしょ いつたい/いったい まつすぐ/まっすぐ ' +
  'まつくら/まっくら まつしろ/まっしろ せつかく/せっかく けつして/けっして うつとり/うっとり によつて/によって によつた/によった くださつ/くださっ ' +
  'つしやる/っしゃる いらつしや/いらっしゃ おつしや/おっしゃ しやべ/しゃべ ちやん/ちゃん じやあ/じゃあ ぢやあ/じゃあ ぢやな/じゃな んぢや/んじゃ ' +
  'みづうみ/みずうみ おのづから/おのずから はづれ/はずれ はづす/はずす たづね/たずね おとづれ/おとずれ あづけ/あずけ うづくま/うずくま ' +
  'うづま/うずま うなづ/うなず つまづ/つまず かうべ/こうべ くづれ/くずれ しづむ/しずむ しづく/しずく さづけ/さずけ ひざまづ/ひざまず わづら/わずら ' +
  'ゆづる/ゆずる ゆづり/ゆずり ねづみ/ねずみ あぢさゐ/あじさい あぢ/あじ くぢら/くじら なめくぢ/なめくじ とぢる/とじる ぢいさん/じいさん ' +
  'ぢぢい/じじい わらぢ/わらじ だらう/だろう であらう/であろう でせう/でしょう ませう/ましょう';

/** Words by their first two characters, the longest first; made by the first text that is read. */
let byStart: ReadonlyMap<number, readonly OldWord[]> | undefined;

function wordsByStart(): ReadonlyMap<number, readonly OldWord[]> {
  const atBeginnings = new Map([...wordsOf(AT_BEGINNINGS), ...wordsOf(IN_ANY_TEXT)]);
  const inAnyText = new Set(wordsOf(IN_ANY_TEXT).map(([old]) => old));
  const anywhere = new Map([
    ...STEMS.flatMap(([stems, endings]) =>
      stems.flatMap(([stem, today]) =>
        endings.map(([ending, now]) => [stem + ending, today + now] as const),
      ),
    ),
    ...wordsOf(ANYWHERE),
  ]);
  for (const [old] of wordsOf(AT_BEGINNINGS)) anywhere.delete(old);
  const found = new Map<number, OldWord[]>();
  for (const [old, today] of new Map([...anywhere, ...atBeginnings])) {
    if (old === today) continue;
    const key = keyAt(old, 0);
    const words = found.get(key) ?? [];
    const isAnywhere = anywhere.has(old);
    words.push({ old, today, isInAnyText: inAnyText.has(old), isAnywhere });
    found.set(key, words);
  }
  for (const words of found.values()) words.sort((a, b) => b.old.length - a.old.length);
  return found;
}

/** A word in the old orthography, and in that of today. */
export interface OldWord {
  readonly old: string;
  readonly today: string;
  /** True if it counts in a text without other signs of that orthography. */
  readonly isInAnyText: boolean;
  /** True if it counts inside of a run of kana in an old text. */
  readonly isAnywhere: boolean;
}

/**
 * Returns the longest word in the old orthography at an offset.
 *
 * @param mayBegin - True if a word may begin there.
 * @param isOld - True if the text has signs of that orthography.
 */
export function oldWordAt(
  text: string,
  at: number,
  mayBegin: boolean,
  isOld: boolean,
): OldWord | undefined {
  byStart ??= wordsByStart();
  return byStart
    .get(keyAt(text, at))
    ?.find(
      ({ old, isInAnyText, isAnywhere }) =>
        (mayBegin ? isOld || isInAnyText : isOld && isAnywhere) && text.startsWith(old, at),
    );
}

function keyAt(text: string, at: number): number {
  return text.charCodeAt(at) * 0x10000 + text.charCodeAt(at + 1);
}
