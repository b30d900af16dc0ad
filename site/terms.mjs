// The terms of the site's search, of pages and of queries alike.

/**
 * Cuts a text into terms. Latin words are terms, and so are the parts of identifiers. Runs of kanji and kana are cut
 * into pairs of characters. A kanji with an ending in hiragana also gives its stem, so that 走った finds 走る.
 *
 * VitePress writes this function into the page as text, so it uses nothing from outside of itself.
 */
export const termsOf = (text) => {
  const terms = [];
  const pairsOf = (run) => {
    const characters = [...run];
    if (characters.length === 1) terms.push(run);
    for (let at = 1; at < characters.length; at++) terms.push(characters[at - 1] + characters[at]);
  };
  const runs =
    /([\p{Script=Han}々〆ヶ]+)([\p{Script=Hiragana}ー]*)|[\p{Script=Hiragana}ー]+|[\p{Script=Katakana}ー]+|[\p{L}\p{N}_]+?(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[^\p{L}\p{N}_]|$)/gu;
  for (const [run, kanji, ending] of text.normalize('NFKC').matchAll(runs)) {
    if (kanji !== undefined) {
      pairsOf(kanji);
      // The mark keeps stems apart from words of one kanji.
      if (ending !== '') terms.push(`${kanji}~`);
      if ([...ending].length > 2) pairsOf(ending);
    } else if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(run)) {
      pairsOf(run);
    } else {
      terms.push(run.toLowerCase());
      const parts = run.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+/gu) ?? [];
      if (parts.length > 1) terms.push(...parts.map((part) => part.toLowerCase()));
    }
  }
  return terms;
};
