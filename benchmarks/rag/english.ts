import { round, type Figures } from '../figures.ts';
import { askSystems, type Place } from './ask-system.ts';
import { readConversations, type Conversation } from './inputs.ts';
import { mean } from './metrics.ts';

const PORTER = 'fts5_porter';

/**
 * Questions in English about long conversations: each turn is a text, and those with the evidence
 * should be among the first ten. Each conversation is an index of its own.
 */
export async function benchEnglish(file: string, place: Place): Promise<Figures> {
  const conversations = readConversations(file).map(withTurns);
  place.log('asking questions in English ...');
  const sets = conversations.map(({ turns, questions }) => ({
    texts: turns.map(({ speaker, text }) => ({ title: '', text: `${speaker}: ${text}` })),
    questions: questions.map(({ question }) => question),
  }));
  const found = await askSystems(['ours', PORTER], 'conversations', sets, place);
  const qualityOf = (system: string): { readonly recall: number; readonly mrr: number } => {
    const answered = conversations.flatMap(({ questions }, number) =>
      questions.map(({ evidence }, asked) => ({
        evidence,
        answers: found.get(system)?.[number]?.[asked] ?? [],
      })),
    );
    return {
      recall: mean(
        answered.map(({ evidence, answers }) => {
          return evidence.filter((turn) => answers.includes(turn)).length / evidence.length;
        }),
      ),
      mrr: mean(
        answered.map(({ evidence, answers }) => {
          const first = answers.findIndex((turn) => evidence.includes(turn));
          return first < 0 ? 0 : 1 / (first + 1);
        }),
      ),
    };
  };
  const ours = qualityOf('ours');
  const porter = qualityOf(PORTER);
  return {
    english_questions: sets.flatMap(({ questions }) => questions).length,
    english_recall_at_10: round(ours.recall),
    english_mrr_at_10: round(ours.mrr),
    english_recall_at_10_fts5_porter: round(porter.recall),
    english_mrr_at_10_fts5_porter: round(porter.mrr),
    english_over_porter: round(ours.recall / porter.recall),
    english_mrr_over_porter: round(ours.mrr / porter.mrr),
  };
}

/** Its turns in one list, and of its questions those whose evidence is among them, by place. */
function withTurns({ sessions, questions }: Conversation): {
  readonly turns: Conversation['sessions'][number]['turns'];
  readonly questions: readonly {
    readonly question: string;
    readonly evidence: readonly number[];
  }[];
} {
  const turns = sessions.flatMap((session) => session.turns);
  const places = new Map(turns.map(({ id }, place) => [id, place]));
  const asked = questions.map(({ question, evidence }) => ({
    question,
    evidence: [...new Set(evidence)].flatMap((id) => places.get(id) ?? []),
  }));
  return { turns, questions: asked.filter(({ evidence }) => evidence.length > 0) };
}
