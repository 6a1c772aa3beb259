import type { Members } from './members.ts';

/** All candidates of one side's members, member after member: `ids` from `offsets[i]` to `offsets[i + 1]` are i's. */
export interface Pairs {
  offsets: Int32Array;
  ids: Int32Array;
  /** The owner of the entry. */
  owners: Int32Array;
  /** The index of the reverse entry in the other side's pairs. */
  reverse: Int32Array;
}

function accepts(members: Members, i: number, age: number): boolean {
  return age >= (members.wishMin[i] ?? 0) && age <= (members.wishMax[i] ?? 0);
}

function pairsOf(own: Members, others: Members): Omit<Pairs, 'reverse'> {
  const offsets = new Int32Array(own.count + 1);
  const [ids, owners] = [new Int32Array(own.count * others.count), new Int32Array(own.count * others.count)];
  let count = 0;
  for (let i = 0; i < own.count; i += 1) {
    for (let j = 0; j < others.count; j += 1) {
      if (!accepts(own, i, others.age[j] ?? 0) || !accepts(others, j, own.age[i] ?? 0)) continue;
      ids[count] = j;
      owners[count++] = i;
    }
    offsets[i + 1] = count;
  }
  return { offsets, ids: ids.slice(0, count), owners: owners.slice(0, count) };
}

/** Finds each entry's counterpart: walking one side in order meets the other side's entries in their order too. */
function reverseOf({ ids }: Omit<Pairs, 'reverse'>, others: Omit<Pairs, 'reverse'>): Int32Array {
  const next = others.offsets.slice();
  return ids.map((j) => {
    const at = next[j] ?? 0;
    next[j] = at + 1;
    return at;
  });
}

/** Eligible pairs: each age lies within the other's range. */
export function pairUp([first, second]: [Members, Members]): [Pairs, Pairs] {
  const [one, other] = [pairsOf(first, second), pairsOf(second, first)];
  return [
    { ...one, reverse: reverseOf(one, other) },
    { ...other, reverse: reverseOf(other, one) },
  ];
}

/** The values of the other side's entries, in this side's order. */
export function turned({ reverse }: Pairs, values: Float32Array): Float32Array {
  return new Float32Array(reverse.length).map((_, entry) => values[reverse[entry] ?? 0] ?? 0);
}
