import autocannon from 'autocannon';
import type { BenchData } from './data.ts';
import { heading, remark, reportAtLeast } from './report.ts';
import { serve } from './service.ts';

const connections = 8;
const seconds = 5;
const rounds = 3;

/** Compares a route with session check, one joined query and contract to a route without any of them. */
export async function benchProfile(data: BenchData): Promise<void> {
  heading('My own profile');
  const service = await serve(data.large, 'ada@heartwood.test');
  const rate = async (url: string) => {
    const headers = { authorization: `Bearer ${service.token}` };
    const result = await autocannon({ url, connections, duration: seconds, headers });
    if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url} failed`);
    return result.requests.average;
  };
  const [profile, bare]: [number[], number[]] = [[], []];
  await rate(`${service.baseUrl}/api/v1/auth/profile`);
  for (let round = 0; round < rounds; round++) {
    bare.push(await rate(`${service.bareUrl}/bare`));
    profile.push(await rate(`${service.baseUrl}/api/v1/auth/profile`));
  }
  await service.stop();
  const middle = (rates: number[]) => [...rates].sort((a, b) => a - b)[Math.floor(rates.length / 2)] ?? 0;
  remark('a bare route with one select by primary key', `${Math.round(middle(bare))} requests/s`);
  remark('GET /auth/profile, signed in', `${Math.round(middle(profile))} requests/s`);
  reportAtLeast('GET /auth/profile against the bare route', middle(profile) / middle(bare), 0.5);
}
