// What a question to a model needs, in one module that the first one loads.
export { buildContext } from '../context/build-context.ts';
export { askModel } from './ask-model.ts';
