/**
 * The most frequent pieces of text in 684 works of Aozora Bunko and in paragraphs of Wikipedia: pairs of characters with a
 * kanji, and three and four of hiragana in a row. Their order and number are part of the form of segments.
 */
const PAIRS = [
  'て来人のを見と思の中自分出し来たの方と云て行中にの上の人分のの一私は行っ人はて見出来時に思い来る見るの時事を見えも知彼は思っ来て考え知れ顔を前に知ら大き上に見た見て行く人が日本云うの事一つの間一人',
  '通り出てと言云っの前間に二人は一私の家の何か人にに対女のが出言っ受けた時気がの家に見の大少し年の中でを持言葉人間同じの手方が的な子の事がを出彼の日のは何人で思うの下る事手を上げ思わに出取り事に手に',
  '者の持っ屋の前のに行間のへ行聞い本のが一立っ女はの顔を受の女入れ感じと同人を上の子を的に込んは大年にの心に立来な時代な事小さ無いに一先生子供の小日にの後の日立ちを知時の物を帰っ言い僕は落ち人と事は',
  '過ぎ中の彼女後にを取後の方へ二十書い話し見せ気のは自歴史話を君は方に事で以上場合を一東京白いを聞対して居今日行きた事の言の御の子気に意味方で子は国のと見一度置いる人の話に思の生申し者は立て方のい出',
  'と一出す出た下さ者がお前下に々のへ出の名何とに入の二は無引き知っ私がの男付け忘れ始め多くは思生のに来る時下の部屋自身返しの歴眺め君の相手思議生き眼を関係分に問題学校持ち身の若い子が取っ悪い物のい事',
  '声をの眼な気の通一緒生活掛けの出目に出る外にう云を言家に好い不思者に世界言う',
].join('');
const TRIPLES = [
  'ているであるっていというていたしていかったあったようにのであたのでとしてなかっることようなながらましたであっらないになっところなってなったのようれていがあるしかしはないませんるのでるようてしまったの',
  'ばかりことをだからものでされたないのではなことがうしてするとれないいるのにしてないかをしてるもののですされてたものらしいまったれからそんなそれをたことことにりましいていいのでありまそれはられたないと',
  'になるければことはしょうられてしたがなけれりませけれどのこといますもないですかりますいまししたのたようそれかためにしてもなものれどもくなっるからだろうてゐるしまってくれったがはそのならなられるんでい',
  'ことでそうしされるものはついてこんなでしたこれはうちにそれがるといそれでがないすからがあっいものとするしましといふのためたのはうこといたのいるとでしょどうしるのはとしたいことなこともあるものだんです',
  'しないでありたからよってってもあるがになりよりもようとそれにとなったといさんはやうにろうとるのだまってによっさんのいようったとだったをしたそしてするここともなくなばならじゃなのうちいうのいからつてゐ',
  'あるかあるとはこのたのだかつたいないだけでかないゃないするのればなあなたのものあろうないよえていそうでましてものがうものなりまあつたかけてあるのかりでないでていまらなかはなかってしていなでいるもなく',
  'をするいったものをんでしておりうになったらないがによるみんなですがうですやうなにあるころがでもなのではあってうしたらしくであろういうてゐたのやうめていったかいといがありはそれについうとしのあるさんが',
  'られなはもうわたしはじめございざいまなんだようでいうこてからがっててあるしてゐなかつしておができのないるのをんだかれたのるとこいうもきましいたがけないわれたつけてわれてめられけられるほどであつでござ',
  'までもそこでしてはたらしいながていてしながしたかしたところでますかんなにいっておいてのまませられかなかるためなるとかってどうもけていにしたやはりうようやがてもののるんだりしてどんなつたのはどういのだ',
  'るだけといっとになからなわれるそうにのだかしまいましょになつもありそこにすればしてしこうしをかけしかもったよくらいいくらるのがえられれでもだってうのでできなでもあしますれるのるやうこれをなのでいるよ',
  'っておうとすますとですよたいとなんでないこにおいからのせんかしたらからでのとこいつもぐらいえないものとさんにくなるくないまるでではあもそのうであならぬたのかのでしたとこなどとてそのかけたうなもそうな',
  'なつてってはたりしかしてれるとでないあまりったこあたりできるんなこものにとがあもっとをつけしてくやってはまたしたもいるかしようすぐにだけのなどのうのはくれたついたれませますがれましどうかたってかかっ',
  'したよいてはしまうれなかはありほどのはあるらしてだといでいたそうだにそのなさいなどをはまだるのかいませころにれだけとなるしてそはなくいてもわないたしはてきたったりないもするよたままひとりどこかつもり',
  'よいよっともいよいからはによりょっとるらしじゃあしたこたちはとであれてしったもせんできないってくそのまなつたいろいんでもおりまでなくさらにことだにするれるこもってほかにるまでてみるですねとってすこと',
  'しばらるまいだけはさせるろいろったんばらくなんてころへないんわってならばみるとゐるのしてあなくてあるこからねもあったちのつまりるかもわからふことるうちりながりであちゃんしくないられはいっかしいたんだ',
  'のだがここにいかといけなすべてのだといとこのなかこれがたんでちょっとがでくしてくれるともあならずしかっ',
].join('');
const QUADRUPLES = [
  'っているなかったであったしているのであるっていたになってているのれているしていたなければではないのようにりましたになったたのであそれからりませんったのでけれどもるようにいましたのようなてしまっ',
  'ないのでしまったそうしてでしょうによってることがありませなっていものであすることならないいるのでているとしましたるようなじゃない',
].join('');

/** The kanji of the most chunks of these texts: each is in a tenth of them or more. */
const KANJI: ReadonlySet<number> = new Set(
  Array.from(
    '一人見出大来事時行中思上日分方何子自手間年言気生二前下本立知者心三家々今合女後云小物彼無私度通十同持入地当不目所話実的意月聞御代' +
      '国先世取顔屋身外相然場明口内少長以面部様主用名考多向学白会書対山男全高田理居眼君五成切新体動発近最現感力道四帰置笑風作文引足変頭',
    (kanji) => kanji.charCodeAt(0),
  ),
);

const FIRST_HIRAGANA = 0x3041;
const HIRAGANA = 0x3096 - FIRST_HIRAGANA + 1;
/** No pair has a code from here on: all units with lists are lower than its first. */
const QUADRUPLE_CODES = 0xb0000000;
const SLOT_BITS = 11;
const SLOTS = 1 << SLOT_BITS;

/** The code of the piece in each slot, or 0; pieces of the same slot are in the next ones. */
const codes = new Uint32Array(SLOTS);
const places = new Uint16Array(SLOTS);

/** Checks whether a unit is one of the most frequent kanji. */
export function isFrequentKanji(unit: number): boolean {
  return KANJI.has(unit);
}

/** Returns the code of three of hiragana; it is lower than that of any pair. */
export function tripleCode(first: number, second: number, third: number): number {
  const pair = (second - FIRST_HIRAGANA) * HIRAGANA + third - FIRST_HIRAGANA;
  return (first - FIRST_HIRAGANA) * HIRAGANA ** 2 + pair;
}

/** Returns the code of four of hiragana, of which the last three have the code `triple`. */
export function quadrupleCode(first: number, triple: number): number {
  return QUADRUPLE_CODES + (first - FIRST_HIRAGANA) * HIRAGANA ** 3 + triple;
}

/** Returns the code of a pair of characters. */
export function pairCode(first: number, second: number): number {
  return ((first << 16) | second) >>> 0;
}

/** Returns the place of a piece among the frequent ones, or -1. */
export function frequentPlace(code: number): number {
  for (let slot = slotOf(code); ; slot = (slot + 1) & (SLOTS - 1)) {
    const known = codes[slot] ?? 0;
    // The code 0 is that of a piece, too, which is not a frequent one.
    if (known === 0) return -1;
    if (known === code) return places[slot] ?? 0;
  }
}

function slotOf(code: number): number {
  return Math.imul(code, 0x9e3779b1) >>> (32 - SLOT_BITS);
}

/** Returns the codes of pieces of this length. */
function* codesOf(pieces: string, length: number): Generator<number> {
  for (let at = 0; at < pieces.length; at += length) {
    const [first = 0, second = 0, third = 0, fourth = 0] = Array.from(
      pieces.slice(at, at + length),
      (unit) => unit.charCodeAt(0),
    );
    if (length === 2) yield pairCode(first, second);
    else if (length === 3) yield tripleCode(first, second, third);
    else yield quadrupleCode(first, tripleCode(second, third, fourth));
  }
}

/** Numbers the pieces; returns how many there are. */
function enter(pieces: Iterable<number>): number {
  let place = 0;
  for (const code of pieces) {
    let slot = slotOf(code);
    while (codes[slot] !== 0) slot = (slot + 1) & (SLOTS - 1);
    codes[slot] = code;
    places[slot] = place++;
  }
  return place;
}

/** How many pieces there are. */
export const FREQUENT: number = enter([
  ...codesOf(PAIRS, 2),
  ...codesOf(TRIPLES, 3),
  ...codesOf(QUADRUPLES, 4),
]);
