import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { checks, readBlocks } from './page.ts';

describe('the page "From an empty server to members"', () => {
  const blocks = readBlocks();
  const headings = blocks.map(({ heading }) => heading);

  it('has the headings whose result the rehearsal looks at, in this order', () => {
    const checked = Object.keys(checks);
    expect(headings.filter((heading) => checked.includes(heading))).toEqual(checked);
  });

  it('has only blocks that a shell can read', () => {
    for (const { heading, text } of blocks)
      expect(spawnSync('bash', ['-n'], { input: text, encoding: 'utf8' }), heading).toMatchObject({ stderr: '' });
  });

  it('is followed with other values, and with one of two proxies', () => {
    const text = blocks.map((block) => block.text).join('');
    expect(text).toContain('export SMTP_URL=smtp://127.0.0.1:2525\n');
    expect(text).toContain('systemctl reload caddy\n');
    expect(text).not.toMatch(/nodesource|nginx|git\.example\.org/);
  });

  it('refuses to go on in blocks that use the values once a new login has lost them', () => {
    const chosen = [...(blocks[0]?.text ?? '').matchAll(/export (\w+)=/g)].map(([, name = '']) => name);
    const users = blocks
      .slice(1)
      .filter(({ text }) => chosen.some((name) => new RegExp(`\\$\\{?${name}\\b`).test(text)));
    expect(users.length).toBeGreaterThan(4);
    for (const { heading, text } of users)
      expect(
        chosen.some((name) => text.includes(`\${${name}:?}`)),
        heading,
      ).toBe(true);
  });
});
