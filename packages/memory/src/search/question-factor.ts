import type { TextAnalyzer } from '@vizprompt/providers/text';
import { mostTimeFactor, namedTimes, timeFactor } from './named-times.ts';

/** What is known of an event beside its words. */
export interface RankFacts {
  /** UTC with milliseconds. */
  readonly timestamp: string;
  /** Its `meta` as JSON, if that names a speaker. */
  readonly speakerMeta?: string | null | undefined;
}

/** What the score of an event is multiplied by that was said by somebody whom the query names. */
const SAID_BY = 1.15;

/** What scores are multiplied by for a query. */
export interface QuestionFactor {
  /** For an event with these facts. */
  of(facts: RankFacts): number;
  /** For any event at most; at least it is 1. */
  readonly most: number;
  /** Whether the time of an event counts. Otherwise it is 1 for those that name no speaker. */
  readonly isTimed: boolean;
}

/** What the score of an event is multiplied by: what a query names beside words, such as a day or a speaker. */
export function questionFactor(query: string, analyzer: TextAnalyzer): QuestionFactor {
  const times = namedTimes(query);
  let asked: ReadonlySet<string> | undefined;
  const isAsked = (term: string): boolean => {
    asked ??= new Set(analyzer.analyze(query, 'query').map(({ text }) => text));
    return asked.has(term);
  };
  const known = new Map<string, boolean>();
  const isNamed = (speaker: string): boolean => {
    let named = known.get(speaker);
    if (named === undefined) {
      const terms = analyzer.analyze(speaker, 'query').filter(({ isWeak }) => isWeak !== true);
      named = terms.some(({ text }) => isAsked(text));
      known.set(speaker, named);
    }
    return named;
  };
  return {
    of({ timestamp, speakerMeta }) {
      const speaker = speakerOf(speakerMeta);
      const said = speaker !== undefined && isNamed(speaker) ? SAID_BY : 1;
      return said * timeFactor(times, timestamp);
    },
    most: SAID_BY * mostTimeFactor(times),
    isTimed: times.length > 0,
  };
}

function speakerOf(meta: string | null | undefined): string | undefined {
  if (meta === null || meta === undefined) return undefined;
  const parsed: unknown = JSON.parse(meta);
  const isObject = typeof parsed === 'object' && parsed !== null;
  const speaker: unknown = isObject && 'speaker' in parsed ? parsed.speaker : undefined;
  return typeof speaker === 'string' ? speaker : undefined;
}
