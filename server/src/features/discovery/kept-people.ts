import type { Db } from '../../platform/db/db.ts';
import { keep } from '../../platform/process/bounded-map.ts';
import { type PageCard, peopleByIds, type Person } from './cards.reads.ts';

/** Each entry takes about 10 KB. */
const peopleMost = 5000;

/** The people on cards for viewers of a gender (a bit), by id; people who have just left are missing. */
export type PeopleOnCards = (db: Db, cards: PageCard[], gender: number, now: Date) => Promise<Map<string, Person>>;

/**
 * Caches the people on cards, because reading them takes longer than everything else on a page. A cached person is used only if the version
 * matches the one that the same request has just read together with its visibility check, so no card shows outdated data.
 */
export function createPeopleOnCards(): PeopleOnCards {
  const kept = new Map<string, { version: string; person: Person }>();
  return async (db, cards, gender, now) => {
    // Learned values depend on the viewer's gender, and the answers that count depend on the day.
    const keyOf = ({ id }: PageCard) => `${id} ${gender}`;
    const versionOf = ({ version }: PageCard) => `${version} ${now.toISOString().slice(0, 10)}`;
    const people = new Map<string, Person>();
    for (const card of cards) {
      const known = kept.get(keyOf(card));
      if (known?.version === versionOf(card)) people.set(card.id, known.person);
    }
    const missing = cards.filter(({ id }) => !people.has(id));
    if (missing.length === 0) return people;
    const ids = missing.map(({ id }) => id);
    const read = await peopleByIds(db, ids, gender, now);
    for (const card of missing) {
      const person = read.get(card.id);
      if (person === undefined) continue;
      people.set(card.id, person);
      keep(kept, keyOf(card), { version: versionOf(card), person }, peopleMost);
    }
    return people;
  };
}
