// Loaded before a command line, as if the package ollama were not installed.
import { register } from 'node:module';

const hook = `
  export async function resolve(specifier, context, next) {
    if (specifier !== 'ollama') return next(specifier, context);
    const error = new Error("Cannot find package 'ollama' imported from " + context.parentURL);
    throw Object.assign(error, { code: 'ERR_MODULE_NOT_FOUND' });
  }
`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
