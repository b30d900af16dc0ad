/** A kind of secret and how to recognise it. */
export interface RedactionRule {
  /** Stands in the mark that replaces the secret: `[redacted:NAME]`. */
  readonly name: string;
  /** Must have the flags `g` and `d`, and not `y`. The first group is the secret; without one, the match. */
  readonly pattern: RegExp;
  /**
   * A text without this one holds no such secret. Looking for it first is much faster than the pattern;
   * it is looked for as it stands, whatever the flags of the pattern.
   */
  readonly literal?: string;
}

/**
 * What is marked as private. The pattern finds parts that hold no others; `redact` finds those that do too.
 */
export const privateRule: RedactionRule = {
  name: 'private',
  pattern: /<private(?:\s[^>]{0,500})?>([^]*?)(?:<\/private(?:\s[^>]{0,500})?>|$)/dgi,
};

/**
 * Secrets that have a form of their own. Every pattern begins with a literal and repeats single
 * character classes only, so matching takes linear time.
 *
 * The prefixes are those that the issuers document: OpenAI, Anthropic, GitHub, GitLab, Slack,
 * Google, AWS, Stripe, npm, Hugging Face, SendGrid, Groq, xAI; JSON Web Tokens by RFC 7519, private
 * keys by RFC 7468.
 */
export const defaultRedactionRules: readonly RedactionRule[] = [
  privateRule,
  {
    name: 'private-key',
    literal: 'PRIVATE KEY-----',
    pattern:
      /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY-----[^-]{1,20000}-----END [A-Z0-9 ]{1,60}-----/dg,
  },
  { name: 'anthropic-key', literal: 'sk-ant-', pattern: /\bsk-ant-[\w-]{20,200}/dg },
  { name: 'openai-key', literal: 'sk-', pattern: /\bsk-(?:proj-|svcacct-|admin-)?[\w-]{20,200}/dg },
  { name: 'github-token', pattern: /\b(?:gh[pousr]_\w{20,255}|github_pat_\w{20,255})/dg },
  { name: 'gitlab-token', literal: 'glpat-', pattern: /\bglpat-[\w-]{20,200}/dg },
  { name: 'slack-token', literal: 'xox', pattern: /\bxox[abeoprs]-[\w-]{10,250}/dg },
  { name: 'google-key', literal: 'AIza', pattern: /\bAIza[\w-]{35}/dg },
  { name: 'aws-key', literal: 'IA', pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/dg },
  {
    name: 'aws-secret',
    pattern: /\baws_secret_access_key["']?\s{0,4}[=:]\s{0,4}["']?([\w/+]{40})/dgi,
  },
  { name: 'stripe-key', literal: 'k_', pattern: /\b[rs]k_(?:live|test)_\w{16,250}/dg },
  { name: 'npm-token', literal: 'npm_', pattern: /\bnpm_\w{36}/dg },
  { name: 'huggingface-token', literal: 'hf_', pattern: /\bhf_\w{30,100}/dg },
  { name: 'sendgrid-key', literal: 'SG.', pattern: /\bSG\.[\w-]{16,64}\.[\w-]{16,64}/dg },
  { name: 'groq-key', literal: 'gsk_', pattern: /\bgsk_\w{30,100}/dg },
  { name: 'xai-key', literal: 'xai-', pattern: /\bxai-\w{30,150}/dg },
  { name: 'jwt', literal: 'eyJ', pattern: /\beyJ[\w-]{8,2000}\.eyJ[\w-]{8,8000}\.[\w-]{8,2000}/dg },
  { name: 'authorization', pattern: /\b(?:Bearer|Basic)\s{1,4}([\w.~+/-]{16,4000}={0,2})/dgi },
  {
    name: 'url-password',
    literal: '://',
    pattern: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@]{0,100}:([^\s/@]{1,200})@/dgi,
  },
  {
    name: 'assignment',
    pattern:
      /(?:api[_-]?key|access[_-]?token|auth[_-]?token|client[_-]?secret|secret[_-]?key|password|passwd)["']?\s{0,4}[=:]\s{0,4}["']([^\s"']{8,500})["']/dgi,
  },
];
