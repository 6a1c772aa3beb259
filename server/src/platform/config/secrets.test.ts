import { describe, expect, it } from 'vitest';
import { startAppForTests } from '../../../test/harness.ts';
import { installationSecret, hashToken, keyedHash, newCode, newToken, seal, unseal } from './secrets.ts';

const test = startAppForTests();

describe('an installation secret', () => {
  it('is created once, even by processes that start at the same time', async () => {
    const values = await Promise.all(Array.from({ length: 8 }, () => installationSecret(test.db, 'new-one', null)));
    expect(new Set(values).size).toBe(1);
    expect(values[0]).toMatch(/^[\w-]{43}$/);
    expect(await installationSecret(test.db, 'new-one', null)).toBe(values[0]);
    expect(await installationSecret(test.db, 'another', null)).not.toBe(values[0]);
  });

  it('is taken from the environment if set, and is then not stored', async () => {
    expect(await installationSecret(test.db, 'given', 'from the environment')).toBe('from the environment');
    const kept = await test.db.selectFrom('secret').select('name').where('name', '=', 'given').execute();
    expect(kept).toEqual([]);
  });
});

describe('a sealed text', () => {
  it.each(['', 'short', '{"token":"x"}', 'ключ 🔑 \0', 'x'.repeat(100_000)])(
    'can be decrypted with the secret',
    (text) => {
      expect(unseal('the secret', seal('the secret', text))).toBe(text);
    },
  );

  it('cannot be decrypted with another secret or after one bit was changed', () => {
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

  it('is encrypted with AES-256-GCM', () => {
    // Made with openssl's cipher, from a key that HKDF derives from the secret.
    expect(unseal('the secret', Buffer.from('BwcHBwcHBwcHBwcHOWcuhd30ME-ilBCAFFSMCwvgcpUIrw', 'base64url'))).toBe(
      'a text',
    );
  });

  it('differs each time and reveals nothing about its content', () => {
    const sealed = [seal('s', 'the same'), seal('s', 'the same')];
    expect(sealed[0]?.equals(sealed[1] ?? Buffer.alloc(0))).toBe(false);
    expect(sealed[0]?.includes('the same')).toBe(false);
  });
});

describe('secrets sent to members', () => {
  it('include tokens of 256 random bits that are safe in URLs', () => {
    const tokens = Array.from({ length: 1000 }, newToken);
    expect(new Set(tokens).size).toBe(1000);
    for (const token of tokens) expect(token).toMatch(/^[\w-]{43}$/);
  });

  it('include codes of six digits, with leading zeros, from the whole range', () => {
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
