/**
 * The language that a topic is taken to be in: Japanese where it has Japanese characters, kanji alone
 * too, else English.
 */
export function languageOfTopic(topic: string): 'ja' | 'en' {
  const japanese = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u;
  return japanese.test(topic) ? 'ja' : 'en';
}
