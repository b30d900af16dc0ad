import { guessLanguage, type Language } from '@vizprompt/providers/internal';
import type { VizNode } from '../node/node.ts';
import { findList, type FoundList } from './find-list.ts';
import { ENGLISH_STOP_WORDS, keywordsOf } from './keywords.ts';
import { firstWords, sentencesOf } from './sentences.ts';
import { fits, shorten, type SummaryLimits } from './shorten.ts';

/** The summary, tags and keywords of a node. */
export interface NodeDigest {
  /** 30 to 50 words. */
  readonly summary: string;
  /** 3 to 7, fewer where the text has no more. */
  readonly tags: readonly string[];
  /** The tags, and more words that the node can be found by. */
  readonly keywords: readonly string[];
}

/** Makes digests. */
export type Summarizer = (
  node: Pick<VizNode, 'prompt' | 'response'>,
  signal?: AbortSignal,
) => Promise<NodeDigest>;

/** At most this many tags a node. */
export const MAX_TAGS = 7;
/** At most this many keywords a node. */
export const MAX_KEYWORDS = 12;

/** Beyond this, more sentences only cost time. */
const MAX_SENTENCES = 120;
/** Words of a sentence that count. */
const MAX_SENTENCE = 100;
/** The prompt may take this share of a summary. */
const PROMPT_SHARE = 0.45;
/** And its most important sentence alone this many times as much. */
const LEADER_SHARE = 1.35;
const TAGS = 5;

/**
 * Makes digests without a model: the request and the facts of the prompt, the first sentence of the
 * response, and its most central sentences, in their order. A list gives the beginning of each item.
 * A sentence is central when its words are frequent in the text, counted once in each sentence.
 *
 * Source: Nenkova, Vanderwende: The Impact of Frequency on Summarization (MSR-TR-2005-101).
 */
export function offlineSummarizer(limits: SummaryLimits): Summarizer {
  return async ({ prompt, response }) => {
    const keywords = keywordsOf(`${prompt}\n${response}`, MAX_KEYWORDS);
    return {
      summary: summarize(prompt, response, limits),
      tags: keywords.slice(0, TAGS),
      keywords,
    };
  };
}

/** Returns the gist of a prompt and its response, within the limits. */
export function summarize(prompt: string, response: string, limits: SummaryLimits): string {
  const list = findList(response);
  const language = guessLanguage(`${prompt}\n${response}`.slice(0, 4000));
  const said = sentencesOf(list ? list.before : response).slice(0, MAX_SENTENCES);
  const answered = unlike(
    said.filter((sentence, at) => {
      const isOnly = said.length + (list ? 1 : 0) < 2;
      return isOnly || !isCourtesy(sentence) || (at === 0 && decides(sentence, prompt));
    }),
    [],
    language,
  );
  const items = list?.items.map(({ text }) => text) ?? [];
  const asks = sentencesOf(prompt).slice(0, MAX_SENTENCES);
  const asked = unlike(
    asks.filter((sentence) => asks.length < 2 || !ASKS_ANYTHING.test(sentence)),
    [...answered, ...items],
    language,
  );
  const told = [...answered, ...(list ? [itemsOf(list)] : [])];
  const whole = join([marked(join(asked), told.length > 0), ...told]);
  if (whole === '') return shorten(`${prompt}\n${response}`, limits);
  if (fits(whole, limits)) return whole;

  const weights = wordWeights([...asked, ...answered, ...items], language);
  const score = (sentence: string): number => scoreOf(sentence, weights, language);
  const hasAnswer = answered.length > 0 || list !== undefined;
  const question = marked(
    chooseAsked(asked, score, hasAnswer ? scale(limits, PROMPT_SHARE) : limits),
    hasAnswer,
  );
  return list
    ? withList(question, answered, list, limits)
    : chooseAnswered(question, answered, score, limits);
}

function join(sentences: readonly string[]): string {
  return sentences
    .filter(Boolean)
    .join(' ')
    .replaceAll(/(?<=[。！？：]) /g, '');
}

/** Adds a colon to a question without a mark at its end, so that the answer does not read as a part of it. */
function marked(question: string, hasAnswer: boolean): string {
  const isOpen = hasAnswer && /[\p{L}\p{N}]$/u.test(question);
  return isOpen ? `${question}${/[\u3000-\u9fff]$/.test(question) ? '：' : ':'}` : question;
}

function scale({ maxWords, maxTokens }: SummaryLimits, share: number): SummaryLimits {
  return {
    maxWords: Math.floor(maxWords * share),
    ...(maxTokens === undefined ? {} : { maxTokens: Math.floor(maxTokens * share) }),
  };
}

/** Sentences that only open an answer. */
const COURTESY =
  /^(?:(?:sure|of course|certainly|absolutely|great|good|excellent|nice|ok(?:ay)?|got it|understood|no problem|thanks?|thank you|hello|hi|yes|no worries)\b(?: (?:thing|question|idea|choice|you|for (?:asking|sharing)))*[\s,.!:;-]*)+(?:(?:here (?:is|are)|here's|i(?:'d| would|'m)? (?:be )?(?:happy|glad)|let me|let's)\b.*)?$/i;
const COURTESY_JA =
  /^(?:(?:もちろん(?:です)?|はい|承知(?:いた)?しました|了解(?:です|しました)?|かしこまりました|(?:分|わか)りました|わかりました|ありがとうございます|(?:とても)?(?:良|よ|い)い(?:質問|ご質問)です(?:ね)?|こんにちは|お待たせしました)[\s、。！!]*)+$/;

/** Questions that could be asked of anything: what is before them says more. */
const ASKS_ANYTHING =
  /^(?:(?:どう|なに|何を)(?:すれば|したら)(?:いい|良い|よい)(?:です|の(?:です|でしょう))?か?|どうしたら(?:いい|よい)|助けてください|助けて|(?:計画|予定|案|プラン)?を?(?:立て|考え|教え|出し|作っ|提案し|まとめ|見)て(?:ください|下さい|ほしい(?:です)?|くれますか|もらえますか)?|お願い(?:します|いたします|できますか)|エラーが出ます|原因は何(?:です|でしょう)か|(?:any|some) (?:ideas?|help|advice)|what (?:should|can|do) i do|please help(?: me)?|help|how (?:do|can) i (?:fix|solve) (?:it|this|that))[\s。！？!?.]*$/i;

function isCourtesy(sentence: string): boolean {
  return COURTESY.test(sentence) || COURTESY_JA.test(sentence);
}

/** Checks whether a sentence is the answer to a question that wants a yes or a no. */
function decides(sentence: string, prompt: string): boolean {
  return /^(?:yes|はい)[\s。.!！]*$/i.test(sentence) && /[?？]|か[。\s]*$/.test(prompt);
}

/** Returns the share of sentences that contain each word. */
function wordWeights(sentences: readonly string[], language: Language): Map<string, number> {
  const weights = new Map<string, number>();
  for (const sentence of sentences) {
    for (const word of contentWords(sentence, language)) {
      weights.set(word, (weights.get(word) ?? 0) + 1 / sentences.length);
    }
  }
  return weights;
}

function contentWords(sentence: string, language: Language): Set<string> {
  const words = firstWords(sentence.toLowerCase(), language, MAX_SENTENCE);
  return new Set(
    words
      .map(({ word }) => word)
      .filter((word) => !ENGLISH_STOP_WORDS.has(word) && !/^\p{sc=Hiragana}{1,2}$/u.test(word)),
  );
}

/** From this share of common words on, two sentences say the same. */
const SAME = 0.8;

/** Returns the sentences that say nothing that an earlier one or one of the others says. */
function unlike(
  sentences: readonly string[],
  others: readonly string[],
  language: Language,
): string[] {
  const known = others.map((sentence) => contentWords(sentence, language));
  return sentences.filter((sentence) => {
    const words = contentWords(sentence, language);
    const isKnown = known.some((other) => isWithin(words, other));
    known.push(words);
    return !isKnown;
  });
}

/** Checks whether nearly all words of one sentence are in the other. */
function isWithin(words: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  if (words.size < 3 || words.size > other.size * 1.5) return false;
  const common = [...words].filter((word) => other.has(word)).length;
  return common / words.size >= SAME;
}

/** Returns the mean weight of its words; very short sentences say little by themselves, facts say more. */
function scoreOf(
  sentence: string,
  weights: ReadonlyMap<string, number>,
  language: Language,
): number {
  const words = contentWords(sentence, language);
  if (words.size === 0) return 0;
  const sum = [...words].reduce((total, word) => total + (weights.get(word) ?? 0), 0);
  const facts = /\d|[一二三四五六七八九十百千万](?:円|人|日|時|分|回|個|歳|％|月|年|つ)/.test(
    sentence,
  );
  return (sum / words.size) * Math.min(1, words.size / 5) * (facts ? 1.4 : 1);
}

/** A sentence that asks for something. */
const REQUEST =
  /[?？]$|(?:ください|下さい|ほしい(?:です)?|欲しい(?:です)?|お願い(?:します|いたします)?|たい(?:です|のですが)?|教えて|[しいんっえけせてねべめれきみび][てで]|ですか|ますか|(?:とは|には|何が必要))[。！!]?$|(?:たい|ほしい|欲しい)(?:(?:の|ん)?です)?(?:が|けど)、|^(?:please|can you|could you|would you|how|what|why|when|where|which|who|explain|write|give|list|translate|summari[sz]e|compare|suggest|fix|show|make|help|tell|plan|find|draft|rewrite|i (?:want|need|would like|'d like)|let(?:'s| us))\b/i;

/** A line of a log, or the message of an error. */
const LOG =
  /\b(?:ERROR|FATAL|WARN(?:ING)?|INFO|DEBUG|panic|\w*(?:Error|Exception))\b ?[:\]]|(?<!\d)\d\d:\d\d:\d\d(?!\d)/;

/** Chooses what a prompt asks for, then its other sentences while there is room. */
function chooseAsked(
  asked: readonly string[],
  score: (sentence: string) => number,
  limits: SummaryLimits,
): string {
  const last = asked.length - 1;
  const rated = [...asked.entries()].map(([at, sentence]) => {
    const bonus = (REQUEST.test(sentence) ? 4 : 1) * (at === 0 ? 2 : at === last ? 1.3 : 1);
    return { at, sentence, score: (0.1 + score(sentence)) * bonus };
  });
  const ranked = rated.toSorted((a, b) => b.score - a.score);
  const chosen: typeof rated = [];
  for (const entry of ranked) {
    if (chosen.length > 0 && LOG.test(entry.sentence)) continue;
    if (fits(inOrder([...chosen, entry]), limits)) chosen.push(entry);
  }
  const [leader] = ranked;
  // The request is worth more than a sentence that happens to fit.
  if (leader && !chosen.includes(leader) && fits(leader.sentence, scale(limits, LEADER_SHARE)))
    return leader.sentence;
  return chosen.length > 0 ? inOrder(chosen) : leader ? shorten(leader.sentence, limits) : '';
}

function inOrder(chosen: readonly { readonly at: number; readonly sentence: string }[]): string {
  return join(chosen.toSorted((a, b) => a.at - b.at).map(({ sentence }) => sentence));
}

/** The beginning of a sentence that says nothing without the one before. */
const LEANING =
  /^(?:it|this|that|these|those|they|he|she|otherwise|instead|then|so|also|if not|however|but|therefore|それ|その|これ|この|あれ|そう|そこ|すると|ただし|しかし|でも|また|さらに|つまり|なぜなら|そのため|したがって|一方|逆に|同様|なお|ちなみに|あるいは|もしくは)/i;

/** A question may take this share where the first sentence of its answer does not fit after all of it. */
const LONG_QUESTION_SHARE = 0.3;

/** A sentence that gives an instruction. */
const REMEDY =
  /(?:てください|て下さい|ましょう|するべきです|する必要があります)[。！!]?$|^(?:run|use|set|give|add|check|try|always|never|install|replace|remove|change|do not|don't|make sure|you (?:need|must|should))\b/i;

/** Adds the first sentence of an answer, then the best ones as long as they fit; none that leans on one left out. */
function chooseAnswered(
  question: string,
  sentences: readonly string[],
  score: (sentence: string) => number,
  limits: SummaryLimits,
): string {
  const [first] = sentences;
  if (first === undefined) return shorten(question, limits);
  const chosen = [{ at: 0, sentence: first }];
  const text = (entries: typeof chosen): string => join([question, inOrder(entries)]);
  if (!fits(text(chosen), limits)) {
    // The answer says more than the whole of a long question.
    const start = shorten(question, scale(limits, LONG_QUESTION_SHARE));
    return shorten(join([start, inOrder(chosen)]), limits);
  }
  const ranked = [...sentences.entries()]
    .slice(1)
    .map(([at, sentence]) => {
      const bonus = (at === 1 ? 1.3 : 1) * (REMEDY.test(sentence) ? 1.5 : 1);
      return { at, sentence, score: score(sentence) * bonus };
    })
    .toSorted((a, b) => b.score - a.score);
  for (const { at, sentence } of ranked) {
    const isChosen = chosen.some((entry) => entry.at === at - 1);
    if (LEANING.test(sentence) && !isChosen) continue;
    const more = [...chosen, { at, sentence }];
    if (fits(text(more), limits)) chosen.push({ at, sentence });
  }
  return text(chosen);
}

/** Adds a list: all of its items, as much of each as there is room for. */
function withList(
  question: string,
  answered: readonly string[],
  list: FoundList,
  limits: SummaryLimits,
): string {
  const intro = answered.at(-1) ?? '';
  for (const start of [[question, intro], [question]]) {
    for (const most of [Infinity, 48, 28, 18]) {
      const text = join([...start, itemsOf(list, most)]);
      if (fits(text, limits)) return text;
    }
  }
  for (const most of [12, 8, 5]) {
    const text = join([question, itemsOf(list, most)]);
    if (fits(text, limits)) return text;
  }
  return shorten(join([shorten(question, scale(limits, 0.3)), itemsOf(list, 8)]), limits);
}

/** Returns the items of a list on one line, each with its number and its beginning. */
export function itemsOf({ items }: FoundList, most: number = Infinity): string {
  return items
    .map(({ mark, text }, at) => `${markOf(mark, at)} ${beginningOf(text, most)}`)
    .join('; ');
}

/** Returns the mark of an item: its number, also of one that has none. */
function markOf(mark: string, at: number): string {
  const plain = mark.replaceAll(/[#*|>_\s]/g, '');
  return /[\p{L}\p{N}]/u.test(plain) ? plain : `${at + 1}.`;
}

/** Returns a text up to the end of its first clause that is past the limit. */
function beginningOf(text: string, most: number): string {
  if (width(text) <= most) return text;
  const [clause = text] = text.split(/(?<=\S)\s*(?:[:：。—–;；]|\s-\s|\. )/u);
  if (width(clause) <= most) return clause;
  let taken = '';
  for (const { segment } of characters.segment(clause.slice(0, 4 * most))) {
    if (width(taken + segment) > most) break;
    taken += segment;
  }
  const border = taken.lastIndexOf(' ');
  return border > taken.length / 2 ? taken.slice(0, border) : taken;
}

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Counts characters, those of wide scripts twice: they say twice as much. */
function width(text: string): number {
  return text.length + (text.match(/[\u3000-\u9fff\uac00-\ud7af\uff00-\uff60]/g)?.length ?? 0);
}
