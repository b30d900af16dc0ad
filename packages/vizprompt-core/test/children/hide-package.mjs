import { register } from 'node:module';

/** From now on a package cannot be imported, as if it were not installed. */
export function hidePackage(name) {
  const hook = `
    export async function resolve(specifier, context, next) {
      if (specifier !== ${JSON.stringify(name)}) return next(specifier, context);
      const error = new Error("Cannot find package '" + specifier + "' imported from " + context.parentURL);
      throw Object.assign(error, { code: 'ERR_MODULE_NOT_FOUND' });
    }
  `;
  register(`data:text/javascript,${encodeURIComponent(hook)}`);
}
