import type { Word } from '../analyze/analyzer.ts';
import type { Section } from './section-file.ts';
import { SECTIONS } from './segment-layout.ts';
import { StringTable } from './string-table.ts';

interface Form {
  readonly surface: string;
  readonly reading: string;
  readonly pos: number;
  /** The term it is found by, then further ones; none if it cannot be searched for. */
  readonly terms: readonly string[];
  count: number;
}

/** Numbers the distinct words of a segment. */
export class LexiconBuilder {
  readonly #numbers = new Map<string, number>();
  readonly #forms: Form[] = [];
  readonly #partsOfSpeech: string[] = [''];
  readonly #posNumbers = new Map<string, number>([['', 0]]);

  /** The provisional number of a word. */
  form(surface: string, word: Word): number {
    const { pos, reading, basic, isContent, extra } = word;
    const found = isContent ? basic : '';
    const further = extra === undefined ? '' : extra.join('\u0000');
    const key = `${surface}\u0000${found}\u0000${pos}\u0000${reading}\u0000${further}`;
    return this.#numberOf(key, () => {
      return {
        surface,
        reading,
        pos: this.#posNumber(pos),
        terms: isContent ? [basic, ...new Set(extra)] : [],
        count: 0,
      };
    });
  }

  /** The provisional number of what stands between words. */
  gap(surface: string): number {
    return this.#numberOf(`${surface}\u0000`, () => {
      return { surface, reading: '', pos: 0, terms: [], count: 0 };
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
    const byCount = [...this.#forms.keys()].toSorted(
      (a, b) => (this.#forms[b]?.count ?? 0) - (this.#forms[a]?.count ?? 0) || a - b,
    );
    const order = new Uint32Array(byCount.length);
    const sorted: Form[] = [];
    for (const [place, number] of byCount.entries()) {
      order[number] = place;
      const form = this.#forms[number];
      if (form) sorted.push(form);
    }
    const formTerms = sorted.map(({ terms: [main] }) => {
      return main === undefined ? 0 : (places.get(main) ?? -1) + 1;
    });
    const extras = sorted.flatMap(({ terms: [main, ...further] }, form) =>
      further.flatMap((term) => (term === main ? [] : [form, places.get(term) ?? 0])),
    );
    const section = (name: string, bytes: Uint8Array, isResident = true): Section => {
      return { name, bytes, isResident };
    };
    return {
      order,
      partsOfSpeech: this.#partsOfSpeech,
      sections: [
        section(SECTIONS.surfaces, StringTable.write(sorted.map(({ surface }) => surface))),
        section(SECTIONS.formTerms, numbers(formTerms)),
        section(SECTIONS.formExtras, numbers(extras)),
        section(
          SECTIONS.formPos,
          Uint8Array.from(sorted, ({ pos }) => pos),
          false,
        ),
        section(
          SECTIONS.formReadings,
          StringTable.write(sorted.map(({ reading }) => reading)),
          false,
        ),
      ],
    };
  }

  #numberOf(key: string, make: () => Form): number {
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#forms.length;
      this.#numbers.set(key, number);
      this.#forms.push(make());
    }
    const form = this.#forms[number];
    if (form) form.count++;
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

function numbers(values: readonly number[]): Uint8Array {
  return new Uint8Array(Uint32Array.from(values).buffer);
}
