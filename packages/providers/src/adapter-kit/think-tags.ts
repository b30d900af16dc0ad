/** A piece of an answer: what the model says, or what it thinks. */
export interface TaggedPiece {
  readonly type: 'text' | 'reasoning';
  readonly text: string;
}

/** The two marks around a thought. */
interface Tag {
  readonly open: string;
  readonly close: readonly string[];
}

/** Ends a thought of gpt-oss, whatever follows it. */
const HARMONY_END = [
  '<|end|><|start|>assistant<|channel|>final<|message|>',
  '<|start|>assistant<|channel|>final<|message|>',
  '<|channel|>final<|message|>',
  '<|end|>',
];

/** XML-like tags of DeepSeek, Qwen, GLM, MiniMax, Kimi, Hunyuan, Nova, Gemini by way of OpenAI, Seed, EXAONE and others. */
const NAMES = [
  'think',
  'thinking',
  'thought',
  'thoughts',
  'reasoning',
  'reason',
  'seed:think',
  'antthinking',
  'mm:think',
];

/**
 * How models write thoughts into their text, where the server leaves them there.
 *
 * Sources: the chat templates of the models; AstrBot#10116, LifeOS#568, LibreChat-AI/agents#40, vercel/ai
 * (`extractReasoningMiddleware`), vllm-project/vllm (`reasoning` parsers).
 */
const TAGS: readonly Tag[] = [
  ...NAMES.map((name) => ({ open: `<${name}>`, close: [`</${name}>`] })),
  // Magistral, Kimi, Cohere, OpenThinker, Apertus, Gemma 4, gpt-oss.
  { open: '[think]', close: ['[/think]'] },
  { open: '◁think▷', close: ['◁/think▷'] },
  { open: '<|start_thinking|>', close: ['<|end_thinking|>'] },
  { open: '<|begin_of_thought|>', close: ['<|end_of_thought|>'] },
  { open: '<|inner_prefix|>', close: ['<|inner_suffix|>'] },
  { open: '<|channel>thought', close: ['<channel|>'] },
  // MedGemma.
  { open: '<unused94>thought', close: ['<unused95>'] },
  { open: '<|channel|>analysis<|message|>', close: HARMONY_END },
  { open: '<|channel|>commentary<|message|>', close: HARMONY_END },
];

/** Marks around the answer itself, which are not part of it. */
const ANSWER_MARKS = [
  ...HARMONY_END,
  '<|start_response|>',
  '<|end_response|>',
  '<|begin_of_solution|>',
  '<|end_of_solution|>',
  '<|return|>',
];

/** Closing marks of a thought whose opening mark the template had put into the prompt. */
const LONE_CLOSES = [
  ...NAMES.map((name) => `</${name}>`),
  '[/think]',
  '◁/think▷',
  '<|end_thinking|>',
];

const MAX_MARK = Math.max(
  ...[...TAGS.flatMap(({ open, close }) => [open, ...close]), ...ANSWER_MARKS].map(
    (mark) => mark.length,
  ),
);

/** Cheaper than looking for each mark: no mark begins with another character. */
const MAY_BEGIN = /[<[◁]/;

/**
 * Takes thoughts out of the text of an answer, as it streams: a mark may be cut anywhere. Thoughts begin at the beginning
 * of the answer, or of a line that is in no block of code, so that an answer may speak of such marks.
 */
export class ThinkTags {
  #rest = '';
  #tag: Tag | undefined;
  /** Nothing of the answer has come since its beginning or the last thought. */
  #isFresh = true;
  /** No thought has been separated yet. */
  #isFirst = true;
  #isLineStart = true;
  #fences = 0;
  #tail = '';
  /** The last character that was given. */
  #last = '';
  /** True if a lone closing mark was found: all text before it was a thought. */
  #isLate = false;

  /** Checks whether the last {@link add} found that all text so far was a thought; asking resets it. */
  takeLate(): boolean {
    const isLate = this.#isLate;
    this.#isLate = false;
    return isLate;
  }

  /** Checks whether text is sure to be text: then it need not be added. */
  isPlain(text: string): boolean {
    if (this.#rest !== '' || this.#tag !== undefined || MAY_BEGIN.test(text)) return false;
    // White space at the beginning may come before a mark, or after one.
    const isPlain = !this.#isFresh || (this.#isFirst && text.trim() !== '');
    if (isPlain) this.#isFresh = false;
    if (isPlain) this.#note(text);
    return isPlain;
  }

  /** Adds text as it came, and returns what is sure of it. */
  add(text: string): TaggedPiece[] {
    this.#rest += text;
    return this.#read(false);
  }

  /** Returns what was held back. */
  end(): TaggedPiece[] {
    return this.#read(true);
  }

  #read(isEnd: boolean): TaggedPiece[] {
    const pieces: TaggedPiece[] = [];
    const say = (type: TaggedPiece['type'], text: string): void => {
      if (text === '') return;
      if (type === 'text') this.#note(text);
      const last = pieces.at(-1);
      if (last?.type === type) pieces[pieces.length - 1] = { type, text: last.text + text };
      else pieces.push({ type, text });
    };
    for (;;) {
      const step = this.#tag ? this.#inThought(this.#tag, isEnd) : this.#inText(isEnd, pieces);
      if (!step) return pieces;
      say(step.type, step.text);
      if (step.isDone) return pieces;
    }
  }

  #inThought(tag: Tag, isEnd: boolean): Step | undefined {
    const found = firstOf(this.#rest, tag.close);
    if (found) {
      const text = this.#rest.slice(0, found.at);
      this.#rest = this.#rest.slice(found.at + found.mark.length);
      this.#tag = undefined;
      this.#isFresh = true;
      return { type: 'reasoning', text: text.trimEnd() };
    }
    // White space before the closing mark is no part of the thought.
    const kept = isEnd ? this.#rest.length : safeLength(this.#rest, tag.close);
    const text = isEnd ? this.#rest : this.#rest.slice(0, kept).trimEnd();
    if (text === '') return undefined;
    this.#rest = this.#rest.slice(text.length);
    return { type: 'reasoning', text, isDone: true };
  }

  #inText(isEnd: boolean, before: readonly TaggedPiece[]): Step | undefined {
    if (this.#isFresh && !this.#isFirst) this.#rest = this.#rest.trimStart();
    if (this.#rest === '') return undefined;
    const open = this.#findOpen();
    if (open) {
      const text = this.#rest.slice(0, open.at);
      this.#rest = this.#rest.slice(open.at + open.tag.open.length).replace(/^\s\s*/, '');
      this.#tag = open.tag;
      this.#isFirst = false;
      return { type: 'text', text: this.#isFresh && text.trim() === '' ? '' : text };
    }
    const late = this.#isFirst ? this.#findLate() : undefined;
    if (late && (isEnd || late.at + late.mark.length < this.#rest.length)) {
      const text = this.#rest.slice(0, late.at);
      this.#rest = this.#rest.slice(late.at + late.mark.length);
      this.#isLate = !before.some(({ type }) => type === 'reasoning');
      this.#isFirst = false;
      this.#isFresh = true;
      return { type: 'reasoning', text: text.trimEnd() };
    }
    this.#dropAnswerMarks();
    const marks = this.#isFirst
      ? [...OPENS, ...LONE_CLOSES, ...ANSWER_MARKS]
      : [...OPENS, ...ANSWER_MARKS];
    let kept = isEnd ? this.#rest.length : safeLength(this.#rest, marks);
    if (late) kept = Math.min(kept, late.at);
    // Space at the beginning may come before a mark.
    if (!isEnd && this.#isFresh && this.#rest.slice(0, kept).trim() === '') kept = 0;
    const text = this.#rest.slice(0, kept);
    if (text === '') return undefined;
    this.#rest = this.#rest.slice(kept);
    this.#isFresh = false;
    return { type: 'text', text, isDone: true };
  }

  #findOpen(): { readonly at: number; readonly tag: Tag } | undefined {
    const lower = this.#rest.toLowerCase();
    let best: { readonly at: number; readonly tag: Tag } | undefined;
    for (const tag of TAGS) {
      let at = lower.indexOf(tag.open);
      while (at >= 0 && !this.#mayOpenAt(at)) at = lower.indexOf(tag.open, at + 1);
      if (at >= 0 && (best === undefined || at < best.at)) best = { at, tag };
    }
    return best;
  }

  /** Returns a closing mark without an opening one; in a sentence about marks it is only a word. */
  #findLate(): { readonly at: number; readonly mark: string } | undefined {
    const found = firstOf(this.#rest, LONE_CLOSES);
    if (!found) return undefined;
    const before = found.at > 0 ? this.#rest.charAt(found.at - 1) : this.#last;
    const after = this.#rest.charAt(found.at + found.mark.length);
    const lower = this.#rest.slice(0, found.at).toLowerCase();
    if (OPENS.some((open) => lower.includes(open))) return undefined;
    const next = this.#rest.slice(found.at + found.mark.length, found.at + found.mark.length + 2);
    const isWord =
      (/[ `'"(]/.test(before) && /[ `'",.;:)]/.test(after)) ||
      (/[^\s.!?。！？]/.test(before) && JAPANESE_PARTICLE.test(next));
    const fences = this.#fences + fencesIn(this.#tail + this.#rest.slice(0, found.at));
    return isWord || fences % 2 === 1 ? undefined : found;
  }

  #mayOpenAt(at: number): boolean {
    const before = this.#rest.slice(0, at);
    if (this.#isFresh && before.trim() === '') return true;
    const line = before.slice(before.lastIndexOf('\n') + 1);
    const isLineStart = line.trim() === '' && (before.includes('\n') || this.#isLineStart);
    return isLineStart && (this.#fences + fencesIn(this.#tail + before)) % 2 === 0;
  }

  #dropAnswerMarks(): void {
    if (!this.#rest.includes('<|')) return;
    for (
      let found = firstOf(this.#rest, ANSWER_MARKS);
      found;
      found = firstOf(this.#rest, ANSWER_MARKS)
    ) {
      this.#rest = this.#rest.slice(0, found.at) + this.#rest.slice(found.at + found.mark.length);
    }
  }

  /** Takes note of text that was given: whether a line or a block of code is open. */
  #note(text: string): void {
    this.#last = text.charAt(text.length - 1);
    // An answer that speaks of such marks.
    if (this.#isFirst && MAY_BEGIN.test(text) && firstOf(text, OPENS)) this.#isFirst = false;
    const at = text.lastIndexOf('\n');
    this.#isLineStart =
      at >= 0 ? text.slice(at + 1).trim() === '' : this.#isLineStart && text.trim() === '';
    if (!/[`~]/.test(text) && this.#tail === '') return;
    const all = this.#tail + text;
    this.#fences += fencesIn(all);
    this.#tail = /(?<!`)`{1,2}$|(?<!~)~{1,2}$/.exec(all)?.[0] ?? '';
  }
}

interface Step extends TaggedPiece {
  /** All that is sure was given. */
  readonly isDone?: boolean;
}

/** Text after a mark that is a word of a sentence: は, but not はい. */
const JAPANESE_PARTICLE = /^(?:は(?!い)|[がをのも」、，]|と(?:いう|は|い|の))/;

const OPENS = TAGS.map(({ open }) => open);

function fencesIn(text: string): number {
  return text.split(/```|~~~/).length - 1;
}

function firstOf(
  text: string,
  marks: readonly string[],
): { readonly at: number; readonly mark: string } | undefined {
  const lower = text.toLowerCase();
  let best: { readonly at: number; readonly mark: string } | undefined;
  for (const mark of marks) {
    const at = lower.indexOf(mark);
    if (at >= 0 && (best === undefined || at < best.at)) best = { at, mark };
  }
  return best;
}

/** Returns the length of the text before what may be the beginning of a mark. */
function safeLength(text: string, marks: readonly string[]): number {
  const from = Math.max(0, text.length - MAX_MARK + 1);
  const lower = text.slice(from).toLowerCase();
  for (let at = 0; at < lower.length; at++) {
    if (!MAY_BEGIN.test(lower.charAt(at))) continue;
    const tail = lower.slice(at);
    if (marks.some((mark) => mark.startsWith(tail))) return from + at;
  }
  return text.length;
}
