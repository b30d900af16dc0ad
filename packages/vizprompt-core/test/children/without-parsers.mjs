// Opens a project whose files need a parser that cannot be loaded, and reports what it fails with.
import { register } from 'node:module';

const hook = `
  export async function resolve(specifier, context, next) {
    if (!/parse-node-xml|flow-document/.test(specifier)) return next(specifier, context);
    throw Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' });
  }
`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
const { VizPrompt } = await import('@vizprompt/core');

const message = await VizPrompt.open(process.argv[2]).then(
  async (vizprompt) => {
    const problems = await vizprompt.problems();
    await vizprompt.close();
    return `it is open with ${problems.length} problems`;
  },
  (error) => error.message,
);
process.send(message);
process.disconnect();
