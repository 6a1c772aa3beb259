import type { Db } from '../../platform/db/db.ts';
import { type PageCard, peopleByIds, type Person } from './cards.reads.ts';

/** About 10 KB each. */
const peopleMost = 5000;

/** The people on cards for viewers of a gender (a bit), by id; people who have just left are missing. */
export type PeopleOnCards = (db: Db, cards: PageCard[], gender: number, now: Date) => Promise<Map<string, Person>>;

/**
 * Keeps people, because reading those of a page takes longer than all the rest. A person is used only under the version that the same
 * request has read together with its check of who may be shown, so no card shows what has changed since.
 */
export function createPeopleOnCards(): PeopleOnCards {
  const kept = new Map<string, { version: string; person: Person }>();
  return async (db, cards, gender, now) => {
    // Learned values depend on the viewer's gender, the answers that count on the day.
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

/** Makes an entry the newest, and deletes the oldest if there are more than `most`. */
export function keep<T>(entries: Map<string, T>, key: string, entry: T, most: number): void {
  entries.delete(key);
  entries.set(key, entry);
  const [oldest] = entries.keys();
  if (entries.size > most && oldest !== undefined) entries.delete(oldest);
}
