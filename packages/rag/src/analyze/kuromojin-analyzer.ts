import type * as Kuromojin from 'kuromojin';
import { exportsOf, toPeerError } from '@vizprompt/providers/internal';
import { RagError } from '../errors.ts';
import { morphologicalAnalyzer, type MorphologicalAnalyzer } from './morphological-analyzer.ts';
import type { Morpheme } from './analyzer.ts';
import { piecesOf } from './lattice.ts';

/**
 * Returns the same analyzer on kuromojin itself, to compare with: it takes 300 MB and a second to load, and
 * its time grows with the square of a sentence's length. It knows neither all readings of a word
 * (`readings` gives the one that it would read) nor other spellings.
 *
 * @throws PeerError if the package kuromojin is not installed.
 * @throws RagError with the code `dictionary-failed` if kuromojin cannot load its dictionary.
 */
export async function kuromojinAnalyzer(): Promise<MorphologicalAnalyzer> {
  const { getTokenizer } = await loadKuromojin();
  const tokenizer = await getTokenizer().catch((cause: unknown) => {
    throw new RagError('dictionary-failed', 'kuromojin cannot load its dictionary', { cause });
  });

  function cut(text: string): Morpheme[] {
    let start = 0;
    return piecesOf(text)
      .flatMap((piece) => tokenizer.tokenize(piece))
      .map((token) => {
        const { surface_form: surface, basic_form: basic } = token;
        const at = start;
        start += surface.length;
        return {
          start: at,
          end: start,
          surface,
          basic: known(basic) || surface,
          reading: known(token.reading),
          features: [
            token.pos,
            token.pos_detail_1,
            token.pos_detail_2,
            token.pos_detail_3,
            token.conjugated_type,
            token.conjugated_form,
          ],
        };
      });
  }

  return morphologicalAnalyzer(
    {
      id: 'kuromojin-1',
      cut,
      readings(word) {
        const readings = cut(word).map(({ reading }) => reading);
        return readings.includes('') ? [] : [readings.join('')];
      },
      standardSpelling: (basic) => basic,
    },
    { kind: 'kuromojin' },
  );
}

async function loadKuromojin(): Promise<typeof Kuromojin> {
  try {
    return exportsOf(await import('kuromojin'));
  } catch (error) {
    throw toPeerError(error, 'kuromojin');
  }
}

/** Unknown words have no reading; what there is none of is a `*`. */
function known(value: string | undefined): string {
  return value === undefined || value === '*' ? '' : value;
}
