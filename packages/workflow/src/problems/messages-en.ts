import type { Messages } from './problem.ts';

const meant = (name: string): string => `did you mean '${name}'?`;
const thereIs = (names: string): string => `there is: ${names}`;
const thereIsNone = 'there is none';

const or = ' or ';

const terms: Messages['terms'] = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  bool: 'true or false',
  object: 'an object',
  record: 'an object',
  map: 'an object',
  array: 'a list',
  list: 'a list',
  double: 'a number',
  null: 'nothing',
  undefined: 'nothing',
  workflow: 'workflow',
  role: 'role',
  prompt: 'prompt',
  promptSet: 'prompt set',
  schedule: 'schedule',
  webhook: 'webhook',
  server: 'server',
  retry: 'name of use.retries',
  timeout: 'name of use.timeouts',
  model: 'name of use.models',
  variableRule: 'white space, dots and brackets are part of paths',
  nameRule: 'letters, digits, dots, hyphens and _ are possible, 100 of them',
  idRule: 'white space, / and # are not possible in ids',
};

const sentences: Messages['sentences'] = {
  unreadable: ['it cannot be read: {problem}'],
  syntax: ['it cannot be read: {problem}'],
  'unknown-key': ["the key '{name}' is not known here"],
  'version-key': ["'{name}' is not part of version 1", 'leave version out, or write version: 2'],
  'missing-key': ["'{name}' is missing"],
  'wrong-type': ['it must be {expected}, and is {given}'],
  'unknown-value': ["'{name}' is not possible here"],
  'too-small': ['it must be at least {limit}'],
  'too-large': ['it must be at most {limit}'],
  empty: ['it is empty'],
  'bad-duration': [
    "'{name}' is no length of time",
    'write milliseconds, or a text such as 500ms, 30s, 5m, 2h or 1d',
  ],
  'bad-name': ["'{name}' is no name: it holds a character that names must not have", '{rule}'],
  'bad-value': ['{problem}'],
  'duplicate-name': ["the {what} '{name}' is there already: {other}", 'rename one of them'],
  'duplicate-id': ["the id '{name}' is taken by a step before it: {other}", 'rename one of them'],
  'jump-by-data': [
    "a workflow with 'order: by-data' has no jumps: its steps follow each other by the variables that they take",
    "leave steps out by 'when', or put the way with jumps into a workflow of its own (subflow)",
  ],
  'reserved-name': ["'{name}' is a variable of the run itself", 'choose another name'],
  'unknown-step': ["there is no step '{name}' here"],
  'unknown-role': ["there is no role '{name}' in the prompt set '{set}'"],
  'unknown-prompt': ["there is no prompt '{name}' in the prompt set '{set}'"],
  'unknown-workflow': ["there is no workflow '{name}'"],
  'unknown-function': ["there is no function '{name}'"],
  'unknown-tool': ["there is no tool '{name}'"],
  'unknown-server': ["there is no server '{name}' in use.mcpServers"],
  'server-failed': ["the server '{name}' does not list its tools: {problem}"],
  'unknown-retriever': ["there is no retriever '{name}'"],
  'unknown-activity': ["there is no activity '{name}'"],
  'unknown-retry': ["there are no rules '{name}' in use.retries"],
  'unknown-timeout': ["there are no times '{name}' in use.timeouts"],
  'unknown-model': ["there is no model '{name}': {problem}"],
  'unknown-error-code': ["no error of a model has the code '{name}', so it is never repeated"],
  'unknown-set': ["there is no prompt set '{name}'"],
  'bad-cron': [
    "the cron expression '{name}' cannot be used: {problem}",
    "write minute hour day month weekday, such as '0 7 * * 1-5'",
  ],
  'bad-time-zone': ["there is no time zone '{name}'", 'write a name such as UTC or Asia/Tokyo'],
  'plain-secret': [
    'a secret must not be in the file',
    'write ${NAME}, the name of a variable of the environment',
  ],
  'sleep-time': ['a sleep needs one of duration and until'],
  'quorum-too-large': ['a quorum of {quorum} cannot be had of {agents}', 'write {agents} or less'],
  'subflow-recursion': [
    'the workflow runs itself: {cycle}',
    'make sure that a branch or a condition ends it',
  ],
  'endless-cycle': [
    'these steps follow each other without end: {cycle}',
    'use a loop with maxRounds, or a branch that leads out',
  ],
  'constant-until': [
    "no step of the loop sets anything that 'until' asks for, so it never changes",
    'use a variable that a step of the loop sets',
  ],
  'unreachable-step': [
    "no way leads to the step '{name}'",
    'lead to it by next_step, or take it out',
  ],
  'unreachable-agent': [
    "no member of the team hands over to '{name}'",
    'name it in hands_over_to of another member, or take it out',
  ],
  'unknown-member': ["the team has no member '{name}'"],
  'team-unseen': [
    "the prompt '{prompt}' does not use 'team', so that the member does not see what the others said",
    'show team.turns and team.notes in the prompt',
  ],
  'unknown-variable': ["no step sets a variable '{name}'"],
  'variable-not-yet-set': [
    "the variable '{name}' is not set yet: only '{by}' sets it, and does not come before",
  ],
  'variable-maybe-unset': [
    "the variable '{name}' is not set on every way that leads here",
    'set it on each of them',
  ],
  'unknown-field': ["'{parent}' has no '{name}', by its schema"],
  'field-of-value': [
    "'{parent}' has no '{name}': it is no object",
    'give the step that sets it an output.schema',
  ],
  'missing-input': ["the prompt '{prompt}' needs '{name}'", 'add it to input_variables'],
  'unused-input': ["the prompt '{prompt}' does not use '{name}'", 'use it, or take it out'],
  'template-syntax': ['the prompt cannot be read: {problem}'],
  'condition-syntax': ['the condition cannot be read: {problem}'],
  'condition-type': ['the condition cannot be evaluated: {problem}'],
  'condition-not-boolean': [
    'the condition gives {type}, not true or false',
    'compare it with something',
  ],
  'condition-not-list': ['the expression gives {type}, not a list'],
  'hidden-name': [
    "conditions cannot read a variable called '{name}': CEL takes it for something else",
    'choose another name',
  ],
};

export const english: Messages = { sentences, terms, or, meant, thereIs, thereIsNone };
