import type { JsonObject } from '@vizprompt/providers';
import { knownRole } from './spellings.ts';

/** How a transcript in one string marks where a message begins, and the marks that end one. */
interface Marks {
  /** Matches the beginning of a message; its first group is the speaker. */
  readonly start: RegExp;
  readonly end?: RegExp;
}

/** The marks of chat templates and of plain transcripts, each at the start of a line or of a token. */
const MARKS: readonly Marks[] = [
  { start: /<\|im_start\|>[ \n]?(\w{1,20})[^\n]{0,200}\n/g, end: /<\|im_end\|>|<\|endoftext\|>/g },
  {
    start: /<\|start_header_id\|> ?(\w{1,20}) ?<\|end_header_id\|>\n*/g,
    end: /<\|eot_id\|>|<\|begin_of_text\|>|<\|end_of_text\|>/g,
  },
  { start: /<start_of_turn> ?(\w{1,20})\n/g, end: /<end_of_turn>|<bos>|<eos>/g },
  { start: /<\|(user|assistant|system)\|>\n?/g, end: /<\/s>|<\|end\|>|<\|endoftext\|>/g },
  { start: /(?:^|\n[ \t]*)(Human|Assistant|H|A|System): ?/g },
  { start: /(?:^|\n)### ?(Human|Assistant|User|System|Instruction|Input|Response):?[ \n]*/g },
  { start: /(?:^|\n)(USER|ASSISTANT|SYSTEM): ?/g, end: /<\/s>/g },
  { start: /(?:^|\n)\[(User|Assistant|System)\]:? ?/g },
];

/** Words of templates for who speaks. */
const SPEAKERS: ReadonlyMap<string, string> = new Map([
  ['h', 'user'],
  ['a', 'assistant'],
  ['instruction', 'user'],
  ['input', 'user'],
]);

/**
 * Splits a transcript that is one string into its messages, such as a row of a data set in the template of a model.
 *
 * @returns `undefined` if it does not hold a question and an answer that are marked.
 */
export function splitTranscript(text: string): readonly JsonObject[] | undefined {
  for (const { start, end } of MARKS) {
    const starts = [...text.matchAll(start)];
    if (starts.length < 2) continue;
    const before = text
      .slice(0, starts[0]?.index)
      .replaceAll(end ?? /$^/g, '')
      .trim();
    const messages = starts.map((match, at): JsonObject => {
      const [whole, speaker = ''] = match;
      const said = text.slice(match.index + whole.length, starts[at + 1]?.index);
      const word = speaker.toLowerCase();
      const content = (end ? said.replaceAll(end, '') : said).trim();
      return { role: knownRole(word) ?? SPEAKERS.get(word) ?? 'system', content };
    });
    const isAsked = messages.some(({ role }) => role === 'user');
    if (!isAsked || !messages.some(({ role }) => role === 'assistant')) continue;
    return before === '' ? messages : [{ role: 'system', content: before }, ...messages];
  }
  return undefined;
}
