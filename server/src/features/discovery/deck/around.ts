import type { Db } from '../../../platform/db/db.ts';
import { boostMax, unknownBase } from '../score/chance.ts';
import type { Surroundings } from './rows.ts';

const knownForMs = 60_000;
/** A segment starts as if it had this many cards at the default base rate. */
const priorCards = 40;

/** Market-wide values the score needs, at most a minute old. */
export interface Around {
  read(db: Db): Promise<Surroundings>;
}

async function readAround(db: Db): Promise<Surroundings> {
  const [segments, shares] = await Promise.all([
    db.selectFrom('segment_base').selectAll().execute(),
    db.selectFrom('interest_share').selectAll().execute(),
  ]);
  const usual = 1 / (1 + Math.exp(-unknownBase));
  const base = segments.map(({ segment, shown, liked }): [string, number] => {
    const share = (liked + priorCards * usual) / (shown + priorCards);
    return [segment, Math.log(share / (1 - share))];
  });
  return {
    base: new Map(base),
    interestShares: new Map(shares.map(({ interest, share }) => [interest, share])),
    premiumBoost: boostMax,
  };
}

/** A per-process cache; `nowMs` is the clock. */
export function createAround(nowMs: () => number): Around {
  let known: { value: Promise<Surroundings>; readAt: number } | null = null;
  return {
    async read(db) {
      if (known === null || nowMs() - known.readAt > knownForMs) known = { value: readAround(db), readAt: nowMs() };
      return await known.value.catch((error: unknown) => {
        known = null;
        throw error;
      });
    },
  };
}
