import type { ChatModel } from '../models/chat-model.ts';
import type { ChatRequest } from '../models/request.ts';

/** Marks a request whose answer nobody sees before it is whole. Layers copy it with the request. */
const COLLECTED: unique symbol = Symbol('collected');

/** The request, with the mark that its answer is collected. */
export function collected(request: ChatRequest): ChatRequest {
  return Object.assign({ ...request }, { [COLLECTED]: true });
}

/** Whether nobody sees the answer before it is whole, so that an attempt can be replaced at any time. */
export function isCollected(request: ChatRequest): boolean {
  return COLLECTED in request;
}

/** Models that know the mark. */
const composed = new WeakSet<ChatModel>();

/** Takes note of a model that passes the mark on. */
export function noteComposed(model: ChatModel): ChatModel {
  composed.add(model);
  return model;
}

/** The request as a model is given it: the mark is for layers only. */
export function requestFor(model: ChatModel, request: ChatRequest): ChatRequest {
  if (!isCollected(request) || composed.has(model)) return request;
  const { [COLLECTED]: _, ...plain }: ChatRequest & { readonly [COLLECTED]?: unknown } = request;
  return plain;
}
