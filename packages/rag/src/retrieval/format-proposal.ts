import { formatEvaluation } from './format-evaluation.ts';
import type { FusionProposal } from './propose-fusion.ts';
import { checkArgument } from '../check-options.ts';
import { having } from '@vizprompt/providers/config/internal';

const PROPOSAL = having('what proposeFusion() returns', 'words', 'vectors');

/**
 * A proposal for people: what words, vectors and the proposed fusion answer, the settings for it, and what it costs.
 *
 * @example
 * ```text
 *          hit@1  …
 * words    0.912 0.884-0.940  …
 * vectors  0.780 0.741-0.819  …
 * both     0.934 0.909-0.959  …
 * proposed: gate 0.7, weight 0.5: MRR +0.021 (+0.008 to +0.034), 14 questions better, 3 worse
 * ```
 */
export function formatProposal(proposal: FusionProposal): string {
  checkArgument('the argument of formatProposal', proposal, PROPOSAL);
  const { words, vectors, proposed } = proposal;
  const rows = { words, vectors, ...(proposed ? { both: proposed.evaluation } : {}) };
  return `${formatEvaluation(rows)}\n${sentence(proposed)}`;
}

function sentence(proposed: FusionProposal['proposed']): string {
  if (!proposed) {
    return 'proposed: the default. No weight is surely better than words alone for these questions.';
  }
  const { gate, weight, gain, better, worse } = proposed;
  const [mean, low, high] = [gain.mean, gain.low, gain.high].map(signed);
  return (
    `proposed: gate ${gate}, weight ${weight}: MRR ${mean} (${low} to ${high}), ` +
    `${better} questions better, ${worse} worse`
  );
}

function signed(value: number): string {
  return `${value < 0 ? '' : '+'}${value.toFixed(3)}`;
}
