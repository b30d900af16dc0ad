import { type ChatModel, LLMError, textMessage } from '@vizprompt/providers';
import { guessLanguage, isRecord, type Language, parseJson } from '@vizprompt/providers/internal';
import { keywordsOf } from './keywords.ts';
import { shorten, type SummaryLimits } from './shorten.ts';
import { MAX_KEYWORDS, MAX_TAGS, type Summarizer } from './summarize-offline.ts';

/** Longer texts are cut in their middle before they are sent. */
const MAX_CHARACTERS = 24_000;

/** The prompts for the model, by the language of the node. */
const PROMPTS: Readonly<Record<Language, (prompt: string, response: string) => string>> = {
  ja: (prompt, response) => `あなたは会話ノードの要約とタグ付けを行う専門家です。
以下のプロンプトと回答のペアを分析し、簡潔な要約とタグを生成してください。

[プロンプト]
${prompt}

[回答]
${response}

以下の形式で出力してください：
要約: [30-50単語程度の簡潔な説明]
タグ: [3-7個の重要キーワードをカンマ区切り]
`,
  en: (prompt, response) => `You are an expert at summarizing and tagging conversation nodes.
Analyze the following pair of a prompt and a response, and write a concise summary and tags.

[Prompt]
${prompt}

[Response]
${response}

Answer in exactly this form:
Summary: [a concise description of 30 to 50 words]
Tags: [3 to 7 important keywords, separated by commas]
`,
};

/** Makes digests by asking a model. */
export function modelSummarizer(model: ChatModel, limits: SummaryLimits): Summarizer {
  return async ({ prompt, response }, signal) => {
    const language = guessLanguage(`${prompt}\n${response}`);
    const question = PROMPTS[language](cutMiddle(prompt), cutMiddle(response));
    const { text } = await model.generate({
      messages: [textMessage('user', question)],
      ...(signal ? { signal } : {}),
    });
    const { summary, tags } = readDigest(text);
    if (summary === '') {
      throw new LLMError(
        'output_parse',
        `the model gave no summary, such as 'Summary: ...' or '要約: ...': ${text.slice(0, 200)}`,
        {
          provider: model.provider,
          modelId: model.modelId,
        },
      );
    }
    const found = keywordsOf(`${prompt}\n${response}`, MAX_KEYWORDS);
    const keywords = [...new Set([...tags, ...found])].slice(0, MAX_KEYWORDS);
    const shown = (tags.length > 0 ? tags : found).slice(0, MAX_TAGS);
    return { summary: shorten(summary, limits), tags: shown, keywords };
  };
}

function cutMiddle(text: string): string {
  if (text.length <= MAX_CHARACTERS) return text;
  const half = MAX_CHARACTERS / 2;
  return `${text.slice(0, half).toWellFormed()}\n[…]\n${text.slice(-half).toWellFormed()}`;
}

/** A summary and tags as a model wrote them. */
interface WrittenDigest {
  /** Empty if there is none. */
  readonly summary: string;
  readonly tags: readonly string[];
}

/** A summary is short: text beyond this length is none. */
const MAX_LENGTH = 20_000;

/** The names of summaries and tags in the answers of models. */
const SUMMARY =
  '要\\s?約(?:文)?|概\\s?要|サマリー?|まとめ|summary|abstract|overview|description|tl;?dr|résumé|resumen|resumo|riassunto|zusammenfassung|摘要|总结|總結|요약';
const TAGS =
  'タグ(?:一覧|リスト)?|キーワード|重要(?:語|キーワード)|tags?(?: ?list)?|key ?words?|topics?|labels?|hashtags?|' +
  'mots?[- ]clés?|étiquettes?|etiquetas?|palabras clave|schlagw(?:ö|oe)rter|stichw(?:ö|oe)rter|标签|標籤|关键词|關鍵詞|태그|키워드';

/** Returns a heading or a label, in any dress: `**Summary:**`, `## 要約`, `【要約】`, `- Summary -`, `1. 要約：`, `"summary":`. */
function labelOf(names: string): RegExp {
  return new RegExp(
    `^[\\s>#*_\\-–—=|・■◆●▼\\d.)"'「]*(?:[[【〔《<＜(（「『]\\s*(?:${names})\\s*[\\]】〕》>＞)）」』][\\s*_:：]*|(?:${names})(?:\\s*[(（][^)）\\n]{0,40}[)）])?[\\s*_"'」|]*(?:[:：=|\\-–—]+[\\s*_|]*|$))`,
    'i',
  );
}
const SUMMARY_LABEL = labelOf(SUMMARY);
const TAGS_LABEL = labelOf(TAGS);
const JSON_SUMMARY = new RegExp(`^(?:${SUMMARY})$`, 'i');
const JSON_TAGS = new RegExp(`^(?:${TAGS})$`, 'i');

/** A tag of an element: one that begins a line, alone or in others; any other; one that may end an element. */
const ELEMENT = new RegExp(
  `<(?<=^(?:[ \\t]*<\\w{1,20}>){0,3}[ \\t]*<)(${SUMMARY}|${TAGS})>|<(${SUMMARY}|${TAGS})>|</(${SUMMARY}|${TAGS})>(?=[ \\t]*(?:<|$))`,
  'gim',
);
/** The fields in JSON that has a slip: quotes of Python, a line break in a string, no end. */
const LOOSE_SUMMARY = new RegExp(
  `["']?(?:${SUMMARY})["']?\\s*:\\s*(["'])((?:\\\\.|(?!\\1)[^\\\\])*)\\1`,
  'i',
);
const LOOSE_TAGS = new RegExp(`["']?(?:${TAGS})["']?\\s*:\\s*\\[([^\\]]*)`, 'i');

/**
 * Reads the answer of a model that was asked for a summary and tags: as lines with labels, under headings,
 * as JSON, or as a bare sentence with or without hashtags.
 */
export function readDigest(answer: string): WrittenDigest {
  const text = withoutElements(
    answer
      .replaceAll(/<(think(?:ing)?|reasoning|thought)>[^]*?(?:<\/\1>|$(?![^]))/gi, '')
      .trim()
      .slice(0, MAX_LENGTH),
  )
    // The border of a table, and the end of its rows.
    .replaceAll(/^[ \t]*\|[ \t]*:?-[-:| \t]*$/gm, '')
    .replaceAll(/^([ \t]*\|.*)\|[ \t]*$/gm, '$1');
  const isFence = (line: string): boolean => /^\s*(?:```|~~~)[\w-]*\s*$/.test(line);
  return readJson(text) ?? readSections(text.split('\n').filter((line) => !isFence(line)));
}

/** Returns a text with its elements of XML as lines with labels. A name of an element in a sentence is none. */
function withoutElements(text: string): string {
  const ends = new Map<string, number>();
  for (const { 3: name, index } of text.matchAll(ELEMENT)) {
    if (name !== undefined) ends.set(name.toLowerCase(), index);
  }
  let end = -1;
  const opened = new Set<string>();
  const lineOf = (
    tag: string,
    first: string | undefined,
    later: string | undefined,
    ending: string | undefined,
    at: number,
  ): string => {
    const name = (first ?? later ?? ending ?? '').toLowerCase();
    const isNext = first !== undefined || (end >= 0 && text.slice(end, at).trim() === '');
    const isElement =
      ending === undefined ? isNext && (ends.get(name) ?? -1) > at : opened.has(name);
    if (!isElement) return tag;
    end = at + tag.length;
    opened.add(name);
    return ending === undefined ? `\n${tag}` : '\n';
  };
  return text.replaceAll(ELEMENT, lineOf);
}

function readJson(text: string): WrittenDigest | undefined {
  const [start, end] = [text.indexOf('{'), text.lastIndexOf('}')];
  if (start < 0) return undefined;
  const value: unknown = end < start ? undefined : parseJson(text.slice(start, end + 1));
  if (isRecord(value)) return fromFields(value);
  // A sentence may name fields.
  const isWhole = end < start || /^\s*(?:(?:```|~~~)\s*)?$/.test(text.slice(end + 1));
  const told =
    isWhole && isAlone(text.slice(0, start)) && LOOSE_SUMMARY.exec(text.slice(start))?.[2];
  if (told === false || told === undefined) return undefined;
  const tags = LOOSE_TAGS.exec(text.slice(start))?.[1] ?? '';
  const summary = told.replaceAll(/\\(["'\\/])/g, '$1').replaceAll(/\\[nt]/g, ' ');
  return { summary: plain(summary), tags: distinct(tagsIn(tags.replaceAll("'", ''))) };
}

/** Checks whether what is before JSON is nothing but a fence and a line that announces it. */
function isAlone(before: string): boolean {
  return !isLabel(before) && /^(?:[^\n]*[:：][ \t]*\r?\n\s*)?(?:(?:```|~~~)\w*\s*)?$/.test(before);
}

function isLabel(line: string): boolean {
  return SUMMARY_LABEL.test(line) || TAGS_LABEL.test(line);
}

function fromFields(fields: Readonly<Record<string, unknown>>): WrittenDigest | undefined {
  const valueOf = (name: RegExp): unknown =>
    Object.entries(fields).find(([key]) => name.test(key.trim()))?.[1];
  const summary = valueOf(JSON_SUMMARY);
  if (typeof summary !== 'string') {
    const inner = Object.values(fields).filter(isRecord);
    return inner.length === 1 && inner[0] ? fromFields(inner[0]) : undefined;
  }
  const tags = valueOf(JSON_TAGS);
  const list = Array.isArray(tags)
    ? tags.map((tag: unknown) => (isRecord(tag) ? (tag['name'] ?? tag['tag']) : tag))
    : [tags];
  const texts = list.filter((tag) => typeof tag === 'string');
  return { summary: plain(summary), tags: distinct(texts.flatMap((tag) => tagsIn(tag))) };
}

function readSections(lines: readonly string[]): WrittenDigest {
  const summary: string[] = [];
  const tags: string[] = [];
  const loose: string[] = [];
  let section = loose;
  for (const line of lines) {
    const summaryLabel = SUMMARY_LABEL.exec(line)?.[0];
    const tagsLabel = TAGS_LABEL.exec(line)?.[0];
    if (summaryLabel !== undefined) {
      section = summary;
      addSplit(line.slice(summaryLabel.length), summary, tags);
    } else if (tagsLabel !== undefined) {
      section = tags;
      tags.push(line.slice(tagsLabel.length));
    } else if (section !== tags && isHashtags(line)) tags.push(line);
    else if (section === tags && line.trim() === '' && tags.some((tag) => tag.trim() !== '')) {
      section = [];
    } else if (section === summary && line.trim() === '' && plain(summary.join(' ')) !== '') {
      // An empty line ends the summary. Text after it is dropped, except announced tags.
      section = [];
    } else section.push(line);
  }
  const told = plain(summary.join(' '));
  return {
    summary: told === '' ? plain(bareSentence(loose)) : told,
    tags: distinct(tags.flatMap((line) => tagsIn(line))),
  };
}

/** Adds the rest of a line, which may announce the tags as well: `要約: … タグ: …`. */
function addSplit(rest: string, summary: string[], tags: string[]): void {
  const inner = new RegExp(`[\\s、。.|/;][*_]*(?:${TAGS})[*_]*\\s*[:：][*_\\s]*`, 'i').exec(rest);
  summary.push(inner ? rest.slice(0, inner.index + 1) : rest);
  if (inner) tags.push(rest.slice(inner.index + inner[0].length));
}

/** Returns the first paragraph that is a sentence and no greeting. */
function bareSentence(lines: readonly string[]): string {
  const paragraphs = lines.join('\n').split(/\n\s*\n/);
  const isTold = (text: string): boolean =>
    plain(text).length >= 8 &&
    !/^(?:sure|of course|certainly|okay|here (?:is|are)|以下|承知|はい|もちろん)[^\n]{0,60}[:：。！!]?$/i.test(
      plain(text),
    );
  const found = paragraphs.find(isTold) ?? '';
  // Words without any mark, such as "I cannot", are not a summary; those of a refusal are none either.
  return /^(?:i'?m sorry|i am sorry|i can(?:no|')t|sorry|申し訳|すみません)/i.test(plain(found)) ||
    !/[。．.!！?？]\s*["'」』）)*_]*$/.test(found.trim())
    ? ''
    : found;
}

function isHashtags(line: string): boolean {
  const words = line
    .trim()
    .split(/[\s,、，][\s,、，]*/)
    .filter(Boolean);
  return words.length > 0 && words.every((word) => /^[-*・]?[#＃][^\s#＃]/.test(word));
}

function plain(text: string): string {
  const line = text
    .replaceAll(/\*\*|__|`/g, '')
    .replaceAll(/\s\s*/g, ' ')
    .trim();
  // Brackets around all of it, which the last character closes.
  const isBracketed = line.indexOf(']') === line.length - 1;
  const start = isBracketed ? /^(?:[-*>・]\s|["“[])+/ : /^(?:[-*>・]\s|["“])+/;
  return withoutClosing(line.replace(start, '')).trim();
}

/** Removes quotes at the end, and brackets that close nothing. */
function withoutClosing(text: string): string {
  const opened = text.indexOf('[');
  let end = text.length;
  while (end > 0 && /["”\]]/.test(text.charAt(end - 1))) {
    if (text.charAt(end - 1) === ']' && opened >= 0 && opened < end - 1) break;
    end--;
  }
  return text.slice(0, end);
}

/** Splits a line of tags, by whatever parts them. */
function tagsIn(line: string): string[] {
  const bare = line.replaceAll(/\*\*|__|`|["“”]/g, '').trim();
  const marked = bare.match(/[#＃][^\s#＃,、，;；][^\s#＃,、，;；]*/g);
  const parts =
    marked && marked.length > 1 && /^[-*・\s]*[#＃]/.test(bare) && !/[,、，;；]/.test(bare)
      ? marked
      : bare.split(/[,、，;；/／|\n]|\s(?=[#＃])/);
  return parts
    .map((tag) => tag.replaceAll(/[[\]「」『』【】*]/g, '').trim())
    .map((tag) => tag.replace(/^(?:[-・•>]\s*|\d\d*[.)．]\s*)+/, '').replace(/^[#＃][#＃]*\s*/, ''))
    .map((tag) => tag.replace(/[。.]$/, '').trim())
    .filter((tag) => /[\p{L}\p{N}]/u.test(tag) && tag.length <= 60);
}

function distinct(tags: readonly string[]): string[] {
  return [...new Set(tags)];
}
