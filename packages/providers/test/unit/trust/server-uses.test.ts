import { describe, expect, it, vi } from 'vitest';
import { foreignAddress, packageUses, serverUses } from '../../../src/trust/server-uses.ts';

function kinds(provider: string, address?: string, keyName?: string): string[] {
  return serverUses({ provider, address, keyName, source: 'test' }).map(({ kind }) => kind);
}

describe('what a file says of a provider', () => {
  it.each([
    ['openai', undefined, undefined],
    ['openai', undefined, 'OPENAI_API_KEY'],
    ['openai', 'https://api.openai.com/v1', 'OPENAI_API_KEY'],
    ['openai', 'https://API.OPENAI.COM:443/v2', 'OPENAI_API_KEY'],
    ['openai', 'http://localhost:1234/v1', undefined],
    ['openai', 'http://127.0.0.1:1234/v1', undefined],
    ['openai', 'http://127.9.9.9', undefined],
    ['openai', 'http://[::1]:80', undefined],
    ['openai', 'http://2130706433/', undefined],
    ['anthropic', undefined, undefined],
    ['anthropic', 'https://api.anthropic.com/v1', 'ANTHROPIC_API_KEY'],
    ['anthropic', 'http://localhost:11434', undefined],
    ['gemini', undefined, 'GEMINI_API_KEY'],
    ['gemini', undefined, 'GOOGLE_API_KEY'],
    ['groq', 'https://api.groq.com/openai/v1', 'GROQ_API_KEY'],
    ['ollama', undefined, undefined],
    ['ollama', 'localhost:11434', undefined],
    ['ollama', 'http://127.0.0.1:9999', undefined],
    ['lmstudio', 'http://localhost:1', undefined],
    ['house', undefined, undefined],
  ])('needs no consent: %s at %s with %s', (provider, address, keyName) => {
    expect(kinds(provider, address, keyName)).toEqual([]);
  });

  it.each([
    ['openai', 'https://evil.example/v1'],
    ['openai', 'http://api.openai.com/v1'],
    ['openai', 'https://api.openai.com.evil.example/v1'],
    ['openai', 'https://api.openai.com@evil.example/v1'],
    ['openai', 'https://user:pass@api.openai.com/v1'],
    ['openai', 'https://api.openai.com:444/v1'],
    ['openai', 'http://localhost.evil.example'],
    ['openai', 'http://127.0.0.1.evil.example'],
    ['openai', 'http://127.0.0.1@evil.example'],
    ['openai', 'http://evil.localhost'],
    ['openai', 'http://localhost.'],
    ['openai', 'http://0.0.0.0:1'],
    ['openai', 'http://192.168.1.2:1'],
    ['openai', 'http://[::ffff:127.0.0.1]'],
    ['openai', 'file:///etc/passwd'],
    ['openai', 'not an address'],
    ['openai', ''],
    ['anthropic', 'https://api.anthropic.com.evil.example'],
    ['ollama', 'http://gpu:11434'],
    ['ollama', 'http://0.0.0.0.evil.example'],
    ['house', 'https://llm.example.com'],
    ['__proto__', 'https://llm.example.com'],
    ['constructor', 'https://llm.example.com'],
  ])('needs consent to its address: %s at %s', (provider, address) => {
    expect(kinds(provider, address)).toEqual(['address']);
  });

  it.each([
    ['openai', undefined, 'AWS_SECRET_ACCESS_KEY'],
    ['openai', 'http://127.0.0.1:1', 'AWS_SECRET_ACCESS_KEY'],
    ['openai', 'http://127.0.0.1:1', 'ANTHROPIC_API_KEY'],
    ['openai', 'https://api.openai.com/v1', 'GITHUB_TOKEN'],
    ['openai', 'https://api.openai.com/v1', 'openai_api_key'],
    ['openai', undefined, 'GEMINI_API_KEY'],
    ['anthropic', undefined, 'AWS_SECRET_ACCESS_KEY'],
    ['ai-sdk', undefined, 'AWS_SECRET_ACCESS_KEY'],
    ['ollama', undefined, 'HOME'],
    ['lmstudio', undefined, 'OPENAI_API_KEY'],
    ['house', undefined, 'HOUSE_KEY'],
    ['toString', undefined, 'HOUSE_KEY'],
    // The key of the environment would go with it.
    ['groq', 'http://127.0.0.1:1', undefined],
    ['gemini', 'http://127.0.0.1:1', undefined],
    ['groq', 'http://127.0.0.1:1', 'GROQ_API_KEY'],
    // A registry reads no more than the part before the colon.
    ['groq:x', 'http://127.0.0.1:1', undefined],
    ['gemini:', 'http://127.0.0.1:1', undefined],
    ['openai:x', undefined, 'AWS_SECRET_ACCESS_KEY'],
  ])('needs consent to its key: %s at %s with %s', (provider, address, keyName) => {
    expect(kinds(provider, address, keyName)).toEqual(['key']);
  });

  it('needs consent to the key of Ollama where there is one, as its adapter sends it', () => {
    vi.stubEnv('OLLAMA_API_KEY', 'a-key');
    try {
      expect(kinds('ollama', 'http://127.0.0.1:9999')).toEqual(['key']);
      expect(kinds('ollama', 'http://gpu:11434')).toEqual(['address', 'key']);
      expect(kinds('ollama', 'http://localhost:11434/')).toEqual([]);
      expect(kinds('ollama')).toEqual([]);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it('needs consent to both', () => {
    expect(kinds('openai', 'https://evil.example', 'OPENAI_API_KEY')).toEqual(['address', 'key']);
    expect(kinds('gemini', 'https://evil.example')).toEqual(['address', 'key']);
  });

  it('shows an address that is not its own, without what may be secret in it', () => {
    const address = (provider: string, url?: string): string | undefined =>
      foreignAddress({ provider, address: url, source: 'test' });
    expect(address('openai')).toBeUndefined();
    expect(address('openai', 'https://api.openai.com/v1')).toBeUndefined();
    expect(address('openai', 'http://u:p@127.0.0.1:1/v1?key=k')).toBe('http://127.0.0.1:1/v1');
  });
});

describe('what a file says of a model', () => {
  it.each([
    ['ai-sdk:@ai-sdk/mistral:m', '@ai-sdk/mistral'],
    ['ai-sdk:evil', 'evil'],
    ['ai-sdk:', ''],
    ['ai-sdk:evil and more:m', '"evil and more"'],
  ])('needs consent to the package: %s', (model, name) => {
    const text = `the package ${name || '""'} is loaded and run`;
    expect(packageUses({ model, source: 's' })).toEqual([{ kind: 'package', text, source: 's' }]);
  });

  it.each(['openai:ai-sdk:x', 'ollama:m', '', 'AI-SDK:x'])('needs none: %s', (model) => {
    expect(packageUses({ model, source: 's' })).toEqual([]);
  });
});
