import { fieldsOf } from './json/fields.ts';

/**
 * Checks whether this process may start another one of its runtime. It may not under the permission model of Node
 * (`--permission` without `--allow-child-process`), nor in Deno without `--allow-run`.
 *
 * Sources: https://nodejs.org/api/permissions.html, https://docs.deno.com/api/deno/~/Deno.Permissions
 */
export function mayStartPrograms(globals: object = globalThis): boolean {
  const { Deno, process: host } = fieldsOf(globals);
  const { execPath: command, permission } = fieldsOf(host);
  if (permission !== undefined) return call(permission, 'has', 'child') === true;
  if (Deno === undefined) return true;
  const status = call(fieldsOf(Deno)['permissions'], 'querySync', { name: 'run', command });
  return fieldsOf(status)['state'] === 'granted';
}

function call(target: unknown, name: string, argument: unknown): unknown {
  const method = fieldsOf(target)[name];
  return typeof method === 'function' ? Reflect.apply(method, target, [argument]) : undefined;
}
