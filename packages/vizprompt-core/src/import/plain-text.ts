import type { JsonObject } from '@vizprompt/providers';
import { roleOf } from './spellings.ts';
import { splitTranscript } from './plain-rows.ts';
import { linesOf } from './kakao-talk.ts';

/** A program whose chats are plain text: what its lines look like. */
type Reader = (text: string) => JsonObject | undefined;

const READERS: readonly Reader[] = [
  readAider,
  readMessenger,
  readHeadings,
  readMarks,
  readCopied,
  readLabels,
  readDuck,
  readTerminal,
];

/**
 * Returns the conversation that a plain text is: a log of a program or messenger, a transcript in
 * Markdown, or a chat that was copied from a page or a terminal.
 */
export function readPlainText(text: string): JsonObject | undefined {
  for (const reader of READERS) {
    const found = reader(text.replace(/^\ufeff/, '').replaceAll(/\r\n?/g, '\n'));
    if (found) return found;
  }
  return undefined;
}

/** Reads `.aider.chat.history.md`: prompts are headings of the fourth level, what Aider says is quoted. */
function readAider(text: string): JsonObject | undefined {
  const sessions = text.split(/^# aider chat started at (.*)$/m);
  if (sessions.length < 3) return undefined;
  const conversations: JsonObject[] = [];
  for (let at = 1; at < sessions.length; at += 2) {
    const [started = '', session = ''] = sessions.slice(at, at + 2);
    const created_at = `${started.trim().replace(' ', 'T')}Z`;
    const messages = aiderMessages(session);
    const [, model] = /^> (?:Main )?[Mm]odel: (\S\S*)/m.exec(session) ?? [];
    const about = model === undefined ? {} : { model };
    if (messages.length > 0)
      conversations.push({ id: `aider/${started.trim()}`, created_at, ...about, messages });
  }
  return conversations.length > 0 ? { conversations } : undefined;
}

function aiderMessages(session: string): JsonObject[] {
  const messages: { role: string; lines: string[] }[] = [];
  for (const line of session.split('\n')) {
    const role = line.startsWith('#### ') ? 'user' : line.startsWith('> ') ? 'tool' : 'assistant';
    const said = role === 'user' ? line.slice(5) : role === 'tool' ? line.slice(2) : line;
    const last = messages.at(-1);
    // A blank line between two of one kind belongs to them.
    if (last && (last.role === role || line.trim() === '')) last.lines.push(said.trimEnd());
    else if (line.trim() !== '') messages.push({ role, lines: [said.trimEnd()] });
  }
  return messages
    .map(({ role, lines }) => ({
      role: role === 'tool' ? 'system' : role,
      content: lines.join('\n').trim(),
    }))
    .filter(({ content }) => content !== '');
}

/** The beginnings of messages of WhatsApp, on Android and iOS: the time, a name, and what was said. */
const WHATSAPP =
  /^\u200e?(?:\[(?=[^\]]*\] )|(?=[^\n]{8,30}\s-\s))(\d{1,4}[./-]\d{1,2}[./-]\d{1,4},?\s\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?:\s?[AaPp]\.?\s?[Mm]\.?)?)\]?(?:\s-)?\s(?:([^:\n]{1,60}): )?(.*)$/;

/** The days and the messages of LINE. */
const LINE_DAY =
  /^(?:[A-Z][a-z]{2}, )?(\d{4}[./]\d{1,2}[./]\d{1,2}|\d{1,2}\/\d{1,2}\/\d{4})(?:\s?[(（]?.{1,3}[)）]?)?$/;
const LINE_SAID =
  /^((?:午前|午後|오전|오후|AM|PM)?\s?\d{1,2}:\d{2}(?:\s?[AP]M)?)\t([^\t]*)\t?(.*)$/;

function readMessenger(text: string): JsonObject | undefined {
  const lines = linesOf(text);
  const isLine =
    lines.some((line) => LINE_DAY.test(line)) && lines.some((line) => LINE_SAID.test(line));
  const messages: { saidAt: string; saidBy: string; text: string }[] = [];
  const first = lines.find((line) => line.trim() !== '') ?? '';
  if (!isLine && !WHATSAPP.test(first)) return undefined;
  let [day, isQuoted]: [string, boolean] = ['', false];
  for (const line of lines) {
    const [, newDay] = isLine ? (LINE_DAY.exec(line) ?? []) : [];
    const match = (isLine ? LINE_SAID : WHATSAPP).exec(line.replaceAll('\u202f', ' '));
    const last = messages.at(-1);
    if (newDay !== undefined) day = newDay.replaceAll('.', '/');
    else if (match) {
      const [, time = '', name = '', said = ''] = match;
      isQuoted = isLine && said.startsWith('"') && !/^"[^]*"$/.test(said);
      const saidAt = isLine ? `${day} ${time}` : time;
      messages.push({ saidAt, saidBy: name, text: isQuoted ? said.slice(1) : said });
    } else if (last && (line !== '' || isQuoted || !isLine)) {
      const isEnd: boolean = isQuoted && line.endsWith('"');
      last.text += `\n${isEnd ? line.slice(0, -1) : line}`;
      isQuoted &&= !isEnd;
    }
  }
  // A day beyond the twelfth shows that the month comes first.
  const isMonthFirst = messages.some(({ saidAt }) => {
    return Number(/^\d{1,2}[./-](\d{1,2})/.exec(saidAt)?.[1]) > 12;
  });
  const said = messages.map((each) => ({
    ...each,
    saidAt: dateOf(each.saidAt, isMonthFirst),
    text: each.text.trim(),
  }));
  const people = new Set(said.map(({ saidBy }) => saidBy).filter((name) => name !== ''));
  if (said.length < 2 || people.size === 0) return undefined;
  const [, title] = /^\[LINE\] ?(.*?)(?:とのトーク履歴|のトーク履歴|$)/.exec(first) ?? [];
  return { name: title ?? [...people].slice(0, 3).join(', '), messages: said };
}

/** Returns a date of a messenger with the year first; the month or the day leads, as the other messages show. */
function dateOf(text: string, isMonthFirst: boolean): string {
  const [, a = '', b = '', c = '', rest = ''] =
    /^(\d{1,4})[./-](\d{1,2})[./-](\d{1,4}),?\s(.*)$/.exec(text) ?? [];
  if (a === '') return text;
  const isPm = /午後|오후|p\.?\s?m/i.test(rest);
  const [, hours = '0', minutes = '00', seconds = '00'] =
    /(\d{1,2})[:.](\d{2})(?:[:.](\d{2}))?/.exec(rest) ?? [];
  const isTwelve = /午前|午後|오전|오후|[ap]\.?\s?m/i.test(rest);
  const hour = isTwelve ? (Number(hours) % 12) + (isPm ? 12 : 0) : Number(hours);
  const year = a.length === 4 ? a : c.length === 2 ? `20${c}` : c;
  const [month, date] = a.length === 4 ? [b, c] : isMonthFirst ? [a, b] : [b, a];
  const two = (value: number | string): string => String(value).padStart(2, '0');
  return `${year}-${two(month)}-${two(date)}T${two(hour)}:${minutes}:${seconds}Z`;
}

/** Words for those who speak, and others that are so only as a heading. */
const PEOPLE =
  'user|human|you|me|assistant|chatgpt|claude|gemini|copilot|deepseek|grok|ai|bot|' +
  'ユーザー|あなた|アシスタント|用户|助手';
/** Programs whose names are also other things: they speak only where they are in bold. */
const PROGRAMS = 'cursor|cascade|kiro';
const HEADS = 'user input|prompt|model|agent|(?:planner )?response|answer|system';

/** A heading or a bold line that is a speaker alone, or with a time in parentheses; after a colon that would have been said. */
const HEADING = new RegExp(
  `^(?:#{1,6}[ \\t]*|\\*\\*)(?:role:[ \\t]*)?(?:[^\\p{L}\\p{N}_\\s]{1,4}[ \\t]*)?(${PEOPLE}|${HEADS}|(?<=^\\*\\*[^\\n]{0,8})(?:${PROGRAMS}))(?![\\p{L}\\p{N}_])(?: said)?` +
    `(?:(?:[^\\S\\n\\r\\u2028\\u2029]*[([—–|·-].{0,60})?[:：]?(?:\\*\\*:?)?|\\*\\*[ \\t]*\\([^()\\n]{0,40}\\d:\\d\\d[^()\\n]{0,20}\\))[ \\t]*$`,
  'gimu',
);

/** A line above what was said, as it is copied from the page of a chat. */
const SAID =
  /^(you|chatgpt|claude|gemini|copilot|grok|deepseek)(?: said| の発言)[:：][ \t]*$|^(あなた)の発言[:：][ \t]*$/gim;

/** The same, or a name alone. */
const NAMED =
  /^(you|chatgpt|claude|gemini|copilot|grok|deepseek)(?: said| の発言)?[:：][ \t]*$|^(あなた)(?:の発言)?[:：][ \t]*$/gim;

/** A speaker in bold at the start of the line that has the words. */
const SPEAKER = new RegExp(
  `^\\*\\*(?:[^\\p{L}\\p{N}_\\s]{1,4}[ \\t]*)?(${PEOPLE}|${PROGRAMS})(?:[:：]\\*\\*|\\*\\*[:：])[ \\t][ \\t]*(?=\\S)`,
  'gimu',
);

/** Reads Markdown with a heading for each speaker, or each in bold, as many programs export it. */
function readHeadings(text: string): JsonObject | undefined {
  for (const speaker of [HEADING, SPEAKER, SAID]) {
    const found = readSpeakers(text, speaker);
    if (found) return found;
  }
  // Lines with a name alone are in other texts, too: a page that was copied begins with one.
  return text.trimStart().search(NAMED) === 0 ? readSpeakers(text, NAMED) : undefined;
}

function readSpeakers(text: string, speaker: RegExp): JsonObject | undefined {
  const starts = [...text.matchAll(speaker)];
  const messages = starts.map((match, at) => {
    const [whole, ...words] = match;
    const word = words.find((each) => each !== undefined) ?? '';
    const said = text.slice(match.index + whole.length, starts[at + 1]?.index);
    return {
      // The word itself: the id of the conversation depends on it.
      role: word.toLowerCase(),
      content: said
        .trim()
        .replace(/\n\n*(?:-{3}-*|\*{3}\**)$/, '')
        .trim(),
    };
  });
  const isAsked = messages.some(({ role }) => roleOf(role) === 'user');
  const isAnswered = messages.some(({ role }) => roleOf(role) === 'assistant');
  if (!isAsked || !isAnswered) return undefined;
  const before = text.slice(0, starts[0]?.index).trim();
  const [, title] = /^#\s\s*(..*)$/m.exec(before) ?? [];
  const rest = before
    .replace(/^#\s\s*..*$/m, '')
    .replaceAll(/^-{3}-*$/gm, '')
    .trim();
  return {
    ...(title === undefined ? {} : { title: title.trim() }),
    messages: [...(rest === '' ? [] : [{ role: 'system', content: rest }]), ...messages],
  };
}

/** How a page says that the user said something, in the languages of ChatGPT and Gemini. */
const YOU_SAID =
  'you said|du hast gesagt|sie (?:sagten|haben gesagt)|vous avez dit|tu as dit|has dicho|usted ha dicho|dijiste|' +
  'hai detto|você disse|je zei|вы сказали|あなた(?:は|が)言いました|あなたのプロンプト|[你您][说說]|나의 말';
const IT_SAID =
  'said|hat gesagt|sagte|a dit|ha dicho|dijo|ha detto|disse|zei|сказал|は言いました|が言いました|[说說]|의 말|の(?:返答|回答)';
const MODELS = 'chatgpt|gemini|claude|copilot|grok|deepseek|perplexity|le chat|meta ai|kimi|qwen';

/** A line above what was said, with the version of the model in it: `ChatGPT 5 Thinking said:`. */
const COPIED = new RegExp(
  `^(?:(?<user>${YOU_SAID})|(?:o )?(?<assistant>${MODELS})(?: [\\w.-]{1,12}){0,3} ?(?:${IT_SAID}))[ \\t\\u00a0]?[:：]?[ \\t]*$`,
  'gimu',
);

/** Reads a chat that was copied from its page. */
function readCopied(text: string): JsonObject | undefined {
  return readNamed(text, COPIED);
}

const ASKERS = 'user|human|you|me|q|question|ユーザー?|あなた|私|僕|自分|質問|問|用户|我';
const ANSWERERS = `assistant|ai|bot|a|answer|${MODELS}|アシスタント|回答|答え?|助手`;
const SIDES = `(?:(?<user>${ASKERS})|(?<assistant>${ANSWERERS}))`;

/** A time before a label. */
const STAMP =
  '^(?:\\[[\\d:./ -]{4,25}\\][ \\t]?|\\d{4}-\\d\\d-\\d\\d[T ][\\d:.]{4,15}(?:Z|[+-][\\d:]{4,5})?[ \\t])';

const TIMED = new RegExp(STAMP);

/** A label before what was said, or above it: `[10:00] You: …`, `**AI**：…`, `【質問】`, `■回答`, `Q. …`, `Claude`. */
const LABEL = new RegExp(
  `${STAMP}?(?:` +
    `(?:\\*\\*|__|_)?${SIDES}(?:\\*\\*|__|_)?[ \\t]?[:：](?:\\*\\*|__|_)?[ \\t\\u00a0\\u3000]*` +
    `|[【［[■●◆▼]${SIDES.replaceAll('?<', '?<in_')}[】］\\]]?[ \\t]*$` +
    `|(?<alone_user>you|user|あなた)[ \\t]*$|(?<alone_assistant>assistant|${MODELS})[ \\t]*$)`,
  'gimu',
);

/** Reads a chat with a label for each side. Such lines are in other texts, too: this one begins with one of them. */
function readLabels(text: string): JsonObject | undefined {
  const wide = text.trimStart().replaceAll(/^[ＱＡ](?=[：:])/gm, (each) => each.normalize('NFKC'));
  return wide.search(LABEL) === 0 ? readNamed(wide, LABEL, labelsOf) : undefined;
}

/** Labels that are of one kind: a question has an answer, and a speaker another speaker. */
const ASKED = /(?:^|[^\p{L}])(?:q|question|a|answer|質問|問|回答|答え?)(?:$|[^\p{L}])/iu;

/** A label, without blanks and in lower case; its dress is what is around the word. */
interface Label {
  readonly match: RegExpExecArray;
  readonly label: string;
  readonly side: 'user' | 'assistant';
  readonly dress: string;
}

/**
 * Returns the labels that are written as the first, and those of who answers. Others are words of what was said: an
 * answer may have lines such as `Answer: 42` and `Q: …`.
 */
function labelsOf(starts: readonly RegExpExecArray[]): readonly RegExpExecArray[] {
  const labels = starts.map((match): Label => {
    const written = match[0].replace(TIMED, '').replace('：', ':').trim();
    const isTimed = !match[0].replace('：', ':').startsWith(written);
    const word = Object.values(match.groups ?? {}).find((each) => each !== undefined) ?? '';
    const label = bareOf(written);
    const dress = `${isTimed} ${label.replace(bareOf(word), '')}`;
    return { match, label, side: sideOf(match), dress };
  });
  const [first] = labels;
  if (!first) return [];
  const turns: Label[][] = [];
  for (const each of labels.filter(({ dress }) => dress === first.dress)) {
    if (each.label === first.label) turns.push([each]);
    else if (each.side !== first.side) turns.at(-1)?.push(each);
  }
  const uses = new Map<string, number>();
  for (const [, ...answers] of turns) {
    for (const label of new Set(answers.map((each) => each.label)))
      uses.set(label, (uses.get(label) ?? 0) + 1);
  }
  const isAsked = ASKED.test(first.label);
  // The label that most turns have, of one kind with the first if as many have others.
  const rankOf = ([label, count]: readonly [string, number]): number =>
    count * 2 + (ASKED.test(label) === isAsked ? 1 : 0);
  const [other] = [...uses].toSorted((one, two) => rankOf(two) - rankOf(one));
  const isEither = isAsked || ASKED.test(other?.[0] ?? '');
  // The model may change: a turn without that label has another.
  return turns.flatMap(([asker, ...answers]) => {
    const by =
      answers.find(({ label }) => label === other?.[0]) ??
      answers.find(({ label }) => isEither || !ASKED.test(label));
    const said = answers.filter(({ label }) => label === by?.label);
    return [...(asker ? [asker] : []), ...said].map(({ match }) => match);
  });
}

function bareOf(text: string): string {
  return text.replaceAll(/\s/g, '').toLowerCase();
}

function sideOf({ groups = {} }: RegExpExecArray): 'user' | 'assistant' {
  const named = Object.entries(groups).find(([, word]) => word !== undefined);
  return named?.[0].endsWith('user') ? 'user' : 'assistant';
}

/** A block of code. */
const FENCE = /^[ \t]*```[^\n]*\n(?:(?![ \t]*```)[^\n]*\n)*[ \t]*```/gm;

/**
 * Splits a text where an expression finds who speaks, by the name of its group; not within code.
 *
 * @param choose - Returns those of the places that it splits at. Default: all.
 */
function readNamed(
  text: string,
  speaker: RegExp,
  choose = (found: readonly RegExpExecArray[]): readonly RegExpExecArray[] => found,
): JsonObject | undefined {
  const starts = choose(outside([...text.matchAll(FENCE)], [...text.matchAll(speaker)]));
  const messages = starts.map((match, at): JsonObject => {
    const said = text.slice(match.index + match[0].length, starts[at + 1]?.index);
    return { role: sideOf(match), content: said.trim() };
  });
  const roles = new Set(messages.map(({ role }) => role));
  if (roles.size < 2) return undefined;
  const before = text.slice(0, starts[0]?.index).trim();
  return {
    messages: [...(before === '' ? [] : [{ role: 'system', content: before }]), ...messages],
  };
}

/** Returns what was found that begins in none of the blocks; both are in their order. */
function outside(
  blocks: readonly RegExpExecArray[],
  found: readonly RegExpExecArray[],
): readonly RegExpExecArray[] {
  let at = 0;
  const endOf = (block: RegExpExecArray): number => block.index + block[0].length;
  return found.filter(({ index }) => {
    for (let block = blocks[at]; block && endOf(block) <= index; block = blocks[at]) at++;
    return (blocks[at]?.index ?? Infinity) > index;
  });
}

/** A line of Duck.ai that may have the name of the model, after which its answer begins. */
const DUCK_LINE = /\n\n(\S[^\n:]{1,40}):(?=\n)/g;

/** Names of models of Duck.ai. */
const DUCK_MODELS =
  /^(?:gpt|claude|llama|mistral|mixtral|gemini|gemma|qwen|deepseek|o\d)(?![a-z])/i;

/** Reads an export of Duck.ai: each prompt has a number, and the answer the name of its model. */
function readDuck(text: string): JsonObject | undefined {
  const [before = '', ...turns] = text.split(/^User prompt \d{1,4} of \d{1,4}[^\n]*:\n/m);
  const lines = turns.map((turn) => [...turn.matchAll(DUCK_LINE)]);
  const uses = new Map<string, number>();
  for (const found of lines) {
    for (const name of new Set(found.map(nameIn))) uses.set(name, (uses.get(name) ?? 0) + 1);
  }
  // Prompts and answers have such lines, too: the name of a model, which has a digit, is the likeliest, then another
  // with a digit, then the one that most turns have.
  const rankOf = (line: RegExpExecArray): number => {
    const name = nameIn(line);
    const likely = !/\d/.test(name) ? 0 : DUCK_MODELS.test(name) ? 2 : 1;
    return likely * (turns.length + 1) + (uses.get(name) ?? 0);
  };
  const messages = turns.flatMap((turn, at): JsonObject[] => {
    const [line] = (lines[at] ?? []).toSorted((one, other) => rankOf(other) - rankOf(one));
    if (!line) return [{ role: 'user', content: withoutRule(turn).trim() }];
    const answer = withoutRule(turn.slice(line.index + line[0].length));
    return [
      { role: 'user', content: turn.slice(0, line.index).trim() },
      { role: 'assistant', model: nameIn(line), content: answer.trim() },
    ];
  });
  return messages.length > 0
    ? { messages: [{ role: 'system', content: withoutRule(before) }, ...messages] }
    : undefined;
}

function nameIn([, name = '']: RegExpExecArray): string {
  return name;
}

/** Removes the rule at the end of a text. */
function withoutRule(text: string): string {
  return text
    .trimEnd()
    .replace(/\n(?:={5}=*|-{5}-*)$/, '')
    .trimEnd();
}

/** A prompt, and what Claude Code says or does, in its terminal. */
const TERMINAL = /^(?:(?<user>[>❯])|(?<assistant>⏺|●)) (?=\S)/gm;

function readTerminal(text: string): JsonObject | undefined {
  return /^⏺ /m.test(text) ? readNamed(text, TERMINAL) : undefined;
}

function readMarks(text: string): JsonObject | undefined {
  const messages = splitTranscript(text);
  return messages && { messages: [...messages] };
}
