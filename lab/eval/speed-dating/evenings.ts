import { recordsOf } from './csv.ts';

/** A guest of an evening; missing numbers are null. */
export interface Guest {
  /** 1 for men, 0 for women, 0.5 if unknown. */
  isMan: number;
  age: number | null;
  goal: string;
  habits: (number | null)[];
  interests: (number | null)[];
}

/** One decision after one short date: the indexes of the rater and the rated guest. */
export interface Meeting {
  wave: string;
  rater: number;
  rated: number;
  liked: boolean;
  /** Its position in the rater's evening. */
  turn: number;
}

export interface Evenings {
  guests: Guest[];
  meetings: Meeting[];
  waves: string[];
  goals: string[];
}

/** Our names of columns, and those of the published data of Fisman and Iyengar's evenings. */
const columns = {
  wave: ['wave'],
  rater: ['rater', 'iid'],
  rated: ['rated', 'pid'],
  decision: ['decision', 'dec'],
} as const;
const habitColumns = ['date', 'go_out'];
const interestColumns = [
  'sports',
  'tvsports',
  'exercise',
  'dining',
  'museums',
  'art',
  'hiking',
  'gaming',
  'clubbing',
  'reading',
  'tv',
  'theater',
  'movies',
  'concerts',
  'music',
  'shopping',
  'yoga',
];

type Row = Record<string, string>;

function numberOf(text: string | undefined): number | null {
  if (text === undefined || text === '') return null;
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}

/** An id without the decimals that spreadsheets add to whole numbers. */
const idOf = (text: string | undefined) => (text ?? '').replace(/\.0+$/, '');

function guestOf(row: Row): Guest {
  const own = Object.keys(row).filter((name) => name.startsWith('interest_'));
  return {
    isMan: numberOf(row['gender']) ?? 0.5,
    age: numberOf(row['age']),
    goal: idOf(row['goal']),
    habits: habitColumns.map((name) => numberOf(row[name])),
    interests: [...interestColumns, ...own].map((name) => numberOf(row[name])),
  };
}

/**
 * Reads decisions of speed-dating evenings from a CSV: wave, rater, rated and decision (0 or 1), and of each rater gender, age,
 * goal, date, go_out and interests. Throws if one of the first four columns is missing. Columns of race are never read.
 */
export function readEvenings(text: string): Evenings {
  const rows = recordsOf(text);
  const missing = Object.values(columns).find((names) => names.every((name) => !(name in (rows[0] ?? {}))));
  if (missing !== undefined) throw new Error(`The data have no column ${missing.join(' or ')}`);
  const cell = (row: Row, [first, second]: readonly string[]) => row[first ?? ''] ?? row[second ?? ''] ?? '';
  const indexes = new Map<string, number>();
  const guests: Guest[] = [];
  for (const row of rows) {
    const id = idOf(cell(row, columns.rater));
    if (indexes.has(id)) continue;
    indexes.set(id, guests.length);
    guests.push(guestOf(row));
  }
  const turns = new Map<number, number>();
  const meetings = rows.flatMap((row): Meeting[] => {
    const rater = indexes.get(idOf(cell(row, columns.rater)));
    const rated = indexes.get(idOf(cell(row, columns.rated)));
    const decision = numberOf(cell(row, columns.decision));
    if (rater === undefined || rated === undefined || decision === null) return [];
    const turn = numberOf(row['order']) ?? turns.get(rater) ?? 0;
    turns.set(rater, turn + 1);
    return [{ wave: cell(row, columns.wave), rater, rated, liked: decision === 1, turn }];
  });
  const goals = [...new Set(guests.map(({ goal }) => goal))].filter((goal) => goal !== '').sort();
  return { guests, meetings, waves: [...new Set(meetings.map(({ wave }) => wave))], goals };
}
