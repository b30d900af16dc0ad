import type * as Saxes from 'saxes';
import type * as Yauzl from 'yauzl';
import { messageOf } from '@vizprompt/providers';
import { exportsOf, toPeerError } from '@vizprompt/providers/internal';

/** The packages that books are read with. */
interface BookPackages {
  readonly yauzl: typeof Yauzl;
  readonly saxes: typeof Saxes;
}

/** @throws Error that names the packages that are not installed; its cause is the first PeerError. */
export async function loadBookPackages(): Promise<BookPackages> {
  const [yauzl, saxes] = await Promise.allSettled([loadYauzl(), loadSaxes()]);
  if (yauzl.status === 'fulfilled' && saxes.status === 'fulfilled') {
    return { yauzl: yauzl.value, saxes: saxes.value };
  }
  const reasons = [yauzl, saxes].flatMap((one): unknown[] =>
    one.status === 'rejected' ? [one.reason] : [],
  );
  throw new Error(reasons.map(messageOf).join('; '), { cause: reasons[0] });
}

async function loadYauzl(): Promise<BookPackages['yauzl']> {
  try {
    return exportsOf(await import('yauzl'));
  } catch (error) {
    throw toPeerError(error, 'yauzl');
  }
}

async function loadSaxes(): Promise<BookPackages['saxes']> {
  try {
    return exportsOf(await import('saxes'));
  } catch (error) {
    throw toPeerError(error, 'saxes');
  }
}
