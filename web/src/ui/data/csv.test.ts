import { describe, expect, it } from 'vitest';
import { csvOf } from './csv.ts';

describe('csvOf', () => {
  it('quotes separators, leaves unknown values empty and keeps numbers as they are', () => {
    expect(
      csvOf([
        ['a', 'b, "c"'],
        [-1.5, null],
      ]),
    ).toBe('a,"b, ""c"""\r\n-1.5,\r\n');
  });

  it.each(['=1+1', '+1', '-1', '@a', ' =1', '＝1', '\t1'])('puts an apostrophe before %j', (text) => {
    expect(csvOf([[text]])).toContain(`'${text}`);
  });
});
