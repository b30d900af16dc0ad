import type { MergeConflict } from './merge-proposal.ts';
import type { LabelledTurn } from './merge-turns.ts';

/** Words that two turns must share to be about the same. */
const SHARED = 2;
/** Pairs of turns that are named, those that share the most. */
const MAX_SUBJECTS = 10;

/**
 * Finds where two branches may not agree, from the text alone: the same question with different
 * answers, and turns that share tags or keywords.
 */
export async function findConflicts(
  left: readonly LabelledTurn[],
  right: readonly LabelledTurn[],
): Promise<readonly MergeConflict[]> {
  const answers = await differentAnswers(left, right);
  const known = new Set(answers.flatMap((one) => [...one.left, ...one.right]));
  const subjects = sharedSubjects(
    left.filter(({ id }) => !known.has(id)),
    right.filter(({ id }) => !known.has(id)),
  );
  return [...answers, ...subjects];
}

async function differentAnswers(
  left: readonly LabelledTurn[],
  right: readonly LabelledTurn[],
): Promise<MergeConflict[]> {
  const byTitle = byTitleOf(right);
  const conflicts: MergeConflict[] = [];
  for (const turn of left) {
    for (const other of byTitle.get(titleKey(turn)) ?? []) {
      const [one, two] = [await turn.read(), await other.read()];
      if (!one || !two || normal(one.prompt) !== normal(two.prompt)) continue;
      if (normal(one.response) === normal(two.response)) continue;
      const text = `${turn.title}: ${turn.summary} ≠ ${other.summary}`;
      conflicts.push({ kind: 'answer', text, left: [turn.id], right: [other.id] });
    }
  }
  return conflicts;
}

function byTitleOf(turns: readonly LabelledTurn[]): ReadonlyMap<string, LabelledTurn[]> {
  const groups = new Map<string, LabelledTurn[]>();
  for (const turn of turns) {
    const group = groups.get(titleKey(turn));
    if (group) group.push(turn);
    else groups.set(titleKey(turn), [turn]);
  }
  return groups;
}

function titleKey({ title }: LabelledTurn): string {
  return normal(title);
}

function normal(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim();
}

function sharedSubjects(
  left: readonly LabelledTurn[],
  right: readonly LabelledTurn[],
): MergeConflict[] {
  const withLabel = new Map<string, LabelledTurn[]>();
  for (const turn of right) {
    for (const label of turn.labels.keys()) {
      const turns = withLabel.get(label);
      if (turns) turns.push(turn);
      else withLabel.set(label, [turn]);
    }
  }
  const pairs = left.flatMap((turn) => {
    const shared = new Map<LabelledTurn, string[]>();
    for (const [label, name] of turn.labels) {
      for (const other of withLabel.get(label) ?? []) {
        shared.set(other, [...(shared.get(other) ?? []), name]);
      }
    }
    return [...shared].map(([other, names]) => ({ turn, other, names }));
  });
  return pairs
    .filter(({ names }) => names.length >= SHARED)
    .toSorted((a, b) => b.names.length - a.names.length)
    .slice(0, MAX_SUBJECTS)
    .map(({ turn, other, names }) => ({
      kind: 'subject',
      text: `${names.join(', ')}: ${turn.title} / ${other.title}`,
      left: [turn.id],
      right: [other.id],
    }));
}
