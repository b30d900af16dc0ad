// Vectors like those of embedding models: clustered, with a common direction and few dimensions that hold
// most of the variance, of length 1. Nothing of meaning is in them, but which text belongs to which topic.
import { createHash } from 'node:crypto';
import { randomNumbers } from './random-numbers.mjs';

export const DIMENSIONS = 384;
/** How fast the variance falls from dimension to dimension. */
const DECAY = -0.35;
/** How much of a vector is the common direction, and how much is its own. */
const COMMON = 0.8;
const OWN = 0.8;

const spread = Float64Array.from({ length: DIMENSIONS }, (_, i) => (i + 1) ** DECAY);

/** The same numbers for the same text. */
function gaussians(text) {
  const random = randomNumbers(createHash('md5').update(text).digest().readInt32LE() || 1);
  return Float64Array.from(spread, (width) => {
    const radius = Math.sqrt(-2 * Math.log(random() + 1e-12));
    return radius * Math.cos(2 * Math.PI * random()) * width;
  });
}

const common = gaussians('common').map((value) => value * COMMON);
const topics = new Map();

function topicOf(topic) {
  const known = topics.get(topic) ?? gaussians(`topic ${topic}`);
  topics.set(topic, known);
  return known;
}

function unit(values) {
  const length = Math.hypot(...values);
  return Float32Array.from(values, (value) => value / length);
}

/** The vector of a text about a topic. */
export function textVector(text, topic) {
  const [cluster, own] = [topicOf(topic), gaussians(`text ${text}`)];
  return unit(common.map((value, i) => value + cluster[i] + OWN * own[i]));
}

/** The vector of a question: that of its answer, with noise. */
export function questionVector(question, answer, noise) {
  const own = unit(gaussians(`question ${question}`));
  return unit(answer.map((value, i) => value + noise * own[i]));
}

export function product(a, b) {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
