/** A day or a whole month that a query names; without a year it is that of any year. */
export interface NamedTime {
  readonly year: number | undefined;
  /** From 1. */
  readonly month: number;
  readonly day: number | undefined;
}

const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

const ISO = /\b(?<year>\d{4})-(?<month>\d\d)(?:-(?<day>\d\d))?\b/g;
const JAPANESE = /(?:(?<year>\d{4})年)?(?<month>\d{1,2})月(?:(?<day>\d{1,2})日)?/g;
const ENGLISH = new RegExp(
  String.raw`\b(?:(?<before>in|on|of|since|until|by|before|after|during)\s+)?` +
    String.raw`(?:(?<first>\d{1,2})(?:st|nd|rd|th)?\s+(?:of\s+)?)?` +
    String.raw`(?<name>${MONTHS.join('|')}|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b\.?` +
    String.raw`(?:\s+(?<day>\d{1,2})(?:st|nd|rd|th)?\b)?(?:,?\s+(?<year>\d{4})\b)?`,
  'gi',
);
/** Also words of their own: they name a month only beside what says so. */
const AMBIGUOUS = new Set(['march', 'may', 'mar']);

/** The days and months that a query names, in English, Japanese or as ISO 8601. */
export function namedTimes(query: string): readonly NamedTime[] {
  const text = query.normalize('NFKC');
  const times: NamedTime[] = [];
  for (const pattern of [ISO, JAPANESE]) {
    for (const { groups = {} } of text.matchAll(pattern)) {
      const { year, month, day } = groups;
      times.push({ year: numberOf(year), month: Number(month), day: numberOf(day) });
    }
  }
  for (const { groups = {} } of text.matchAll(ENGLISH)) {
    const { before, first, name = '', day = first, year } = groups;
    const isMonth = before !== undefined || day !== undefined || year !== undefined;
    const small = name.toLowerCase();
    if (AMBIGUOUS.has(small) && !isMonth) continue;
    const month = MONTHS.findIndex((one) => one.startsWith(small.slice(0, 3))) + 1;
    times.push({ year: numberOf(year), month, day: numberOf(day) });
  }
  return times.filter(({ month, day = 1 }) => month >= 1 && month <= 12 && day >= 1 && day <= 31);
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

/** What the score of an event is multiplied by that happened then, or in the month of that day. */
const THEN = 1.4;
const THAT_MONTH = 1.2;

/**
 * What the score of something counts, by when it happened.
 *
 * @param timestamp - UTC with milliseconds.
 */
export function timeFactor(times: readonly NamedTime[], timestamp: string): number {
  if (times.length === 0) return 1;
  const date = new Date(timestamp);
  const factors = times.map(({ year = date.getUTCFullYear(), month, day }) => {
    if (year !== date.getUTCFullYear() || month !== date.getUTCMonth() + 1) return 1;
    return day === undefined || day === date.getUTCDate() ? THEN : THAT_MONTH;
  });
  return Math.max(...factors);
}

/** What {@link timeFactor} is at most. */
export function mostTimeFactor(times: readonly NamedTime[]): number {
  return times.length === 0 ? 1 : THEN;
}
