import { closedElements } from '../../strings/closed-elements.ts';

const PLAN = 'proposed_plan';

/**
 * Returns what the user sees of an answer, then each plan in it: events for the user have both apart, and no citations.
 */
export function answerTexts(answer: string): readonly string[] {
  const text = withoutCitations(answer);
  if (!text.includes(`<${PLAN}>`)) return [text];
  const seen: string[] = [];
  const plans: string[] = [];
  const lines = text.split('\n');
  const lastEnd = lines.findLastIndex((line) => line.trim() === `</${PLAN}>`);
  let plan: string[] | undefined;
  for (const [at, line] of lines.entries()) {
    const tag = line.trim();
    if (plan === undefined && tag === `<${PLAN}>` && at < lastEnd) plan = [];
    else if (plan === undefined) seen.push(line);
    else if (tag === `</${PLAN}>`) {
      plans.push(plan.map((one) => `${one}\n`).join(''));
      plan = undefined;
    } else plan.push(line);
  }
  return [seen.join('\n'), ...plans].filter((one) => one.trim() !== '');
}

function withoutCitations(text: string): string {
  if (!text.includes('<oai-mem-citation>')) return text;
  let end = 0;
  let rest = '';
  for (const element of closedElements(text, (name) => name === 'oai-mem-citation')) {
    rest += text.slice(end, element.start);
    ({ end } = element);
  }
  return rest + text.slice(end);
}
