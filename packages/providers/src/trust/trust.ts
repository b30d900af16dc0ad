import { omitUndefined } from '../json/fields.ts';
import {
  changeTrust,
  identityOf,
  readTrust,
  realPlace,
  TrustError,
  type TrustOption,
  type TrustRecord,
  type TrustRequest,
  type TrustUse,
} from './trust-file.ts';
import { checkOptions, checkArgument } from '../input/check-input.ts';
import { TEXT, having, listOf, optional, type Kinds } from '../input/kinds.ts';

/** Returns the uses of a request that this user has not consented to. A change of a use asks again. */
export function untrustedUses({ place, uses }: TrustRequest): readonly TrustUse[] {
  if (uses.length === 0 || place === undefined) return uses;
  const path = realPlace(place);
  const records = readTrust(path).filter((record) => record.place === path);
  return uses.filter(
    ({ kind, text }) =>
      !records.some(
        (record) => record.uses.includes(text) && (kind !== 'memory' || isSame(record)),
      ),
  );
}

/** Checks whether a place is still the one that its user consented to, and no other that took its place. */
function isSame({ place, identity }: TrustRecord): boolean {
  return identity === undefined || identity === identityOf(place);
}

const KINDS: Kinds<TrustRequest> = {
  place: optional(TEXT),
  uses: listOf('uses', having('{ kind, text, source }', 'kind', 'text', 'source')),
};

/** Requests of other packages say more, such as the address of a project's model. */
function checkRequest(what: string, request: TrustRequest): void {
  checkArgument(`the request of ${what}`, request, having('{ place, uses }'));
  const { place, uses } = request;
  checkOptions(what, { place, uses }, KINDS);
}

/**
 * Checks whether the user consented to what a folder or a file asks for.
 *
 * @param option - Consent that a program gives, instead of what is recorded.
 */
export async function isTrusted(request: TrustRequest, option?: TrustOption): Promise<boolean> {
  checkRequest('isTrusted', request);
  if (request.uses.length === 0) return true;
  if (typeof option === 'boolean') return option;
  const uses = untrustedUses(request);
  if (uses.length === 0) return true;
  return option === undefined ? false : option({ ...request, uses });
}

/**
 * Refuses what the user did not consent to.
 *
 * @throws TrustError with the code `untrusted`, which names each use and how to consent.
 */
export async function assertTrusted(request: TrustRequest, option?: TrustOption): Promise<void> {
  if (!(await isTrusted(request, option))) throw untrusted(request);
}

/** Returns the error of a request that the user did not consent to. */
export function untrusted(request: TrustRequest): TrustError {
  checkRequest('untrusted', request);
  const place = request.place === undefined ? undefined : realPlace(request.place);
  const uses = untrustedUses(request);
  const told = (uses.length > 0 ? uses : request.uses).map(
    ({ text, source }) => `${text} (${source})`,
  );
  const fix =
    place === undefined
      ? 'pass the option trust'
      : `run 'vizprompt trust ${quoted(place)}', or pass --trust (in code the option trust)`;
  const message =
    `${place ?? 'what this storage holds'} is not trusted: ${told.join('; ')}. ` +
    `If you trust its author with that, ${fix}`;
  return new TrustError('untrusted', message, { context: { place, uses: request.uses } });
}

/**
 * Records that this user consents to what a folder or a file asks for, in addition to what is recorded.
 *
 * @throws TrustError with the code `trust-unwritable`.
 */
export async function grantTrust(
  request: TrustRequest & { readonly place: string },
): Promise<TrustRecord> {
  checkRequest('grantTrust', request);
  const { place, uses } = request;
  checkArgument('the place of grantTrust', place, TEXT);
  const path = realPlace(place);
  let record: TrustRecord = { place: path, uses: [], time: new Date().toISOString() };
  await changeTrust((records) => {
    const before = records.filter((one) => one.place === path).flatMap((one) => one.uses);
    const all = new Set([...before, ...uses.map(({ text }) => text)]);
    const known = records.find((one) => one.place === path)?.identity;
    const hasMemory = uses.some(({ kind }) => kind === 'memory');
    const identity = hasMemory ? identityOf(path) : known;
    record = { ...record, uses: [...all], ...omitUndefined({ identity }) };
    return [...records.filter((one) => one.place !== path), record];
  });
  return record;
}

/** Lists what this user consented to. */
export function listTrust(): readonly TrustRecord[] {
  return readTrust();
}

/**
 * Takes back all consent to a folder or a file.
 *
 * @returns `true` if there was any.
 * @throws TrustError with the code `trust-unwritable`.
 */
export async function revokeTrust(place: string): Promise<boolean> {
  checkArgument('the place of revokeTrust', place, TEXT);
  const path = realPlace(place);
  if (!readTrust().some((one) => one.place === path)) return false;
  await changeTrust((records) => records.filter((one) => one.place !== path));
  return true;
}

/** Returns a path as a shell takes it, on a line that a user copies. */
function quoted(path: string): string {
  return /^[\w./@%+=:,-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}
