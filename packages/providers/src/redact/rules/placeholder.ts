/**
 * Texts that stand in for a secret: variables, templates, masks, marks of a redaction, and words that ask for
 * one.
 */
const STAND_IN = new RegExp(
  [
    String.raw`^\$`,
    String.raw`^[<{%@#[(]`,
    String.raw`\$\{|\{\{|<(?!private)[a-z_ -]+>$|\$\(|%s|^%[A-Za-z_]\w*%$|#\{`,
    String.raw`^\{?\w+\}$`,
    String.raw`^(.)\1+$`,
    String.raw`^[x*.•#_-]+$|\*{3,}|x{5,}|\.{3}|…|•{3}`,
    String.raw`\[?redacted`,
    String.raw`^(?:process|import|os|env|secrets?|vars|config|settings|options|opts|props|this|self|args|params|req|request|ctx|context|data|user|input|body|app|var|local|module|github|github|inputs|steps|needs|vault|ssm|sm|op)\.[a-z_]`,
    String.raw`^(?:your|my|the|insert|enter|replace|change|put|add|some|any|provide|paste|set|get|use|type|new|old|fake|dummy|mock|sample|placeholder|todo|tbd|fixme|none|null|undefined|nil|true|false|yes|no|optional|required|string|secret|redacted|hidden|masked|unset|empty|default)(?:$|[^a-z\d])`,
    String.raw`(?:your|my|example|sample|dummy|placeholder|changeme|change-me|change_me)[_-]?(?:\w+[_-])*(?:key|token|secret|password|value|here|me)`,
    String.raw`_here$|-here$|^example$|^changeme$|^test$`,
  ].join('|'),
  'i',
);

const JUDGED = 100;

/** Checks whether a text is no secret, but says where one belongs or comes from. */
export function isPlaceholder(text: string): boolean {
  return STAND_IN.test(text.length > JUDGED ? text.slice(0, JUDGED) : text);
}
