import { describe, expect, it } from 'vitest';
import { getAgeCheck, startAgeCheck, takeAgeAnswer } from '#contract/age-check.ts';
import { makeMember } from '../../server/test/factories.ts';
import { startAppForTests } from '../../server/test/harness.ts';

const test = startAppForTests({ AGE_PROVIDER: 'double' });

/** The links on the page that stands in for a provider. */
const linksOf = (html: string) =>
  [...html.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));

describe('the stand-in for an age check provider', () => {
  it.each([
    [0, 'adult', 'assured'],
    [1, 'minor', 'failed'],
  ] as const)('gives the answer that is chosen: link %s says %s', async (index, result, state) => {
    const { token } = await makeMember(test);
    const { url } = (await test.call(startAgeCheck, { token })).body.data;
    const links = linksOf((await test.app.inject(url)).body);
    expect(links).toHaveLength(3);
    const { origin, pathname, searchParams } = new URL(links[index] ?? '');
    expect(origin + pathname).toBe('http://localhost:3000/app/verify-age');
    const [check = '', signature = ''] = ['check', 'signature'].map((name) => searchParams.get(name) ?? '');
    expect(searchParams.get('result')).toBe(result);
    expect((await test.call(takeAgeAnswer, { body: { check, result, signature } })).status).toBe(200);
    expect((await test.call(getAgeCheck, { token })).body.data.state).toBe(state);
  });

  it('leads only to pages that the server named', async () => {
    const { token } = await makeMember(test);
    const url = new URL((await test.call(startAgeCheck, { token })).body.data.url, 'http://localhost:3000');
    url.searchParams.set('return', 'https://elsewhere.example/');
    expect((await test.app.inject(url.pathname + url.search)).statusCode).toBe(400);
  });
});
