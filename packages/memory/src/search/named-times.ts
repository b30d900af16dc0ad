/** A day or a whole month that a query names; without a year it is that of any year. */
export interface NamedTime {
  readonly year: number | undefined;
  /** From 1. */
  readonly month: number;
  readonly day: number | undefined;
  /** True if the requested time begins or ends with it (`since May`, `5月まで`). Absent: it is within it. */
  readonly bound?: 'first' | 'last';
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

/** Words before or after a time that make it the first or the last. */
const BOUNDS: Readonly<Record<string, 'first' | 'last'>> = {
  since: 'first',
  after: 'first',
  until: 'last',
  till: 'last',
  by: 'last',
  before: 'last',
  から: 'first',
  以来: 'first',
  以降: 'first',
  まで: 'last',
  以前: 'last',
};
const BOUND = String.raw`\b(?<before>since|after|until|till|by|before)\s+`;
const ISO = new RegExp(
  String.raw`(?:${BOUND})?\b(?<year>\d{4})-(?<month>\d\d)(?:-(?<day>\d\d))?\b`,
  'gi',
);
const JAPANESE =
  /(?:(?<year>\d{4})年)?(?<month>\d{1,2})月(?:(?<day>\d{1,2})日)?(?<behind>から|以来|以降|まで|以前)?/g;
const ENGLISH = new RegExp(
  String.raw`\b(?:(?<before>in|on|of|during|since|after|until|till|by|before)\s+)?` +
    String.raw`(?:(?<first>\d{1,2})(?:st|nd|rd|th)?\s+(?:of\s+)?)?` +
    String.raw`(?<name>${MONTHS.join('|')}|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b\.?` +
    String.raw`(?:\s+(?<day>\d{1,2})(?:st|nd|rd|th)?\b)?(?:,?\s+(?<year>\d{4})\b)?`,
  'gi',
);
/** Also words of their own: they name a month only next to what says so. */
const AMBIGUOUS = new Set(['march', 'may', 'mar']);

/** Returns the days and months that a query names, in English, Japanese or as ISO 8601. */
export function namedTimes(query: string): readonly NamedTime[] {
  const text = query.normalize('NFKC');
  const times: NamedTime[] = [];
  for (const pattern of [ISO, JAPANESE]) {
    for (const { groups = {} } of text.matchAll(pattern)) {
      const { year, month, day, before, behind = before } = groups;
      const time = { year: numberOf(year), month: Number(month), day: numberOf(day) };
      times.push({ ...time, ...boundOf(behind) });
    }
  }
  for (const { groups = {} } of text.matchAll(ENGLISH)) {
    const { before, first, name = '', day = first, year } = groups;
    const isMonth = before !== undefined || day !== undefined || year !== undefined;
    const small = name.toLowerCase();
    if (AMBIGUOUS.has(small) && !isMonth) continue;
    const month = MONTHS.findIndex((one) => one.startsWith(small.slice(0, 3))) + 1;
    times.push({ year: numberOf(year), month, day: numberOf(day), ...boundOf(before) });
  }
  return times.filter(({ month, day = 1 }) => month >= 1 && month <= 12 && day >= 1 && day <= 31);
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

function boundOf(word = ''): Pick<NamedTime, 'bound'> {
  const bound = BOUNDS[word.toLowerCase()];
  return bound === undefined ? {} : { bound };
}

/** Multiplies the score of an event on the day, or in the month, that is named. */
const THAT_DAY = 4;
const THAT_MONTH = 3;
/** In the days after a day that is named: `yesterday` and `last week` speak of it. */
const SOON_AFTER = 3;
const SOON_DAYS = 7;
/** Else in the month of a day that is named, or since or until that day. */
const ITS_MONTH = 1.7;
const MS_A_DAY = 86_400_000;

/**
 * Returns the factor of a score, by the time of the event.
 *
 * @param timestamp - UTC with milliseconds.
 */
export function timeFactor(times: readonly NamedTime[], timestamp: string): number {
  if (times.length === 0) return 1;
  const date = new Date(timestamp);
  return Math.max(spanFactor(times, date), ...times.map((time) => nearness(time, date)));
}

/** Returns the factor for all events since or until then. */
function spanFactor(times: readonly NamedTime[], date: Date): number {
  const bounds = times.filter(({ bound }) => bound !== undefined);
  if (bounds.length === 0 || !bounds.every((time) => keeps(time, date))) return 1;
  return bounds.some(({ day }) => day === undefined) ? THAT_MONTH : ITS_MONTH;
}

/** Checks whether a date is not before the first time, or not after the last one. */
function keeps({ year, month, day, bound }: NamedTime, date: Date): boolean {
  const of = year ?? date.getUTCFullYear();
  if (bound === 'first') return date.getTime() >= Date.UTC(of, month - 1, day ?? 1);
  const end = day === undefined ? Date.UTC(of, month, 1) : Date.UTC(of, month - 1, day + 1);
  return date.getTime() < end;
}

/** Returns how near a date is to a time. A query for `the week before 3 August` means days near that one, too. */
function nearness({ year, month, day, bound }: NamedTime, date: Date): number {
  const of = year ?? date.getUTCFullYear();
  const isMonth = of === date.getUTCFullYear() && month === date.getUTCMonth() + 1;
  if (day === undefined) return isMonth && bound === undefined ? THAT_MONTH : 1;
  const days = Math.floor((date.getTime() - Date.UTC(of, month - 1, day)) / MS_A_DAY);
  if (days === 0) return THAT_DAY;
  if (days > 0 && days <= SOON_DAYS) return SOON_AFTER;
  return isMonth ? ITS_MONTH : 1;
}

/** Returns the largest value of {@link timeFactor}. */
export function mostTimeFactor(times: readonly NamedTime[]): number {
  return times.length === 0 ? 1 : THAT_DAY;
}
