import { noise } from '../figures.ts';

const SAMPLES = 5;
const STEPS = 20_000_000;

/** How much the machine itself varies: the same work, timed all over a run. */
export class NoiseMeter {
  readonly #times: number[] = [];

  sample(): void {
    for (let sample = 0; sample < SAMPLES; sample++) {
      const start = performance.now();
      let state = 1;
      for (let step = 0; step < STEPS; step++) state = (Math.imul(state, 48_271) + step) | 0;
      // The comparison keeps the loop from being left out.
      if (state !== 0.5) this.#times.push(performance.now() - start);
    }
  }

  /** The spread of the middle half of the times, in per cent of their median. */
  percent(): number {
    return noise(this.#times) * 100;
  }
}
