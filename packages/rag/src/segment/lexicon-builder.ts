import type { Word } from '../analyze/analyzer.ts';
import type { Section } from '../binary/section-file.ts';
import { byFrequency, formSections, type Form } from './form-sections.ts';

/** A form whose terms have no places yet. */
type NewForm = Omit<Form, 'terms'> & { readonly terms: readonly string[] };

/** Numbers the distinct words of a segment. */
export class LexiconBuilder {
  readonly #numbers = new Map<string, number>();
  readonly #forms: NewForm[] = [];
  /** How often each comes. */
  readonly #counts: number[] = [];
  readonly #partsOfSpeech: string[] = [''];
  readonly #posNumbers = new Map<string, number>([['', 0]]);

  /** The provisional number of a word. */
  form(surface: string, word: Word, lead: number): number {
    const { pos, reading, basic, isContent, extra } = word;
    const found = isContent ? basic : '';
    const further = extra === undefined ? '' : extra.join('\u0000');
    const key = `${lead}\u0000${surface}\u0000${found}\u0000${pos}\u0000${reading}\u0000${further}`;
    return this.#numberOf(key, () => {
      return {
        surface,
        lead,
        reading,
        pos: this.#posNumber(pos),
        terms: isContent ? [basic, ...new Set(extra)] : [],
      };
    });
  }

  /** The provisional number of what stands between words. */
  gap(surface: string): number {
    return this.#numberOf(`gap ${surface}`, () => {
      return { surface, lead: 0, reading: '', pos: 0, terms: [] };
    });
  }

  /**
   * @param terms - The sorted terms of the segment.
   * @returns The final number of each provisional one, and the sections.
   */
  finish(terms: readonly string[]): {
    readonly order: Uint32Array;
    readonly sections: readonly Section[];
    readonly partsOfSpeech: readonly string[];
  } {
    const places = new Map(terms.map((term, place) => [term, place]));
    const { sorted, order } = byFrequency(this.#counts);
    const forms = sorted.flatMap((number): Form[] => {
      const form = this.#forms[number];
      if (!form) return [];
      return [{ ...form, terms: form.terms.map((term) => places.get(term) ?? 0) }];
    });
    return { order, partsOfSpeech: this.#partsOfSpeech, sections: formSections(forms) };
  }

  #numberOf(key: string, make: () => NewForm): number {
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#forms.length;
      this.#numbers.set(key, number);
      this.#forms.push(make());
    }
    this.#counts[number] = (this.#counts[number] ?? 0) + 1;
    return number;
  }

  #posNumber(pos: string): number {
    const known = this.#posNumbers.get(pos);
    if (known !== undefined) return known;
    // One byte a form: analysers have some dozen parts of speech.
    if (this.#partsOfSpeech.length > 255) return 0;
    this.#posNumbers.set(pos, this.#partsOfSpeech.length);
    return this.#partsOfSpeech.push(pos) - 1;
  }
}
