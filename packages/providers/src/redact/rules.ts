import { privateParts } from './private-parts.ts';
import type { RedactionRule } from './redaction-rule.ts';
import { aiRules } from './rules/ai.ts';
import { assignmentRule } from './rules/assignment.ts';
import { cloudRules } from './rules/cloud.ts';
import { codeRules } from './rules/code.ts';
import { commandRules } from './rules/commands.ts';
import { configLineRules } from './rules/config-lines.ts';
import { databaseRules } from './rules/database-statements.ts';
import { entryRules } from './rules/entries.ts';
import { messagingRules } from './rules/messaging.ts';
import { paymentRules } from './rules/payments.ts';
import { announcedRule, prefixRules } from './rules/prefixes.ts';
import { saasRules } from './rules/saas.ts';
import { statementRules } from './rules/statements.ts';
import { structureRules } from './rules/structures.ts';
import { tableRules } from './rules/tables.ts';
import { toldRules } from './rules/told.ts';

/**
 * The version of {@link defaultRedactionRules}: it rises when they find more or less than before. Data that was
 * stored under an older version can be cleaned again.
 */
export const redactionRulesVersion = 11;

/** The rule for text that is marked as private. The pattern finds the innermost parts. */
const privateRule: RedactionRule = {
  name: 'private',
  what: 'Text between <private> and </private>',
  literal: '<',
  find: privateParts,
  pattern: /<private(?:\s[^<>]{0,500})?>([^]*?)(?:<\/private(?:\s[^<>]{0,500})?>|$)/dgi,
};

/**
 * Secrets of known forms, and values that names, headers, addresses and commands say are secret. Every pattern
 * is bounded and tried at its keywords only, so matching takes linear time.
 *
 * The forms are those that issuers document, and that these lists agree on: gitleaks
 * (https://github.com/gitleaks/gitleaks), TruffleHog (https://github.com/trufflesecurity/trufflehog),
 * Kingfisher (https://github.com/mongodb/kingfisher), detect-secrets (https://github.com/Yelp/detect-secrets),
 * GitHub (https://docs.github.com/en/code-security/reference/secret-security/supported-secret-scanning-patterns).
 */
export const defaultRedactionRules: readonly RedactionRule[] = [
  privateRule,
  ...structureRules,
  ...aiRules,
  ...cloudRules,
  ...codeRules,
  ...messagingRules,
  ...paymentRules,
  ...saasRules,
  ...prefixRules,
  assignmentRule,
  ...statementRules,
  ...databaseRules,
  ...configLineRules,
  ...tableRules,
  ...entryRules,
  ...commandRules,
  ...toldRules,
  announcedRule,
];
