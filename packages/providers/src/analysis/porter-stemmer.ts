/**
 * Returns the stem of an English word in small letters: `running`, `runs` and `run` have the same. Words with
 * anything but `a` to `z`, and those of one or two letters, are their own stems.
 *
 * Source: M. F. Porter, An algorithm for suffix stripping (Program 14, 1980), with the departures that its
 * author lists at https://tartarus.org/martin/PorterStemmer/.
 *
 * @example
 * ```ts
 * porterStem('relational'); // 'relat'
 * ```
 */
export function porterStem(word: string): string {
  if (word.length < 3 || !ENDED.test(word)) return word;
  return lastEndings(shortEndings(longEndings(pastAndY(plural(word)))));
}

/** A word that may have an ending: each one ends with one of these letters. */
const ENDED = /^[a-z]+[cdegilmnrstuy]$/;
const LETTERS = /^[a-z]+$/;

/**
 * The frequent irregular forms of verbs and nouns, after the base of each. Left out are forms that are mostly other words
 * (`left`, `bound`, `ground`, `led`, `lives`) or share their stem with one (`rang` with `range`, `proven` with `provenance`),
 * messages (`not found`), those of `go` and `make`, which name tools, and those of verbs that say little (`did`).
 *
 * Source: the lists of irregular verbs and plurals of Quirk, Greenbaum, Leech and Svartvik, A Comprehensive Grammar of the
 * English Language (1985).
 */
const IRREGULAR_FORMS = `
arise/arose/arisen, beat/beaten, become/became, begin/began/begun, bend/bent, bite/bitten, bleed/bled, blow/blew/blown,
break/broke/broken, breed/bred, bring/brought, build/built, burn/burnt, buy/bought, catch/caught, choose/chose/chosen,
cling/clung, creep/crept, deal/dealt, dig/dug, draw/drew/drawn, dream/dreamt, drink/drank/drunk, drive/drove/driven,
eat/ate/eaten, fall/fell/fallen, feed/fed, feel/felt, fight/fought, flee/fled, fly/flew/flown,
forbid/forbade/forbidden, forget/forgot/forgotten, forgive/forgave/forgiven, freeze/froze/frozen, grow/grew/grown,
hang/hung, hear/heard, hide/hid/hidden, hold/held, keep/kept, kneel/knelt, leap/leapt, learn/learnt, lend/lent,
lose/lost, meet/met, mistake/mistook/mistaken, misunderstand/misunderstood, overcome/overcame,
overhear/overheard, oversee/oversaw/overseen, pay/paid, rebuild/rebuilt, rewrite/rewrote/rewritten, ride/rode/ridden,
rise/risen, run/ran, seek/sought, sell/sold, send/sent, sew/sewn, shake/shook/shaken, shine/shone,
shoot/shot, show/shown, shrink/shrank/shrunk, sing/sang/sung, sink/sank/sunk, sit/sat, sleep/slept, slide/slid,
speak/spoke/spoken, spend/spent, spin/spun, spring/sprang/sprung, stand/stood, steal/stole/stolen, stick/stuck,
sting/stung, strike/struck, string/strung, strive/strove/striven, swear/swore/sworn, sweep/swept, swim/swam/swum,
swing/swung, teach/taught, tear/tore/torn, tell/told, throw/threw/thrown, understand/understood,
undergo/underwent/undergone, undertake/undertook/undertaken, wake/woke/woken, wear/wore/worn, weave/woven, weep/wept,
win/won, withdraw/withdrew/withdrawn, withstand/withstood, write/wrote/written, calf/calves, child/children, foot/feet,
goose/geese, grandchild/grandchildren, half/halves, knife/knives, loaf/loaves, man/men, mouse/mice, ox/oxen,
scarf/scarves, shelf/shelves, thief/thieves, tooth/teeth, wife/wives, wolf/wolves, woman/women`;

let bases: ReadonlyMap<string, string> | undefined;
let forms: ReadonlyMap<string, readonly string[]> | undefined;

/** Returns the base of each irregular form: `write` by `wrote`. */
export function irregularBases(): ReadonlyMap<string, string> {
  return (bases ??= new Map(
    IRREGULAR_FORMS.trim()
      .split(/,\s/)
      .flatMap((line) => {
        const [base = '', ...others] = line.split('/');
        return others.map((form): [string, string] => [form, base]);
      }),
  ));
}

/** The stems of bases, by the forms and by their own stems: words such as `shots` are in it, too. */
let basesOfStems: ReadonlyMap<string, string> | undefined;

/** Returns the stem of a word in small letters; that of its base for irregular forms, with and without endings. */
function stemOf(word: string): string {
  basesOfStems ??= new Map(
    [...irregularBases()].flatMap(([form, base]) =>
      headsOf(form).map((head): [string, string] => [head, porterStem(base)]),
    ),
  );
  const stem = porterStem(word);
  return basesOfStems.get(word) ?? basesOfStems.get(stem) ?? stem;
}

/** Returns a form and its stem, unless that is another word: `at` is no form of `ate`. */
function headsOf(form: string): readonly string[] {
  const stem = porterStem(form);
  return stem.length < 3 || stem === form ? [form] : [form, stem];
}

/** Returns the irregular forms of words with a stem, and their own stems: `wrote` for `write`. */
export function irregularForms(stem: string): readonly string[] {
  if (!forms) {
    const byStem = new Map<string, readonly string[]>();
    for (const [form, base] of irregularBases()) {
      const known = porterStem(base);
      byStem.set(known, [...(byStem.get(known) ?? []), ...headsOf(form)]);
    }
    forms = byStem;
  }
  return forms.get(stem) ?? [];
}

/** How many stems are remembered, once and as older ones: frequent words come again and again. */
const REMEMBERED = 20_000;

/** {@link stemOf}, which remembers what it was asked for. */
export function rememberedStems(): (word: string) => string {
  let known = new Map<string, string>();
  let older = new Map<string, string>();
  return (word) => {
    if (!ENDED.test(word) && !(LETTERS.test(word) && irregularBases().has(word))) return word;
    const before = known.get(word);
    if (before !== undefined) return before;
    const stem = older.get(word) ?? stemOf(word);
    if (known.size >= REMEMBERED) {
      older = known;
      known = new Map();
    }
    known.set(word, stem);
    return stem;
  };
}

const VOWEL_GROUP = '(?:[aeiou]|(?<=[^aeiou])y)+';
const CONSONANTS = '(?:[^aeiouy]|(?<![^aeiou])y)+';
/** How often consonants follow vowels: the measure of the source, at least 1, exactly 1, at least 2. */
const AT_LEAST_1 = new RegExp(`^(?:${CONSONANTS})?${VOWEL_GROUP}${CONSONANTS}`);
const EXACTLY_1 = new RegExp(`^(?:${CONSONANTS})?${VOWEL_GROUP}${CONSONANTS}(?:${VOWEL_GROUP})?$`);
const AT_LEAST_2 = new RegExp(`^(?:${CONSONANTS})?(?:${VOWEL_GROUP}${CONSONANTS}){2}`);
const HAS_VOWEL = /[aeiou]|[^aeiou]y/;
const DOUBLE = /([^aeiouylsz])\1$/;
/** Consonant, vowel, consonant other than w, x and y. */
const SHORT_SYLLABLE = /(?:^|.)(?:[^aeiouy]|(?<![^aeiou])y)[aeiouy][^aeiouwxy]$/;

function plural(word: string): string {
  if (word.endsWith('sses') || word.endsWith('ies')) return word.slice(0, -2);
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

function pastAndY(word: string): string {
  if (word.endsWith('eed'))
    return withY(AT_LEAST_1.test(word.slice(0, -3)) ? word.slice(0, -1) : word);
  const cut = /^(.*)(?:ed|ing)$/.exec(word)?.[1];
  if (cut === undefined || !HAS_VOWEL.test(cut)) return withY(word);
  if (/(?:at|bl|iz)$/.test(cut)) return withY(`${cut}e`);
  if (DOUBLE.test(cut)) return withY(cut.slice(0, -1));
  return withY(EXACTLY_1.test(cut) && SHORT_SYLLABLE.test(cut) ? `${cut}e` : cut);
}

function withY(word: string): string {
  const cut = word.slice(0, -1);
  return word.endsWith('y') && HAS_VOWEL.test(cut) ? `${cut}i` : word;
}

const LONG: Readonly<Record<string, string>> = {
  ational: 'ate',
  tional: 'tion',
  enci: 'ence',
  anci: 'ance',
  izer: 'ize',
  bli: 'ble',
  alli: 'al',
  entli: 'ent',
  eli: 'e',
  ousli: 'ous',
  ization: 'ize',
  ation: 'ate',
  ator: 'ate',
  alism: 'al',
  iveness: 'ive',
  fulness: 'ful',
  ousness: 'ous',
  aliti: 'al',
  iviti: 'ive',
  biliti: 'ble',
  logi: 'log',
};
const SHORT: Readonly<Record<string, string>> = {
  icate: 'ic',
  ative: '',
  alize: 'al',
  iciti: 'ic',
  ical: 'ic',
  ful: '',
  ness: '',
};
const LONG_ENDING = endingOf(Object.keys(LONG));
const SHORT_ENDING = endingOf(Object.keys(SHORT));
const LAST_ENDING =
  /(?:al|ance|ence|er|ic|able|ible|ant|ement|ment|ent|ou|ism|ate|iti|ous|ive|ize|(?<=[st])ion)$/;

function endingOf(endings: readonly string[]): RegExp {
  return new RegExp(`(?:${endings.join('|')})$`);
}

function longEndings(word: string): string {
  return replaced(word, LONG_ENDING, LONG);
}

function shortEndings(word: string): string {
  return replaced(word, SHORT_ENDING, SHORT);
}

function replaced(word: string, ending: RegExp, by: Readonly<Record<string, string>>): string {
  const [found] = ending.exec(word) ?? [];
  if (found === undefined) return word;
  const cut = word.slice(0, -found.length);
  return AT_LEAST_1.test(cut) ? cut + (by[found] ?? '') : word;
}

function lastEndings(word: string): string {
  const [found] = LAST_ENDING.exec(word) ?? [];
  const cut = found === undefined ? word : word.slice(0, -found.length);
  const short = found !== undefined && AT_LEAST_2.test(cut) ? cut : word;
  return final(short);
}

function final(word: string): string {
  const cut = word.slice(0, -1);
  const drops =
    word.endsWith('e') &&
    (AT_LEAST_2.test(cut) || (EXACTLY_1.test(cut) && !SHORT_SYLLABLE.test(cut)));
  const last = drops ? cut : word;
  return last.endsWith('ll') && AT_LEAST_2.test(last.slice(0, -1)) ? last.slice(0, -1) : last;
}
