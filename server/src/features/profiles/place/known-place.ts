/** A place as the database knows it. */
export interface Place {
  name: string;
  country: string;
  latitude: number;
  longitude: number;
  population: number;
}

const lower = (column: string) => `lower(${column} collate "und-x-icu")`;

/** Whether the place `p` has the name and the country of the row `other`, ignoring case; the index `place_name` finds it. */
export const isNamedLike = (other: string) =>
  ['name', 'country'].map((column) => `${lower(`p.${column}`)} = ${lower(`${other}.${column}`)}`).join(' and ');
