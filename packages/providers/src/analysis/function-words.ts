/**
 * English words that hold sentences together and say little by themselves; and the most common verbs, but for
 * `go` and `make`, which name tools as well.
 *
 * Source of the verbs: Biber et al., Longman Grammar of Spoken and Written English (1999), section 5.2.1.
 */
export const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  (
    'a about all also am an and any are as at be because been being both but by can could did ' +
    'do does doing each every few for from get got had has have having he her hers him his how ' +
    'i if in into is it its just like many me might more most much must my no not of on or ' +
    'other our out shall she should so some such than that the their them then there these they ' +
    'this those to too up us very was we were what when where which while who whom whose why ' +
    'will with would you your ' +
    'came come comes gave give given gives knew know known knows mean means meant said saw say ' +
    'says see seen sees take taken takes think thinks thought took want wanted wants'
  ).split(' '),
);
