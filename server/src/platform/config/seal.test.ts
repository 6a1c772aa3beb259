import { describe, expect, it } from 'vitest';
import { hashToken, keyedHash, newCode, newToken, seal, unseal } from './secrets.ts';

describe('a sealed text', () => {
  it.each(['', 'short', '{"token":"x"}', 'ключ 🔑 \0', 'x'.repeat(100_000)])('can be read with the secret', (text) => {
    expect(unseal('the secret', seal('the secret', text))).toBe(text);
  });

  it('cannot be read with another secret or after a single bit was changed', () => {
    const bytes = seal('the secret', 'a text');
    expect(() => unseal('the secre', bytes)).toThrow();
    expect(() => unseal('', bytes)).toThrow();
    for (const at of bytes.keys()) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      expect(() => unseal('the secret', changed)).toThrow();
    }
    expect(() => unseal('the secret', bytes.subarray(0, 20))).toThrow();
  });

  it('differs each time and reveals nothing of its text', () => {
    const sealed = [seal('s', 'the same'), seal('s', 'the same')];
    expect(sealed[0]?.equals(sealed[1] ?? Buffer.alloc(0))).toBe(false);
    expect(sealed[0]?.includes('the same')).toBe(false);
  });
});

describe('tokens and codes', () => {
  it('are 256 random bits that fit into an address', () => {
    const tokens = Array.from({ length: 1000 }, newToken);
    expect(new Set(tokens).size).toBe(1000);
    for (const token of tokens) expect(token).toMatch(/^[\w-]{43}$/);
  });

  it('are six digits, including leading zeros, and use the whole range', () => {
    const codes = Array.from({ length: 20_000 }, newCode);
    for (const code of codes) expect(code).toMatch(/^\d{6}$/);
    expect(new Set(codes.map((code) => code[0])).size).toBe(10);
  });

  it('have distinct hashes, and keyed hashes depend on the key', () => {
    expect(hashToken('a')).toHaveLength(32);
    expect(hashToken('a').equals(hashToken('b'))).toBe(false);
    expect(keyedHash('k1', '123456').equals(keyedHash('k2', '123456'))).toBe(false);
    expect(keyedHash('k1', '123456').equals(keyedHash('k1', '123456'))).toBe(true);
  });
});
