/** English words that hold sentences together and say little by themselves. */
export const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  (
    'a about all also am an and any are as at be because been being but by can could did do does doing for ' +
    'from get got had has have having he her hers him his how i if in into is it its just like me more my ' +
    'no not of on or our out she should so some such than that the their them then there these they this ' +
    'those to too up us very was we were what when where which while who whom whose why will with would ' +
    'you your'
  ).split(' '),
);
