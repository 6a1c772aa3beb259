import { describe, expect, it } from 'vitest';
import { csvLines } from './csv.ts';

describe('csvLines', () => {
  it('quotes texts, leaves unknown values empty and keeps numbers as they are', () => {
    expect(
      csvLines([
        ['a', 'b, "c"'],
        [-1.5, null],
      ]),
    ).toBe('"a","b, ""c"""\r\n-1.5,\r\n');
  });

  it.each(['=1+1', '+1', '-1', '@a', ' =1', '＝1', '\t1'])('puts an apostrophe before %j', (text) => {
    expect(csvLines([[text]])).toContain(`"'${text}`);
  });

  it.each(['a;=1', 'a\n+1', 'a\t"@b', 'a\r\n-1'])('puts an apostrophe within %j', (text) => {
    expect(csvLines([[text]])).toMatch(/['][=+@-]/);
  });
});
