import { AscendingNumbers, joinTables, lowerBound } from '../../binary/packed-tables.ts';
import {
  ByteReader,
  ByteWriter,
  decodeGaps,
  encodeGaps,
  type Section,
} from '../../binary/section-file.ts';
import { isLetterUnit, normalizeChars } from '../../rank/fold-text.ts';
import { SECTIONS } from './index-layout.ts';

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
const FREQUENT_KANJI: ReadonlySet<number> = new Set(
  Array.from(
    '一人見出大来事時行中思上日分方何子自手間年言気生二前下本立知者心三家々今合女後云小物彼無私度通十同持入地当不目所話実的意月聞御代' +
      '国先世取顔屋身外相然場明口内少長以面部様主用名考多向学白会書対山男全高田理居眼君五成切新体動発近最現感力道四帰置笑風作文引足変頭',
    (kanji) => kanji.charCodeAt(0),
  ),
);

const [FIRST, LAST] = [0x3041, 0x3096];
const HIRAGANA = LAST - FIRST + 1;
/** No pair has a code from here on: all units with lists are lower than its first. */
const QUADRUPLE_CODES = 0xb0000000;
const SLOT_BITS = 11;
const SLOTS = 1 << SLOT_BITS;

/** The code of the piece in each slot, or 0; pieces of the same slot are in the next ones. */
const codes = new Uint32Array(SLOTS);
const places = new Uint16Array(SLOTS);

/** Returns the code of three of hiragana; it is lower than that of any pair. */
export function tripleCode(first: number, second: number, third: number): number {
  const pair = (second - FIRST) * HIRAGANA + third - FIRST;
  return (first - FIRST) * HIRAGANA ** 2 + pair;
}

/** Returns the code of four of hiragana, of which the last three have the code `triple`. */
export function quadrupleCode(first: number, triple: number): number {
  return QUADRUPLE_CODES + (first - FIRST) * HIRAGANA ** 3 + triple;
}

/** Returns the code of a pair of characters. */
function pairCode(first: number, second: number): number {
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

/**
 * How many lists are shared, by hash: by pairs with one of the frequent kanji, which the words distinguish little; by
 * those with another kanji; by those with katakana, letters or digits; and by three of hiragana. The most frequent of
 * each have lists of their own.
 */
const SHARED_COMMON = 640;
const SHARED_KANJI = 120;
const SHARED_OTHERS = 512;
const SHARED_TRIPLES = 256;
/** The first keys of each kind; those of pairs of hiragana are lower. */
const COMMON_KEYS = HIRAGANA ** 2;
const KANJI_KEYS = COMMON_KEYS + SHARED_COMMON;
const OTHER_KEYS = KANJI_KEYS + SHARED_KANJI;
const TRIPLE_KEYS = OTHER_KEYS + SHARED_OTHERS;
const FREQUENT_KEYS = TRIPLE_KEYS + SHARED_TRIPLES;
/** All keys are lower. */
const KEYS = FREQUENT_KEYS + FREQUENT;

/** Checks whether a unit is one whose fold depends on nothing around it, and that has lists. */
function hasLists(unit: number): boolean {
  if (unit < 0x80) return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39);
  if (unit < 0x3400) {
    return (
      isHiragana(unit) || (unit >= 0x30a1 && unit <= 0x30fa) || unit === 0x30fc || unit === 0x3005
    );
  }
  return unit <= 0x9fff;
}

function isHiragana(unit: number): boolean {
  return unit >= FIRST && unit <= LAST;
}

/**
 * Calls `visit` with the list of each pair of neighbouring characters, of three of hiragana, and of four where they are
 * frequent; those of the same come again.
 */
export function eachPairKey(folded: string, visit: (key: number) => void): void {
  let first = 0;
  let second = 0;
  /** The character before the first, if it is frequent with the next two. */
  let before = 0;
  for (let at = 0; at < folded.length; at++) {
    const read = folded.charCodeAt(at);
    const unit = hasLists(read) ? read : 0;
    let isFrequent = false;
    if (unit !== 0 && second !== 0) {
      if (isHiragana(second) && isHiragana(unit)) {
        // Few pairs that make up two of five have lists of their own.
        visit((second - FIRST) * HIRAGANA + unit - FIRST);
        if (isHiragana(first)) {
          const code = tripleCode(first, second, unit);
          const place = frequentPlace(code);
          isFrequent = place >= 0;
          visit(isFrequent ? FREQUENT_KEYS + place : TRIPLE_KEYS + hashOf(code, SHARED_TRIPLES));
          const longer =
            isFrequent && before !== 0 ? frequentPlace(quadrupleCode(before, code)) : -1;
          if (longer >= 0) visit(FREQUENT_KEYS + longer);
        }
      } else visit(pairKey(second, unit));
    }
    before = isFrequent ? first : 0;
    first = second;
    second = unit;
  }
}

/** Returns the list of a pair that is not of hiragana. */
function pairKey(first: number, second: number): number {
  const code = pairCode(first, second);
  if (!isKanji(first) && !isKanji(second)) return OTHER_KEYS + hashOf(code, SHARED_OTHERS);
  const place = frequentPlace(code);
  if (place >= 0) return FREQUENT_KEYS + place;
  return FREQUENT_KANJI.has(first) || FREQUENT_KANJI.has(second)
    ? COMMON_KEYS + hashOf(code, SHARED_COMMON)
    : KANJI_KEYS + hashOf(code, SHARED_KANJI);
}

/** @param count - At most 65,536. */
function hashOf(code: number, count: number): number {
  const mixed = Math.imul(code ^ (code >>> 15), 0x85ebca6b);
  return (((mixed ^ (mixed >>> 13)) >>> 16) * count) >>> 16;
}

function isKanji(unit: number): boolean {
  return unit >= 0x3400 || unit === 0x3005;
}

/** Checks whether a text has a pair of characters with a list. */
export function hasPairs(folded: string): boolean {
  let isPaired = false;
  eachPairKey(folded, () => (isPaired = true));
  return isPaired;
}

/** Checks whether a text has a list of its own: the chunks with all its lists have the text, and no others. */
export function hasOwnList(folded: string): boolean {
  if (folded.length < 2 || folded.length > 4) return false;
  const [first = 0, second = 0, ...others] = Array.from(folded, (unit) => unit.charCodeAt(0));
  const isAllHiragana = [first, second, ...others].every(isHiragana);
  const [third, fourth] = others;
  if (third === undefined) {
    if (isAllHiragana) return true;
    const isPair = hasLists(first) && hasLists(second) && (isKanji(first) || isKanji(second));
    return isPair && frequentPlace(pairCode(first, second)) >= 0;
  }
  if (!isAllHiragana) return false;
  const code =
    fourth === undefined
      ? tripleCode(first, second, third)
      : quadrupleCode(first, tripleCode(second, third, fourth));
  return frequentPlace(code) >= 0;
}

/** In which chunks of a segment pairs of characters are, as they are written or read. The lists are in the file. */
export class PairLists {
  /** Ascending. */
  readonly keys: AscendingNumbers;
  /** Where each list begins, and where the last one ends. */
  readonly #starts: AscendingNumbers;
  readonly #read: (start: number, length: number) => Uint8Array;

  /** @param index - The first of the sections that `PairListsWriter` made. */
  constructor(index: Uint8Array, read: (start: number, length: number) => Uint8Array) {
    this.keys = new AscendingNumbers(index);
    this.#starts = new AscendingNumbers(index.subarray(this.keys.byteLength));
    this.#read = read;
  }

  /** Returns how many bytes the list with a key takes. */
  sizeOf(key: number): number {
    const place = this.#placeOf(key);
    return place < 0 ? 0 : this.#starts.at(place + 1) - this.#starts.at(place);
  }

  /** Returns the chunks of the list with a key, in order; valid until `target` is written to. */
  docsOf(key: number, target: Uint32Array): Uint32Array {
    const place = this.#placeOf(key);
    if (place < 0) return target.subarray(0, 0);
    const start = this.#starts.at(place);
    return decodeGaps(this.#read(start, this.#starts.at(place + 1) - start), target);
  }

  #placeOf(key: number): number {
    const place = lowerBound(this.keys.length, (at) => this.keys.at(at) < key);
    return place < this.keys.length && this.keys.at(place) === key ? place : -1;
  }
}

/** Puts lists together, from that with the lowest key on. */
export class PairListsWriter {
  readonly #keys: number[] = [];
  readonly #starts: number[] = [];
  readonly #lists = new ByteWriter(1 << 12);

  /** @param docs - Ascending; no list is written for none. */
  add(key: number, docs: ArrayLike<number>): void {
    if (docs.length === 0) return;
    this.#keys.push(key);
    this.#starts.push(this.#lists.length);
    this.#lists.append(encodeGaps(docs));
  }

  sections(): readonly Section[] {
    const starts = [...this.#starts, this.#lists.length];
    const index = joinTables([AscendingNumbers.write(this.#keys), AscendingNumbers.write(starts)]);
    return [
      { name: SECTIONS.pairs, bytes: index, isResident: true },
      { name: SECTIONS.pairLists, bytes: this.#lists.view(), isResident: false },
    ];
  }
}

/** Collects the pairs of chunks one after the other. */
export class PairListsBuilder {
  /** Gaps by key. */
  readonly #gaps: (ByteWriter | undefined)[] = Array.from({ length: KEYS });
  readonly #last = new Int32Array(KEYS).fill(-1);

  /** @param texts - Folded: the forms in which the chunk is searched. */
  add(doc: number, texts: readonly string[]): void {
    const last = this.#last;
    const take = (key: number): void => {
      const before = last[key] ?? -1;
      if (before === doc) return;
      (this.#gaps[key] ??= new ByteWriter()).varint(doc - before);
      last[key] = doc;
    };
    for (const text of texts) eachPairKey(text, take);
  }

  sections(): readonly Section[] {
    const writer = new PairListsWriter();
    for (const [key, gaps] of this.#gaps.entries()) {
      if (!gaps) continue;
      const reader = new ByteReader(gaps.view());
      const docs: number[] = [];
      for (let doc = -1; !reader.isAtEnd;) docs.push((doc += reader.varint()));
      writer.add(key, docs);
    }
    return writer.sections();
  }
}

const BITS = 15;
/** Buckets of the sketch. */
const BUCKETS = 1 << BITS;

/** Where the sketch counts a pair. */
export function bucketOf(pair: number): number {
  return bucketOfUnits(Math.floor(pair / 65_536), pair % 65_536);
}

function bucketOfUnits(first: number, second: number): number {
  return (Math.imul(first * 31 + second, 0x9e3779b1) >>> (32 - BITS)) & (BUCKETS - 1);
}

/** Where the sketch counts the pairs of a text; a bucket that several of them share comes twice. */
export function bucketsOf(text: string): Uint16Array {
  return findBuckets(text).slice();
}

/** The units of the text whose buckets were found last, and these. */
let units = new Uint16Array(1024);
let found = new Uint16Array(1024);

/** The same as {@link bucketsOf}, valid until the next text. */
function findBuckets(text: string): Uint16Array {
  if (text.length > units.length) units = new Uint16Array(text.length * 2);
  for (let at = 0; at < text.length; at++) units[at] = text.charCodeAt(at);
  const folded = normalizeChars(units.subarray(0, text.length));
  if (folded.length > found.length) found = new Uint16Array(folded.length * 2);
  let count = 0;
  pairs.begin(folded.length);
  for (let at = 0, before = 0; at < folded.length; at++) {
    const unit = folded[at] ?? 0;
    const isLetter = isLetterUnit(unit);
    if (isLetter && before !== 0 && pairs.add((before << 16) | unit)) {
      found[count++] = bucketOfUnits(before, unit);
    }
    before = isLetter ? unit : 0;
  }
  return found.subarray(0, count);
}

const LEAST_SLOTS = 1024;

/** A set of pairs of characters that begins again for each text: a third of the time of a `Set`. */
class PairSet {
  #pairs = new Int32Array(LEAST_SLOTS);
  /** The text that the pair of a slot is of. */
  #texts = new Uint32Array(LEAST_SLOTS);
  #text = 0;
  #mask = 0;

  /** @param most - How many pairs are added, at most. */
  begin(most: number): void {
    this.#text++;
    const size = Math.max(LEAST_SLOTS, 2 ** Math.ceil(Math.log2(most * 2 + 1)));
    this.#mask = size - 1;
    if (size <= this.#pairs.length) return;
    this.#pairs = new Int32Array(size);
    this.#texts = new Uint32Array(size);
  }

  /**
   * Returns true if it was not in the set.
   *
   * @param pair - Of 32 bits with their sign.
   */
  add(pair: number): boolean {
    for (let slot = Math.imul(pair, 0x9e3779b1) >>> 12; ; slot++) {
      slot &= this.#mask;
      if (this.#texts[slot] !== this.#text) {
        this.#texts[slot] = this.#text;
        this.#pairs[slot] = pair;
        return true;
      }
      if (this.#pairs[slot] === pair) return false;
    }
  }
}

const pairs = new PairSet();

/**
 * How many chunks have each pair of characters, by hash: 128 KB instead of an index of all pairs.
 * Sketches add up: that of an index is the sum of its segments, in which those of deleted chunks
 * count negative.
 */
export class BigramSketch {
  readonly #counts = new Int32Array(BUCKETS);

  /** @param sign - 1 for a chunk that came, -1 for one that went. */
  addText(text: string, sign: 1 | -1): void {
    this.addBuckets(findBuckets(text), sign);
  }

  /** The same with what `bucketsOf` gave. */
  addBuckets(buckets: Uint16Array, sign: 1 | -1): void {
    for (const bucket of buckets) {
      this.#counts[bucket] = (this.#counts[bucket] ?? 0) + sign;
    }
  }

  /** Begins again with no chunks. */
  clear(): void {
    this.#counts.fill(0);
  }

  /** In how many chunks a pair is, at least about. */
  count(pair: number): number {
    return this.#counts[bucketOf(pair)] ?? 0;
  }

  /** Adds what {@link BigramSketch.write} wrote. */
  addBytes(bytes: Uint8Array): void {
    const reader = new ByteReader(bytes);
    for (let bucket = -1; !reader.isAtEnd;) {
      bucket += reader.varint() + 1;
      const value = reader.varint();
      const count = value % 2 === 0 ? value / 2 : -(value + 1) / 2;
      this.#counts[bucket] = (this.#counts[bucket] ?? 0) + count;
    }
  }

  /** Returns the filled buckets: gap, then the count with its sign in the lowest bit. */
  write(): Uint8Array {
    const writer = new ByteWriter(BUCKETS);
    let last = -1;
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      const count = this.#counts[bucket] ?? 0;
      if (count === 0) continue;
      writer.varint(bucket - last - 1);
      writer.varint(count > 0 ? count * 2 : -count * 2 - 1);
      last = bucket;
    }
    return writer.view();
  }
}
