// The work of a question to a model, in one module that the first question loads.
export { buildContext } from '../context/build-context.ts';
export { askModel } from './ask-model.ts';
