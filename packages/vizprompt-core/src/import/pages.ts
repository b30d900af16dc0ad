import type { JsonObject, JsonValue } from '@vizprompt/providers';
import { isJsonObject } from '@vizprompt/providers/internal';
import { plainOf } from './content.ts';
import { parseNested } from './fields.ts';

/** Checks whether a text is a page of HTML. */
export function isPage(start: string): boolean {
  return /^\s*(?:<!doctype html|<html|<head|<body|<!--)/i.test(start);
}

/**
 * Returns the conversations in a page: the data of ChatGPT's `chat.html`, of a shared link, a chat of Telegram Desktop, or
 * the activity of Gemini as Takeout writes it.
 *
 * @returns `undefined` if there are none; a text is JSON that is still to be split.
 */
export function dataInPage(page: string): string | readonly JsonValue[] | undefined {
  const [marker = ''] = /\bvar jsonData\s*=\s*(?=\[)/.exec(page) ?? [];
  if (marker !== '') return page.slice(page.indexOf(marker) + marker.length);
  const [, next] = /<script id="__NEXT_DATA__"[^<>]*>([^<]*)<\/script>/.exec(page) ?? [];
  const shared = next === undefined ? streamed(page) : parseNested(next);
  if (shared !== undefined) return [shared];
  const chat = chatOfTelegram(page);
  if (chat) return [chat];
  const cells = page.split(/<div class="outer-cell[^<>]*>/).slice(1);
  const activities = cells.flatMap(readActivity);
  return activities.length > 0 ? activities : undefined;
}

/** Returns the strings that a page adds to a stream: each escape would take memory of an expression. */
function streamedTexts(page: string): readonly string[] {
  const texts: string[] = [];
  for (const { 0: call, index } of page.matchAll(/streamController\.enqueue\((?=")/g)) {
    const start = index + call.length;
    const end = endOfString(page, start);
    if (end < 0) break;
    if (page[end] === ')') texts.push(page.slice(start, end));
  }
  return texts;
}

/** Returns the offset after the closing quote of a string of JSON, or -1. */
function endOfString(text: string, quote: number): number {
  for (let at = quote + 1; at < text.length; at++) {
    if (text[at] === '"') return at + 1;
    if (text[at] === '\\') at++;
  }
  return -1;
}

/** Returns the data that the page of a shared link loads from a stream of React Router. */
function streamed(page: string): JsonValue | undefined {
  const written = streamedTexts(page).map(parseNested).filter(isText).join('');
  const flat = parseNested(written.split('\n')[0] ?? '');
  return Array.isArray(flat) ? unflattened(flat) : undefined;
}

function isText(value: JsonValue | undefined): value is string {
  return typeof value === 'string';
}

/** The greatest depth of the data of a page. */
const MAX_DEPTH = 100;

/** Builds a value from a list in which objects and lists name their members by their places. */
function unflattened(flat: readonly JsonValue[]): JsonValue {
  // As many as there are names: a hostile list names one object again and again.
  let left = JSON.stringify(flat).length;
  const at = (place: JsonValue | undefined, depth: number): JsonValue => {
    left -= 1;
    if (typeof place !== 'number' || place < 0 || depth > MAX_DEPTH || left < 0) return null;
    const value = flat[place] ?? null;
    if (Array.isArray(value)) return value.map((each: JsonValue) => at(each, depth + 1));
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => {
        const name = flat[Number(key.replace(/^_/, ''))];
        return [typeof name === 'string' ? name : key, at(member, depth + 1)];
      }),
    );
  };
  return at(0, 0);
}

/** The beginning of a message of Telegram Desktop. */
const TELEGRAM = /<div class="message (default|service)[^"<>]*"(?: id="message(-?\d{1,20})")?>/g;

/** Returns a chat as Telegram Desktop writes it into `messages.html`, in the form of its JSON. Source: `output_html.cpp`. */
function chatOfTelegram(page: string): JsonValue | undefined {
  const starts = [...page.matchAll(TELEGRAM)];
  if (!starts.some(([, kind]) => kind === 'default')) return undefined;
  const name = plainOf(innerOf(page, 'text bold'));
  let speaker = '';
  const messages = starts.flatMap((match, at): JsonObject[] => {
    const [whole, kind, id = ''] = match;
    const html = page.slice(match.index + whole.length, starts[at + 1]?.index);
    // Those with a number below zero are dates.
    if (kind === 'service') {
      const note = plainOf(innerOf(html, 'body details'));
      return id.startsWith('-') ? [] : [{ id, type: 'service', from_id: '', date: '', text: note }];
    }
    // A message without a name is of the speaker before it; what was forwarded has a name of its own.
    const [own = ''] = html.split('<div class="forwarded body">', 1);
    speaker = plainOf(innerOf(own, 'from_name')) || speaker;
    const [, date = ''] = /<div class="[^"<>]*date details" title="([^"<>]*)">/.exec(html) ?? [];
    const [, reply] = /#go_to_message(\d{1,20})"/.exec(html) ?? [];
    const [, file] = /<a class="[^"<>]*" href="([^":<>]{1,500})"/.exec(html) ?? [];
    const [said = '', media = ''] = html.split('<div class="media_wrap', 2).map(String);
    const shown = plainOf(
      media.slice(media.indexOf('>') + 1).split('<div class="text">', 1)[0] ?? '',
    );
    const text = plainOf(innerOf(media === '' ? said : media, 'text'));
    const lines = [shown.replaceAll(/\n\s*/g, '\n'), text].filter((each) => each !== '');
    return [
      {
        id,
        type: 'message',
        from: speaker,
        from_id: speaker,
        date: isoOf(date) ?? date,
        text: lines.join('\n'),
        ...(reply === undefined ? {} : { reply_to_message_id: reply }),
        ...(file === undefined ? {} : { file }),
      },
    ];
  });
  return { name, ...(/bot$/i.test(name) ? { type: 'bot_chat' } : {}), messages };
}

/** Returns what is in the first element of a class, up to its end. */
function innerOf(html: string, name: string): string {
  return between(html, `<div class="${name}">`, '</div>');
}

/** A line with the time of an activity, in the languages of Google: the year, and the time of day with seconds. */
const TIME_LINE = /^(?=.*\b\d{4}\b).{0,40}\b\d{1,2}[:.]\d{2}[:.]\d{2}.{0,20}$|^\d{4}年.{0,40}$/u;

/** Reads one activity as Takeout writes it into its JSON. */
function readActivity(cell: string): JsonValue[] {
  const product = plainOf(between(cell, '<p class="mdl-typography--title">', '</p>'));
  const [, content = ''] =
    /<div class="content-cell[^"<>]*mdl-typography--body-1">(.*?)(?:<\/div>\s*<div class="content-cell|$)/s.exec(
      cell,
    ) ?? [];
  if (!/gemini|bard/i.test(product) || content === '') return [];
  const lines = content.split(/<br\s{0,9}\/?>/i);
  const timeAt = lines.findIndex((line, at) => at > 0 && TIME_LINE.test(plainOf(line)));
  if (timeAt < 0) return [{ header: product, title: plainOf(content), products: [product] }];
  const names = lines.slice(0, timeAt).flatMap((line) => fileIn(line) ?? []);
  const firstFile = lines.findIndex((line) => fileIn(line) !== undefined);
  // The line before the files says how many there are.
  const asked = lines.slice(0, firstFile < 0 ? timeAt : Math.max(1, firstFile - 1));
  const html = lines.slice(timeAt + 1).join('<br>');
  const time = plainOf(lines[timeAt] ?? '');
  return [
    {
      header: product,
      title: asked.map(plainOf).join('\n').trim(),
      time: isoOf(time) ?? time,
      products: [product],
      ...(names.length > 0 ? { attachedFiles: names } : {}),
      ...(plainOf(html) === '' ? {} : { safeHtmlItem: [{ html }] }),
    },
  ];
}

/** Returns what is between two marks, or nothing. */
function between(text: string, start: string, end: string): string {
  const from = text.indexOf(start);
  const to = from < 0 ? -1 : text.indexOf(end, from);
  return to < 0 ? '' : text.slice(from + start.length, to);
}

/** Returns the file that a line links to, in the folder of the export. */
function fileIn(line: string): string | undefined {
  const [, address] =
    /^\s*-?\s*<a href="([^":<>][^":<>]*)">/.exec(line.replaceAll('&nbsp;', ' ')) ?? [];
  return address;
}

/** Hours from UTC by the names that pages use. */
const ZONES: Readonly<Record<string, number>> = {
  UTC: 0,
  GMT: 0,
  JST: 9,
  KST: 9,
  MEZ: 1,
  CET: 1,
  MESZ: 2,
  CEST: 2,
  BST: 1,
  EST: -5,
  EDT: -4,
  CST: -6,
  CDT: -5,
  MST: -7,
  MDT: -6,
  PST: -8,
  PDT: -7,
};

/** Reads `May 1, 2026, 10:00:00 AM UTC`, `01.05.2026, 10:00:00 MESZ` or `2026/05/01 10:00:00 JST`. */
function isoOf(text: string): string | undefined {
  const plain = text.replaceAll(/[\u00a0\u202f]/g, ' ').trim();
  const [, date = '', zone = '', sign = '+', hours = '0', minutes = '0'] =
    /^(.*\d(?: ?[AP]M)?) ?([A-Z]{3,4})?(?:([+-])(\d{1,2}):?(\d{2})?)?$/.exec(plain) ?? [];
  const known = ZONES[zone] ?? (zone === '' ? 0 : undefined);
  if (known === undefined) return undefined;
  const more = Number(hours) + Number(minutes) / 60;
  const offset = known + (sign === '-' ? -more : more);
  const local = date
    .replace(/^(\d{1,2})\.(\d{1,2})\.(\d{4})/, '$3/$2/$1')
    .replace(/^(\d{4})年(\d{1,2})月(\d{1,2})日/, '$1/$2/$3')
    .replace(/^(\d{4})\/(\d{1,2})\/(\d{1,2}),?/, '$1/$2/$3');
  const time = Date.parse(`${local} UTC`);
  return Number.isNaN(time) ? undefined : new Date(time - offset * 3_600_000).toISOString();
}
