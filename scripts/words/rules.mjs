// The forms that the project does not use, each with better ones. `examples/test/unit/words.test.ts` runs `banned` and
// `fine` of each rule, so a rule says by example how far it goes.

/** Matches the beginning of a sentence: of the comment, or after the end of another sentence. */
const SENTENCE = String.raw`(?:^\s*|[.!?:]\s+)`;

export const RULES = [
  {
    name: 'what',
    pattern: new RegExp(
      String.raw`${SENTENCE}(?:What|Whatever)(?! is new\b)\b(?![^.!:]*\?)(?!['’]s\b)`,
    ),
    say: 'a verb (Returns, Reads, Lists) or the noun itself',
    banned: [
      'What a store needs.',
      'Ends. What is open stays so.',
      'Whatever fails is tried again.',
    ],
    fine: ['Returns what a store needs.', 'What does it cost? Nothing.', 'Somewhat slower.'],
  },
  {
    name: 'whether',
    pattern: new RegExp(String.raw`${SENTENCE}Whether\b`),
    say: 'Checks whether; for a value: True if',
    banned: ['Whether a lock is held.', 'Reads it. Whether it is new is not asked.'],
    fine: ['Checks whether a lock is held.', 'True if a lock is held.'],
  },
  {
    name: 'who',
    pattern: new RegExp(String.raw`${SENTENCE}(?:Who|Whose)\b(?![^.!:]*\?)`),
    say: 'the caller, the process, a verb',
    banned: ['Who waits for a lock.', 'It ends. Who asks gets an error.'],
    fine: ['Callers that wait for a lock.', 'Who said it? The speaker.'],
  },
  {
    name: 'whoever',
    pattern: /\b(?:whoever|whomever|who asks|who calls)\b/i,
    say: 'the caller, any caller, the process that',
    banned: ['Whoever opens a storage closes it.', 'It is tried again by who asks next.'],
    fine: ['The caller that opens a storage closes it.'],
  },
  {
    name: 'somebody',
    pattern: /\b(?:somebody|nobody|anybody|everybody)\b/i,
    say: 'a person, someone, another process, no caller, all participants',
    banned: ['a lock that somebody else holds', 'nobody reads it', 'heard by everybody'],
    fine: ['a lock that another process holds', 'no caller reads it'],
  },
  {
    name: 'tell',
    pattern: /\b(?:tells?|told)\b/i,
    say: 'emit, report, notify; says; for a model: instruct, receive; tell apart: distinguish',
    banned: [
      'Listeners are told.',
      'The report tells how.',
      'to tell an agent',
      'told apart by kind',
    ],
    fine: ['Listeners are notified.', 'to distinguish them', 'an intelligent teller'],
  },
  {
    name: 'hear of',
    pattern: /\bhears? of\b/i,
    say: 'receives, is notified of',
    banned: ['Hears of calls that fail.'],
    fine: ['Receives calls that fail.'],
  },
  {
    name: 'of',
    pattern: new RegExp(String.raw`${SENTENCE}Of (?!course\b)[a-z]`),
    say: 'the subject first: The newest of several files counts',
    banned: ['Of a thought.', 'It ends. Of several files the newest counts.'],
    fine: ['The subject of a thought.', 'Of course it ends.'],
  },
  {
    name: 'that is none',
    pattern: /\bthat (?:is|are|was|were) none\b/i,
    say: 'an invalid one, another one',
    banned: ['a time that is none', 'files that are none of the others'],
    fine: ['an invalid time', 'that is nonexistent'],
  },
  {
    name: 'the one of',
    pattern: /\bthe ones? of\b(?! (?:several|these|its))|\bof them that\b/i,
    say: 'that of, or the noun again',
    banned: ['Default: the one of the request.', 'files, and lines of them that end'],
    fine: ['Default: that of the request.', 'the one of these that fits'],
  },
  {
    name: 'way out',
    pattern: /\bways? out\b/i,
    say: 'hint, fix',
    banned: ['the place and the way out'],
    fine: ['the place and the fix'],
  },
  {
    name: 'stand',
    pattern: /\b(?:stands?|stood)\b(?!-)/i,
    say: 'is, appears, is stored in, replaces',
    banned: ['the text stands in a file', 'names, as they stand'],
    fine: ['the text is stored in a file', 'a standby', 'understands', 'a stand-in'],
  },
  {
    name: 'anew',
    pattern: /\banew\b/i,
    say: 'again, rebuilt, recreated',
    banned: ['The index is made anew.'],
    fine: ['The index is rebuilt.', 'a new one'],
  },
  {
    name: 'so many',
    pattern:
      /\b(?:so (?:many|much)\b(?! that)|as (?:many|much) as (?:it|they|there) (?:may|can) be)/i,
    say: 'up to N, at most N, this many',
    banned: ['After so many bytes it ends.', 'for so much text'],
    fine: ['After this many bytes it ends.', 'so many that they do not fit'],
  },
  {
    name: 'of another',
    pattern: /\b(?:is|are|was|were) of another\b/i,
    say: 'belongs to another',
    banned: ['the file is of another project'],
    fine: ['the file belongs to another project', 'a row of another project'],
  },
  {
    name: 'go on',
    pattern: /\b(?:go|goes|going|went|gone) on\b/i,
    say: 'continue, resume, proceed',
    banned: ['The run goes on after a crash.', 'it went on from there'],
    fine: ['The run continues after a crash.', 'the ongoing run'],
  },
  {
    name: 'to be had',
    pattern: /\bto be had\b/i,
    say: 'is available',
    banned: ['the lock is to be had'],
    fine: ['the lock is available'],
  },
  {
    name: 'in the place of',
    pattern: /\bin the place of\b/i,
    say: 'instead of, in place of',
    banned: ['a link in the place of the marker'],
    fine: ['a link instead of the marker'],
  },
  {
    name: 'under way',
    pattern: /\bunder way\b/i,
    say: 'in progress, pending',
    banned: ['Calls that are under way.'],
    fine: ['Pending calls.', 'an underway sentinel'],
  },
  {
    name: 'mend',
    pattern: /\b(?:mend(?:s|ed|ing)?|heal(?:s|ed|ing)?)\b/i,
    say: 'fix, repair',
    banned: ['the index is mended', 'it heals the files'],
    fine: ['the index is repaired', 'health checks', 'an amended rule'],
  },
  {
    name: 'torn',
    pattern: /\btorn\b/i,
    say: 'truncated, corrupt, partial',
    banned: ['a torn file'],
    fine: ['a truncated file'],
  },
  {
    name: 'beside',
    pattern: /\bbeside\b/i,
    say: 'next to, alongside, besides',
    banned: ['files beside the database'],
    fine: ['files next to the database', 'besides the database'],
  },
  {
    name: 'behind',
    pattern:
      /(?<!\b(?:leaves?|leaving|left|stays?|lags?)[ ,](?:[\w'’,]+\s+){0,9})\bbehind\b(?! (?:an? |the |its |your |their |this )?(?:\w+ )?(?:prox|pooler|pgbouncer|firewall|load|gateway|nat\b|router|primary|flag|link))/i,
    say: 'after, past, below',
    banned: ['the text behind the border', 'what stands behind'],
    fine: ['behind a proxy', 'behind PgBouncer', 'behind a reverse proxy', 'after the border'],
  },
  {
    name: 'lie in',
    pattern: /\b(?:lies|lay|lie) (?:in|on|under|there|beside|within|at)\b/i,
    say: 'is stored in, is in, is under',
    banned: ['the file lies in a folder', 'they lie under a name'],
    fine: ['the file is in a folder', 'rely on it'],
  },
  {
    name: 'taken out',
    pattern: /\b(?:take|takes|taken|took|taking) (?:out|off)\b/i,
    say: 'removed, stripped',
    banned: ['its name is taken off'],
    fine: ['its name is removed'],
  },
  {
    name: 'by itself',
    pattern: /\bby itself\b/i,
    say: 'automatically, alone, on its own',
    banned: ['It ends by itself.'],
    fine: ['It ends automatically.'],
  },
  {
    name: 'is left',
    pattern:
      /\b(?:is|are|was|were|be|been) left (?!alone\b|as\b|for\b|over\b|un|with\b|where\b|out\b|to\b|open\b|undefined\b|empty\b|behind\b)/i,
    say: 'remains, is abandoned, timed out',
    banned: ['what is left of the text', 'the hook was left after 900 ms'],
    fine: ['the rest of the text', 'it is left out', 'the file is left as it is'],
  },
];

/**
 * Finds the forms in a comment or a paragraph, with the offset of each, also over the end of a line. Code between backticks
 * is passed over.
 */
export function bannedIn(text) {
  const prose = text
    .replaceAll(/(`+)[^`]+\1/g, (code) => '`'.repeat(code.length))
    .replaceAll('\n', ' ');
  return RULES.flatMap((rule) => {
    const all = new RegExp(rule.pattern, `${rule.pattern.flags}g`);
    return [...prose.matchAll(all)].map((match) => {
      // The word itself, past the end of the sentence before.
      const found = /\S+\s*$/.exec(match[0].trimStart())?.[0] ?? match[0];
      return { rule, at: match.index + match[0].length - found.length, found: found.trim() };
    });
  });
}
