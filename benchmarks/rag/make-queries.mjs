const SENTENCE = /(?<=[。！？\s])[^。！？」「\s、…―]{2}[^。！？」「\s]{10,58}(?=[。！？])/gu;
const ASKED = ['のはなぜですか？', 'のは誰？', 'のはいつのこと？', 'とはどういうことか。'];
const WORD_KINDS = /^(?:名詞|動詞|形容詞)/u;
const HIRAGANA = /^\p{sc=Hiragana}+$/u;

/**
 * So many queries over texts, half and half in turn: a sentence of a text made into a question, and one to
 * three words of a text.
 */
export function makeQueries(count, texts, analyzer, random) {
  const pick = (list) => list[Math.floor(random() * list.length)];
  const makers = [
    (text) => {
      const sentences = text.match(SENTENCE) ?? [];
      return sentences.length > 0 ? pick(sentences) + pick(ASKED) : undefined;
    },
    (text) => {
      const words = analyzer
        .words(text)
        .filter(({ isContent, pos, start, end }) => {
          return isContent && end - start > 1 && WORD_KINDS.test(pos);
        })
        .map(({ start, end }) => text.slice(start, end))
        .filter((word) => !HIRAGANA.test(word));
      if (words.length < 3) return undefined;
      return Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(words)).join(' ');
    },
  ];
  const queries = [];
  for (let tries = 0; queries.length < count && tries < count * 100; tries++) {
    const query = makers[queries.length % makers.length](pick(texts));
    if (query !== undefined) queries.push(query);
  }
  return queries;
}
