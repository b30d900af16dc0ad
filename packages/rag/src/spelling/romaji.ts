const CONSONANTS = [
  ' アイウエオ',
  'k カキクケコ',
  'g ガギグゲゴ',
  's サシスセソ',
  'z ザジズゼゾ',
  't タチツテト',
  'd ダヂヅデド',
  'n ナニヌネノ',
  'h ハヒフヘホ',
  'b バビブベボ',
  'p パピプペポ',
  'm マミムメモ',
  'y ヤ-ユ-ヨ',
  'r ラリルレロ',
  'w ワヰ-ヱヲ',
] as const;
/** Before a vowel, as ャ, ュ and ョ (or ェ) after a kana with い. */
const CONTRACTED = [
  'ky キ',
  'gy ギ',
  'sh シ',
  'sy シ',
  'j ジ',
  'jy ジ',
  'zy ジ',
  'ch チ',
  'ty チ',
  'cy チ',
  'dy ヂ',
  'ny ニ',
  'hy ヒ',
  'by ビ',
  'py ピ',
  'my ミ',
  'ry リ',
] as const;
const OTHERS =
  'shi シ chi チ tsu ツ fu フ ji ジ fa ファ fi フィ fe フェ fo フォ va ヴァ vi ヴィ vu ヴ ve ヴェ vo ヴォ';
const VOWELS = 'aiueo';
const SMALL = 'ャ-ュェョ';
const LONGEST_SYLLABLE = 4;
/** Longer words are no Japanese word, and have too many readings. */
const LONGEST_WORD = 24;
const LEAST_KANA = 2;
const MOST_READINGS = 24;

const syllables = new Map<string, string>();
for (const row of CONSONANTS) {
  const [consonant = '', kana = ''] = row.split(' ');
  for (const [at, vowel] of Array.from(VOWELS, (each, place) => [place, each] as const)) {
    const syllable = Array.from(kana)[at] ?? '-';
    if (syllable !== '-') syllables.set(consonant + vowel, syllable);
  }
}
for (const row of CONTRACTED) {
  const [consonant = '', kana = ''] = row.split(' ');
  for (const [at, vowel] of Array.from(VOWELS, (each, place) => [place, each] as const)) {
    const small = Array.from(SMALL)[at] ?? '-';
    if (small !== '-') syllables.set(consonant + vowel, kana + small);
  }
}
for (const [, romaji = '', kana = ''] of OTHERS.matchAll(/(\S+) (\S+)/g))
  syllables.set(romaji, kana);

/**
 * Returns the readings in katakana that a word in Latin letters may have: Hepburn, Kunrei or as it is typed, with the
 * long vowels written (`toukyou`, `tōkyō`, `Tohkyoh`) or not (`tokyo`). None for what is no Japanese.
 *
 * Source: ローマ字のつづり方 (Cabinet notice 1 of 1954), tables 1 and 2.
 */
export function romajiReadings(word: string): readonly string[] {
  const letters = word
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/([aiueo])[\u0302\u0304]/g, '$1:')
    .replaceAll('’', "'");
  if (letters.length > LONGEST_WORD || !/^[a-z':]+$/.test(letters)) return [];
  return [...new Set(spellingsOf(letters).flatMap(readingsOf))].slice(0, MOST_READINGS);
}

/** Returns letters, and what else may be meant by them: ん before や of `honya`, and は of `konnichiwa`. */
function spellingsOf(letters: string): readonly string[] {
  const apart = letters.replaceAll(/(?<=[aiueo:])ny(?=[aou])/g, "n'y");
  const particle = letters.replace(/(?<=.{4})wa$/, 'ha');
  return [...new Set([letters, apart, particle])];
}

function readingsOf(letters: string): readonly string[] {
  const moras = morasOf(letters);
  if (!moras || moras.join('').replaceAll(':', '').length < LEAST_KANA) return [];
  return [...longReadings(moras)];
}

/** Returns kana syllable by syllable, a long vowel that is marked as `:`; undefined for what is no Japanese. */
function morasOf(letters: string): readonly string[] | undefined {
  const moras: string[] = [];
  for (let at = 0; at < letters.length;) {
    const rest = letters.slice(at);
    if (rest.startsWith(':')) {
      moras.push(':');
      at++;
    } else if (/^h(?![aiueoy])/.test(rest) && /[oō]$/.test(letters.slice(0, at))) {
      moras.push(':');
      at++;
    } else if (/^(?:n'|n(?![aiueoy])|m(?=[bmp]))/.test(rest)) {
      moras.push('ン');
      at += rest.startsWith("n'") ? 2 : 1;
    } else if (/^(?:([kgsztdhbpfjcrm])\1|tch)/.test(rest)) {
      moras.push('ッ');
      at++;
    } else {
      let length = Math.min(LONGEST_SYLLABLE, rest.length);
      while (length > 0 && !syllables.has(rest.slice(0, length))) length--;
      if (length === 0) return undefined;
      moras.push(syllables.get(rest.slice(0, length)) ?? '');
      at += length;
    }
  }
  return moras;
}

const O_ROW = /[オコゴソゾトドノホボポモヨョロ]$/;
const U_ROW = /[ウクグスズツヅヌフブプムユュル]$/;
const ENDS_LONG = /^[ウオー]$/;
/** A vowel that is typed twice, as in `koohii`. */
const DOUBLED =
  /(?<=[オコゴソゾトドノホボポモヨョロ])オ|(?<=[イキギシジチニヒビピミリ])イ|(?<=[アカガサザタダナハバパマヤャラワ])ア|(?<=[ウクグスズツヌフブプムユュル])ウ|(?<=[エケゲセゼテデネヘベペメレェ])エ/g;

/** Returns the readings with vowels long that may be so: all that are marked, and up to two that are not. */
function longReadings(moras: readonly string[]): ReadonlySet<string> {
  const isMarked = moras.includes(':');
  let readings: string[] = [''];
  for (const mora of moras) {
    readings = readings
      .flatMap((front) => {
        if (mora !== ':') return [front + mora];
        return O_ROW.test(front)
          ? [`${front}ウ`, `${front}オ`, `${front}ー`]
          : [`${front}${U_ROW.test(front) ? 'ウ' : 'ー'}`, `${front}ー`];
      })
      // Each long vowel has up to three spellings.
      .slice(0, MOST_READINGS);
  }
  const found = new Set([...readings, ...readings.map((each) => each.replace(DOUBLED, 'ー'))]);
  if (isMarked) return found;
  const places = moras.flatMap((mora, place) => {
    const isVowel = mora !== 'ン' && mora !== 'ッ';
    return isVowel && !ENDS_LONG.test(moras[place + 1] ?? '') ? [place] : [];
  });
  const lengthened = (long: ReadonlyMap<number, string>): string =>
    moras.map((mora, place) => mora + (long.get(place) ?? '')).join('');
  const close = places.filter(
    (place) => O_ROW.test(moras[place] ?? '') || U_ROW.test(moras[place] ?? ''),
  );
  for (const place of close) found.add(lengthened(new Map([[place, 'ウ']])));
  for (const [at, place] of close.entries()) {
    for (const other of close.slice(at + 1))
      found.add(
        lengthened(
          new Map([
            [place, 'ウ'],
            [other, 'ウ'],
          ]),
        ),
      );
  }
  for (const place of places) found.add(lengthened(new Map([[place, 'ー']])));
  for (const place of close)
    if (O_ROW.test(moras[place] ?? '')) found.add(lengthened(new Map([[place, 'オ']])));
  return found;
}
