import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { assertParts, round, type BenchOptions, type Figures } from '../figures.ts';
import { installedPeers } from '../installed-peers.ts';
import { benchAnalyzer } from './analyzer.ts';
import { benchEnglish } from './english.ts';
import { findInputs } from './inputs.ts';
import { NoiseMeter } from './noise-meter.ts';
import { benchRelevance } from './relevance.ts';
import { benchReworded } from './reworded.ts';
import { benchSpeed } from './speed.ts';

const CHUNKS = 50_000;
const PEER_CHUNKS = 10_000;
/** Of a chunk, where works are made. */
const CHARACTERS = 400;
/** What can be compared without installing anything: dependencies of rag itself. */
const OWN_PEERS = ['fts5_unicode61', 'fts5_trigram', 'fts5_words', 'flexsearch'];
const FURTHER_PEERS = ['minisearch', 'orama'];

const PARTS = ['analyzer', 'relevance', 'reworded', 'english', 'speed'] as const;

/**
 * How well and how fast an index finds, beside FlexSearch, MiniSearch, Orama and SQLite FTS5. Each
 * system is measured in processes of its own, on the built packages.
 */
export async function benchRag(options: BenchOptions): Promise<Figures> {
  const { chunks = CHUNKS, peerChunks = PEER_CHUNKS, only, log } = options;
  assertParts(only, PARTS);
  const folder = await mkdtemp(join(tmpdir(), 'vizprompt-bench-rag-'));
  const noise = new NoiseMeter();
  const versions = installedPeers(fileURLToPath(new URL('.', import.meta.url)), log);
  const peers = versions ? [...OWN_PEERS, ...FURTHER_PEERS] : OWN_PEERS;
  const figures: Record<string, number | string> = {};
  const part = async (
    name: (typeof PARTS)[number],
    measure: () => Promise<Figures>,
  ): Promise<void> => {
    if (only && !only.includes(name)) return;
    noise.sample();
    Object.assign(figures, await measure());
    noise.sample();
  };
  try {
    const inputs = await findInputs(options, folder, chunks * CHARACTERS);
    const { corpus, texts, questions, conversations } = inputs;
    const place = { folder, dictionaries: join(folder, 'dictionaries'), log };
    await mkdir(place.dictionaries);
    await part('analyzer', () => benchAnalyzer(inputs, place));
    if (questions === undefined) log('no jsquad-test.jsonl.gz: relevance is left out');
    else await part('relevance', () => benchRelevance(questions, peers, place));
    if (inputs.isMade) log('no aozora.jsonl.gz: reworded questions are left out');
    else await part('reworded', () => benchReworded(corpus, questions, options.data, place));
    if (conversations === undefined) log('no locomo-dev.json: English is left out');
    else await part('english', () => benchEnglish(conversations, place));
    const sizes = { chunks, peerChunks: Math.min(chunks, peerChunks) };
    await part('speed', () => benchSpeed(corpus, sizes, peers, place));
    return { texts, ...figures, noise_pct: round(noise.percent()) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
